// Package log is the command log.
package log

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

//go:embed log.txt
var help string

// Command is the command log.
func Command() cli.Command { return cli.Documented[flags](help) }

type flags struct {
	follow, json bool
	format       string
	last         int
	resource     []otlpAttribute
}

func (f *flags) Define(fs *cli.Flags) {
	fs.Yes(&f.follow, "f")
	fs.Set.IntVar(&f.last, "n", 0, "")
	fs.Doc("n", "", "")
	fs.Yes(&f.json, "json")
	fs.Text(&f.format, "format", "text")
}

// pollEvery is how often log checks a file that it follows.
const pollEvery = 200 * time.Millisecond

func (f *flags) Run(_ *cli.Flags, rest []string, std cli.IO) (int, error) {
	switch {
	case len(rest) > 1:
		return 0, cli.Usage("name one FILE: a log written by hookbridge run --log FILE")
	case len(rest) == 0:
		rest = []string{common.LogFile(cmdline.UsualLog, common.Machine().Home)}
	case f.last < 0:
		return 0, cli.Usage("-n takes a number of events")
	}

	f.json = f.json || f.format == "json"
	f.resource = resourceOf(os.Environ())
	t := &timeline{std: std, paint: cli.PainterFor(std.Out), name: rest[0], flags: f}
	return t.show(), nil
}

type timeline struct {
	std     cli.IO
	paint   cli.Painter
	name    string
	flags   *flags
	lines   int
	damaged bool
	records []*common.LogRecord
}

func (t *timeline) show() int {
	ctx := context.Background()
	if t.flags.follow { // an interrupt ends it normally
		listening, stop := cli.UntilEnded(ctx)
		defer stop()
		ctx = listening
	}

	file, err := t.open(ctx)
	if ctx.Err() != nil {
		return cli.OK
	}

	if err != nil {
		fmt.Fprintf(t.std.Err, "hookbridge log: %s: %s\nhookbridge run --log FILE records events\n",
			t.name, discover.Reason(err))
		return cli.Failed
	}

	defer func() { file.Close() }()
	t.read(file, func(rec *common.LogRecord) { t.records = append(t.records, rec) })
	if n := t.flags.last; n > 0 && n < len(t.records) {
		t.records = t.records[len(t.records)-n:]
	}

	switch {
	case t.flags.json && !t.flags.follow:
		cli.PrintJSON(t.std.Out, Doc{len(t.records), lists.Map(t.records, func(r *common.LogRecord) jsondoc.Raw {
			return ordjson.AppendCompact(nil, r.Raw)
		})})
	default:
		for _, rec := range t.records {
			t.print(rec)
		}
		if !t.flags.follow && t.flags.format != "otlp" {
			fmt.Fprintln(t.std.Out, t.summary())
		}
	}

	said := map[string]bool{}
	for _, r := range t.records {
		if v, at := unseenOf(r), r.Host+" "+r.Version; v != "" && !said[at] {
			said[at] = true
			fmt.Fprintln(t.std.Err, "hookbridge log: note: "+schema.Printable(at)+" is newer than "+v+
				", the newest that hookbridge was checked with")
		}
	}

	if t.flags.follow {
		t.follow(ctx, file)
	}

	return cli.FailIf(t.damaged)
}

func (t *timeline) open(ctx context.Context) (*os.File, error) {
	for {
		file, err := os.Open(t.name)
		if err == nil {
			info, serr := file.Stat()
			if serr == nil && info.IsDir() {
				serr = errors.New("this is a folder")
			}
			return file, serr
		}
		if !t.flags.follow || !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(pollEvery):
		}
	}
}

// read reads all complete lines of r and reports those that aren't records.
func (t *timeline) read(r io.Reader, do func(*common.LogRecord)) {
	in := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			if len(bytes.TrimSpace(line)) > 0 && !t.flags.follow {
				t.line(line, do)
			}
			return
		}
		t.line(line, do)
	}
}

func (t *timeline) line(line []byte, do func(*common.LogRecord)) {
	t.lines++
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	rec, err := common.ReadRecord(line)
	if err != nil {
		t.damaged = true
		msg := err.Error()
		var se *ordjson.SyntaxError
		col := 1
		if errors.As(err, &se) {
			msg, col = se.Msg, max(se.Col, 1)
		}
		fmt.Fprintf(t.std.Err, "%s:%d:%d: error %s %s\n", t.name, t.lines, col, schema.CodeSyntax,
			schema.Printable(msg))
		return
	}
	do(rec)
}

// follow shows appended lines. If the file was rotated, it shows the rest of the old file first. If it became shorter,
// it starts over.
func (t *timeline) follow(ctx context.Context, file *os.File) {
	var part []byte
	at, _ := file.Seek(0, io.SeekCurrent)
	more := func() bool {
		text, err := io.ReadAll(file)
		at += int64(len(text))
		part = append(part, text...)
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			t.read(bytes.NewReader(part[:i+1]), t.print)
			part = append([]byte(nil), part[i+1:]...)
		}
		return err == nil
	}

	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pollEvery):
		}
		named, err := os.Stat(t.name)
		opened, gone := file.Stat()
		known := err == nil && gone == nil
		if moved := known && !os.SameFile(named, opened); moved || known && named.Size() < at {
			if moved && !more() {
				return
			}
			if again, err := os.Open(t.name); err == nil {
				file.Close()
				file, at, part = again, 0, nil
			}
		}
		if !more() {
			return
		}
	}
}

// print writes one event: a line for it, one for each hook, one for each finding.
func (t *timeline) print(r *common.LogRecord) {
	w := t.std.Out
	switch {
	case t.flags.format == "otlp":
		w.Write(append(jsondoc.Marshal(otlpOf(r, t.flags.resource)), '\n'))
		return
	case t.flags.json:
		w.Write(append(ordjson.AppendCompact(nil, r.Raw), '\n'))
		return
	}
	word := r.Outcome()
	fmt.Fprintf(w, "%s  %-34s %8.1f ms  %s\n", clock(r.Time), schema.Printable(r.What()), r.MS,
		t.paint.Paint(cli.ColorOf(word, cli.Strong), schema.Printable(word)))
	for _, h := range r.Hooks {
		fmt.Fprintf(w, "    %s  %-12s %8.1f ms  %s\n", schema.Printable(hookName(&h)), hookEnding(&h), h.MS,
			t.paint.Paint(cli.ColorOf(h.Decision, cli.Strong), schema.Printable(cmp.Or(h.Effects, "no opinion")+
				after(": ", h.Reason))))
	}
	for _, d := range r.Findings {
		fmt.Fprintf(w, "    %s\n", t.paint.Paint(cli.Faint, schema.Printable(d.String())))
	}
}

// after returns a text behind a separator, or "" for no text.
func after(sep, text string) string {
	if text == "" {
		return ""
	}
	return sep + text
}

// clock returns the time of a record, or its text unchanged if it isn't a time.
func clock(s string) string {
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return t.Format("2006-01-02 15:04:05.000")
	}
	return schema.Printable(s)
}

func hookName(h *common.LogHook) string {
	s := h.Event
	if h.File != "" {
		s = cli.AtLine(path.Base(strings.ReplaceAll(h.File, `\`, "/")), h.Line) + " " + h.Event
	}
	if h.Tool != "" {
		s += " " + h.Tool
	}
	return s + "  " + cmp.Or(h.Command, h.Handler)
}

func hookEnding(h *common.LogHook) string {
	switch {
	case h.TimedOut:
		return "timed out"
	case h.Signal != "":
		return h.Signal
	}
	return fmt.Sprintf("exit %d", h.Exit)
}

// summary counts the answers, in the order of their first occurrence.
func (t *timeline) summary() string {
	counts := map[string]int{}
	var order []string
	for _, r := range t.records {
		word := r.Outcome()
		if counts[word] == 0 {
			order = append(order, word)
		}
		counts[word]++
	}
	s := cli.Counted(len(t.records), "event")
	for _, word := range order {
		s += fmt.Sprintf(", %d %s", counts[word], word)
	}
	return s
}

// Doc is a timeline in the form that --json prints.
type Doc struct {
	Events  int           `json:"events"`
	Records []jsondoc.Raw `json:"records"`
}
