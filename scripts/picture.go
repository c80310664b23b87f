//go:build ignore

// Picture runs a short session in a copy of examples/guard and draws what the terminal shows:
//
//	go run scripts/picture.go -o docs/session.svg
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

// session lists the commands of the picture, typed one after the other.
var session = []string{
	`hookbridge fire --host codex shell "rm -rf build" | tail -n 1`,
	"hookbridge install --host codex",
	`hookbridge fire --host codex shell "rm -rf build" | tail -n 1`,
	"hookbridge test --host claude,codex",
}

// The terminal's width in columns, and the size of a cell.
const (
	columns          = 104
	width, height    = 8, 19
	margin, titleBar = 16, 34
)

func main() {
	out := flag.String("o", "docs/session.svg", "the file to write")
	flag.Parse()
	lines, err := play()
	if err == nil {
		err = os.WriteFile(*out, draw(lines), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

// play runs the session and returns the lines of the terminal, with their colors.
func play() ([]string, error) {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/hookbridge/hookbridge").Output()
	if err != nil {
		return nil, fmt.Errorf("run picture.go inside the repository: %w", err)
	}

	repository := strings.TrimSpace(string(root))
	work, err := os.MkdirTemp("", "picture-")
	if err != nil {
		return nil, err
	}

	defer os.RemoveAll(work)
	if work, err = filepath.EvalSymlinks(work); err != nil {
		return nil, err
	}

	project, home := filepath.Join(work, "you", "project"), filepath.Join(work, "you")
	build := exec.Command("go", "build", "-o", filepath.Join(work, "bin", "hookbridge"), "./cmd/hookbridge")
	build.Dir = repository
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	if err := os.CopyFS(project, os.DirFS(filepath.Join(repository, "examples", "guard"))); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(project, ".git"), 0o755); err != nil {
		return nil, err
	}

	env := []string{"PATH=" + filepath.Join(work, "bin") + ":" + os.Getenv("PATH"), "HOME=" + home, "LC_ALL=C",
		"FORCE_COLOR=1", "HOOKBRIDGE_STATE_DIR=" + filepath.Join(work, "state")}
	var lines []string
	for _, typed := range session {
		lines = append(lines, "\x1b[1m$ "+typed+"\x1b[0m")
		cmd := exec.Command("sh", "-c", typed)
		cmd.Dir, cmd.Env = project, env
		text, err := cmd.CombinedOutput()
		if ended := (*exec.ExitError)(nil); err != nil && !errors.As(err, &ended) {
			return nil, err
		}
		shown := strings.ReplaceAll(strings.TrimRight(string(text), "\n"), work, "/home")
		lines = append(append(lines, strings.Split(shown, "\n")...), "")
	}

	return append(lines, "$ "), nil
}

const style = "text{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d6deeb;white-space:pre}" +
	".b{font-weight:bold;fill:#fff}.d{fill:#8a97a8}.r{fill:#ff7b72;font-weight:bold}" +
	".g{fill:#7ee787}.y{fill:#e3b341}.c{fill:#79c0ff}"

var escape = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// classes maps the colors that hookbridge uses to styles.
var classes = map[string]string{
	"\x1b[1m": "b", "\x1b[2m": "d", "\x1b[31m": "r", "\x1b[32m": "g", "\x1b[33m": "y", "\x1b[36m": "c",
}

// draw returns the lines as an SVG.
func draw(lines []string) []byte {
	var rows []string
	for _, line := range lines {
		rows = append(rows, wrap(line)...)
	}
	var b bytes.Buffer
	w, h := columns*width+2*margin, len(rows)*height+titleBar+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`+
		"\n", w, h, w, h)
	fmt.Fprintf(&b, "<!-- Written by scripts/picture.go from a real run; don't edit. -->\n")
	fmt.Fprintf(&b, "<title>A Claude Code guard runs in Cursor and Codex after hookbridge install</title>\n")
	fmt.Fprintf(&b, "<style>%s</style>\n", style)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="8" fill="#161b22"/>`+"\n", w, h)
	for i, color := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="6" fill="%s"/>`+"\n", margin+6+20*i, titleBar/2, color)
	}
	for i, row := range rows {
		if row != "" {
			fmt.Fprintf(&b, `<text x="%d" y="%d" xml:space="preserve">%s</text>`+"\n", margin, titleBar+margin+i*height,
				styled(row))
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// wrap breaks a line between words; a color ends with its line.
func wrap(line string) []string {
	if utf8.RuneCountInString(escape.ReplaceAllString(line, "")) <= columns {
		return []string{line}
	}
	var rows []string
	runes := []rune(escape.ReplaceAllString(line, ""))
	for len(runes) > columns {
		head := string(runes[:columns])
		if at := strings.LastIndexByte(head, ' '); at > 0 {
			head = head[:at+1]
		}
		rows, runes = append(rows, head), runes[utf8.RuneCountInString(head):]
	}
	return append(rows, string(runes))
}

// styled returns a row as the content of a text element.
func styled(row string) string {
	var b strings.Builder
	open := false
	for row != "" {
		at := escape.FindStringIndex(row)
		if at == nil {
			at = []int{len(row), len(row)}
		}
		b.WriteString(html.EscapeString(row[:at[0]]))
		if class := classes[row[at[0]:at[1]]]; class != "" || open {
			if open {
				b.WriteString("</tspan>")
			}
			if open = class != ""; open {
				b.WriteString(`<tspan class="` + class + `">`)
			}
		}
		row = row[at[1]:]
	}
	if open {
		b.WriteString("</tspan>")
	}
	return b.String()
}
