package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hookbridge/hookbridge/schema"
)

// A terminal is the output of all commands but run: text from files, payloads or programs can show itself there and do
// nothing else. A character that is schema.Unprintable is written as \uXXXX, which means the same character in a JSON
// string.
type terminal struct {
	Steady
	marks func() bool // whether colors are on: Paint's marks pass
}

// NewTerminal returns a writer for people. color is a value of --color.
func NewTerminal(s Steady, color string) terminal {
	return terminal{s, sync.OnceValue(func() bool { return colored(s.File, color) })}
}

func (t terminal) Write(b []byte) (int, error) {
	if _, err := t.Steady.Write(spelledOut(b, t.marks())); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Raw returns the writer for a file's own bytes, which it changes only on a terminal.
func (std IO) Raw() io.Writer {
	t, ok := std.Out.(terminal)
	if !ok {
		return std.Out
	}
	if isTerminal(t.File) {
		return std.Out
	}
	return t.Steady
}

// spelledOut returns the text with everything unprintable spelled out. Line ends and tabs stay, and so do Paint's marks
// if marks is set.
func spelledOut(b []byte, marks bool) []byte {
	start := bytes.IndexFunc(b, func(r rune) bool { return r != '\n' && r != '\t' && schema.Unprintable(r) })
	if start < 0 {
		return b
	}
	out := append(make([]byte, 0, len(b)+64), b[:start]...)
	for i := start; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		switch mark := paintMark(b[i:]); {
		case marks && mark > 0:
			n = mark
			out = append(out, b[i:i+n]...)
		case allowed(r, b[i+n:]):
			out = append(out, b[i:i+n]...)
		default:
			for _, unit := range utf16.AppendRune(nil, r) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
		}
		i += n
	}
	return out
}

// allowed reports whether a character may be printed unchanged before next.
func allowed(r rune, next []byte) bool {
	return r == '\n' || r == '\t' || r == '\r' && len(next) > 0 && next[0] == '\n' || !schema.Unprintable(r)
}

// paintMark returns the length of a mark of Paint at the start of b, or 0.
func paintMark(b []byte) int {
	rest, ok := strings.CutPrefix(string(b[:min(len(b), 5)]), "\x1b[")
	if !ok {
		return 0
	}
	for _, c := range []string{Good, Middle, Bad, Faint, Strong, "0"} {
		if strings.HasPrefix(rest, c+"m") {
			return len("\x1b[m") + len(c)
		}
	}
	return 0
}

// A Painter colors words for a terminal. The zero Painter changes nothing.
type Painter struct{ On bool }

// PainterFor returns a Painter that colors if w is a terminal with colors.
func PainterFor(w io.Writer) Painter {
	if p, ok := w.(*Progress); ok {
		w = p.w
	}
	t, ok := w.(terminal)
	return Painter{ok && t.marks()}
}

// colored reports whether output to a file is colored: --color decides, then NO_COLOR (https://no-color.org) and
// FORCE_COLOR, then whether the file is a terminal that isn't dumb.
func colored(f *os.File, mode string) bool {
	switch {
	case mode == "always":
		return true
	case mode == "never" || os.Getenv("NO_COLOR") != "":
		return false
	case os.Getenv("FORCE_COLOR") != "" && os.Getenv("FORCE_COLOR") != "0":
		return true
	}
	return os.Getenv("TERM") != "dumb" && isTerminal(f) && hasColors(f)
}

// isTerminal reports whether a person is at the other end of a file.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	null, _ := os.Stat(os.DevNull) // stdin has another name then
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && f.Name() != os.DevNull && !os.SameFile(info, null)
}

// ColorMode returns the value of --color on a command line, "auto" if it isn't there. A wrong value is reported when
// the flags are parsed.
func ColorMode(args []string) string {
	for i, a := range args {
		switch name, value, has := strings.Cut(strings.TrimPrefix(a, "-"), "="); {
		case a == "--":
			return "auto"
		case name != "-color" && name != "color" || !strings.HasPrefix(a, "-"):
		case has:
			return value
		case i+1 < len(args):
			return args[i+1]
		}
	}
	return "auto"
}

// Colors are named by meaning, not by appearance.
const (
	Good   = "32" // green
	Middle = "33" // yellow
	Bad    = "31" // red
	Faint  = "2"
	Strong = "1"
)

// Paint wraps s in a color. Blanks around a word must be added outside: the marks
// have no width.
func (p Painter) Paint(color, s string) string {
	if !p.On || s == "" || color == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

// A Progress shows on stderr what a command is doing, after the first second and then at growing intervals. It writes
// only to a terminal, or to a log after half a minute.
type Progress struct {
	mu   sync.Mutex
	w    io.Writer
	what string
	last string // what is being done
	done int
	stop chan struct{}
}

// mostPause is the longest time between two lines.
const mostPause = 30 * time.Second

// StartProgress begins the progress of a command, whose stderr goes through its lock from now on.
func StartProgress(std *IO, what string) *Progress {
	p := &Progress{w: std.Err, what: what, stop: make(chan struct{})}
	pause := mostPause
	if t, ok := std.Err.(terminal); ok && isTerminal(t.File) {
		pause = time.Second
	}
	std.Err = p
	go p.run(pause)
	return p
}

func (p *Progress) run(pause time.Duration) {
	start := time.Now()
	for {
		select {
		case <-p.stop:
			return
		case <-time.After(pause):
		}
		p.mu.Lock()
		fmt.Fprintf(p.w, "hookbridge %s: %d done, now %s (%d s)\n", p.what, p.done, p.last,
			int(time.Since(start).Seconds()))
		p.mu.Unlock()
		pause = min(2*pause, mostPause)
	}
}

// At names what begins now. Everything before it is done.
func (p *Progress) At(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last != "" {
		p.done++
	}
	p.last = what
}

// End removes the line.
func (p *Progress) End() { close(p.stop) }

// Write writes to stderr.
func (p *Progress) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.w.Write(b)
}

// A Dialog asks a person at a terminal.
type Dialog struct {
	in  *bufio.Reader
	out io.Writer
}

// NewDialog returns nil if it can ask no one: both ends must be a terminal.
func NewDialog(std IO) *Dialog {
	in, ok := std.In.(*os.File)
	out, ok2 := std.Out.(terminal)
	if !ok || !ok2 || !isTerminal(in) || !isTerminal(out.File) {
		return nil
	}
	return &Dialog{bufio.NewReader(in), out}
}

// Yes asks a question. An empty answer is the usual one.
func (d *Dialog) Yes(question string, usual bool) bool {
	if usual {
		return d.Choose(question, "y", "n") == "y"
	}
	return d.Choose(question, "n", "y") == "y"
}

// Choose asks for one of several letters. An empty answer is the first of them. If the terminal is gone, the answer is
// "", because no one has agreed to anything.
func (d *Dialog) Choose(question string, letters ...string) string {
	shown := slices.Clone(letters)
	shown[0] = strings.ToUpper(shown[0])
	if len(shown) == 2 && letters[0] == "n" { // yes always comes first
		slices.Reverse(shown)
	}
	for {
		fmt.Fprintf(d.out, "%s [%s] ", question, strings.Join(shown, "/"))
		line, err := d.in.ReadString('\n')
		switch answer := strings.ToLower(strings.TrimSpace(line)); {
		case answer == "" && err != nil:
			return ""
		case answer == "":
			return letters[0]
		case slices.Contains(letters, answer[:1]) && (len(answer) == 1 || answer == "yes" || answer == "no"):
			return answer[:1]
		}
	}
}

// Toggle shows numbered choices until the person is satisfied with them.
func (d *Dialog) Toggle(show func(), names []string, flip func(int)) {
	for {
		show()
		fmt.Fprint(d.out, "Enter to continue, or numbers or names to switch: ")
		line, err := d.in.ReadString('\n')
		words := strings.Fields(strings.ReplaceAll(line, ",", " "))
		if len(words) == 0 || err != nil {
			return
		}
		for _, w := range words {
			i, err := strconv.Atoi(w)
			if err != nil {
				i = slices.Index(names, strings.ToLower(w)) + 1
			}
			if i < 1 || i > len(names) {
				fmt.Fprintf(d.out, "%q is not in the list.\n", w)
				continue
			}
			flip(i - 1)
		}
	}
}

// ColorOf returns the color for the word of a decision or an action, or else other.
func ColorOf(word, other string) string {
	switch word {
	case "allow", "installed", "current", "uninstalled", "changed", "written", "removed", "pass":
		return Good
	case "ask", "defer", "stale", "edited":
		return Middle
	case "deny", "failed", "FAIL":
		return Bad
	}
	return other
}
