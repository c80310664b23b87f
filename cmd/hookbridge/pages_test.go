package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// runMark starts the mark of a page that is a walk: <!-- run: FOLDER -->. In its console blocks, a line that begins
// with $ is a command, lines that begin with > continue it, and what follows is its output on both streams. All
// commands of a page run in order in a copy of FOLDER.
const runMark = "<!-- run: "

// TestPages runs the walks and compares the output they show with the real one.
func TestPages(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the examples are shell scripts")
	}
	pages := []string{"../../README.md"}
	err := filepath.WalkDir("../../docs", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			pages = append(pages, path)
		}
		return err
	})
	n := 0
	for _, path := range pages {
		text := string(read(t, path))
		if _, rest, ok := strings.Cut(text, runMark); ok {
			folder, _, _ := strings.Cut(rest, " -->")
			n++
			t.Run(strings.TrimSuffix(filepath.Base(path), ".md"), func(t *testing.T) {
				holdPage(t, path, text, folder)
			})
		}
	}
	if err != nil || n < 7 {
		t.Errorf("only %d pages: %v", n, err)
	}
}

func holdPage(t *testing.T, path, text, folder string) {
	w := newWalk(t, folder)
	var out strings.Builder
	typed := 0
	lines := strings.SplitAfter(text, "\n")
	inside := false
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if strings.HasPrefix(line, "```") {
			inside = line == "```console\n"
		}
		if !inside || !strings.HasPrefix(line, "$ ") {
			if !inside || line == "```console\n" { // the output of a command is written again
				out.WriteString(line)
			}
			continue
		}
		out.WriteString(line)
		command := strings.TrimPrefix(line, "$ ")
		for strings.HasPrefix(lines[i+1], "> ") {
			i++
			out.WriteString(lines[i])
			command += strings.TrimPrefix(lines[i], "> ")
		}
		typed += len(command)
		out.WriteString(w.run(t, command))
	}
	if filepath.Base(path) == "tour.md" && typed > 600 { // two minutes at 60 words a minute
		t.Errorf("the tour wants %d characters to be typed", typed)
	}
	switch got := out.String(); {
	case got == text:
	case *update:
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is out of date: go test ./cmd/hookbridge -run TestPages -update\n%s", path,
			firstDifference(text, got))
	}
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return "it says    " + x[i] + "\nbut it is  " + y[i]
		}
	}
	return "one is longer"
}

// A walk is a user's machine: a home, a project, and hookbridge in the PATH.
type walk struct {
	root, project string
	env           []string
}

func newWalk(t *testing.T, folder string) *walk {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &walk{root: root, project: filepath.Join(root, "you", "project")}
	err = os.MkdirAll(filepath.Join(root, "bin"), 0o755)
	if err == nil {
		err = os.Symlink(executable, filepath.Join(root, "bin", "hookbridge"))
	}
	switch {
	case err != nil:
	case folder == "." && testing.Short(): // uses the built program of this test
		err = os.CopyFS(filepath.Join(w.project, "examples"), os.DirFS("../../examples"))
		script := "#!/bin/sh\n[ \"$1 $2\" = \"run ./cmd/hookbridge\" ] && shift 2 && exec hookbridge \"$@\"\n"
		err = errors.Join(err, os.WriteFile(filepath.Join(root, "bin", "go"), []byte(script), 0o755))
	case folder == ".":
		err = cloneInto(w.project)
	default:
		err = os.CopyFS(w.project, os.DirFS(filepath.Join("../..", folder)))
	}
	if err != nil {
		t.Fatal(err)
	}
	caches, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS").Output()
	if err != nil {
		t.Fatal(err)
	}
	values := strings.Split(string(caches), "\n")
	w.env = []string{"GOCACHE=" + values[0], "GOMODCACHE=" + values[1], "GOPROXY=" + values[2], "GOFLAGS=" + values[3],
		"PATH=" + filepath.Join(root, "bin") + ":" + os.Getenv("PATH"), "HOME=" + filepath.Join(root, "you"),
		"HOOKBRIDGE_STATE_DIR=" + filepath.Join(root, "state"), "LC_ALL=C", "TERM=dumb"}
	return w
}

// cloneInto copies the files under version control, as in a fresh clone.
func cloneInto(dir string) error {
	list, err := exec.Command("git", "-C", "../..", "ls-files", "-z", "--cached", "--others",
		"--exclude-standard").Output()
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		from, to := filepath.Join("../..", name), filepath.Join(dir, name)
		info, err := os.Stat(from)
		if err != nil {
			continue // deleted, not yet committed
		}
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o755)
		}
		if err == nil {
			err = os.WriteFile(to, text, info.Mode().Perm())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// run returns the output of a command, and its exit status if that is not 0.
func (w *walk) run(t *testing.T, command string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = w.project, w.env
	out, err := cmd.CombinedOutput()
	text := string(out)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		text += "[" + ended.String() + "]\n"
	} else if err != nil {
		t.Fatal(err)
	}
	text = strings.NewReplacer(w.root+"/you", "/home/you", w.root, "/home").Replace(text)
	for _, v := range varying {
		text = v.what.ReplaceAllString(text, v.by)
	}
	return text
}

// varying matches output that differs between runs.
var varying = []struct {
	what *regexp.Regexp
	by   string
}{
	{regexp.MustCompile(` *\b\d+(\.\d+)? ?ms\b`), " 3ms"},
	{regexp.MustCompile(`\b\d\d\d\d-\d\d-\d\d`), "2026-11-21"},
	{regexp.MustCompile(`\b\d\d:\d\d:\d\d(\.\d+)?`), "14:00:00"},
}

// TestPagesPicture draws the picture of the README again, from a real run.
func TestPagesPicture(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the example is a shell script")
	}
	if testing.Short() && !*update {
		t.Skip("a program is built for it")
	}
	const page = "../../docs/session.svg"
	file := filepath.Join(t.TempDir(), "session.svg")
	if out, err := exec.Command("go", "run", "../../scripts/picture.go", "-o", file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got, want := string(read(t, file)), string(read(t, page))
	switch {
	case got == want:
	case *update:
		if err := os.WriteFile(page, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is out of date: go run scripts/picture.go\n%s", page, firstDifference(want, got))
	}
}

// TestLinks follows the links of the pages to files and headings, and finds pages of docs without a link to them.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#: ]*)(#[^)]*)?\)`)
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/guides/*.md", "examples/*.md", "examples/*/*.md",
		"conformance/*.md", "conformance/live/*.md", "conformance/facts/*.md"} {
		found, _ := filepath.Glob(filepath.Join("../..", pattern))
		pages = append(pages, found...)
	}
	linked := map[string]bool{}
	for _, page := range pages {
		for _, m := range link.FindAllStringSubmatch(string(read(t, page)), -1) {
			file := page
			if m[1] != "" {
				file = filepath.Join(filepath.Dir(page), m[1])
				linked[file] = true
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s points to %s", page, m[1])
			} else if m[2] != "" && !slices.Contains(headings(string(read(t, file))), m[2]) {
				t.Errorf("%s points to %s%s, and there is no such heading", page, m[1], m[2])
			}
		}
	}

	for _, page := range pages {
		if strings.HasPrefix(page, "../../docs/") && !linked[page] {
			t.Errorf("no page points to %s", page)
		}
	}
	if len(pages) < 40 {
		t.Errorf("only %d pages", len(pages))
	}
}

// headings returns the anchors of a page's headings, as GitHub names them.
func headings(page string) (anchors []string) {
	for _, line := range strings.Split(page, "\n") {
		if title := strings.TrimLeft(line, "#"); title != line && strings.HasPrefix(title, " ") {
			slug := strings.Map(func(r rune) rune {
				switch {
				case r == ' ':
					return '-'
				case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
					return unicode.ToLower(r)
				}
				return -1
			}, title[1:])
			anchors = append(anchors, "#"+slug)
		}
	}
	return anchors
}
