package main

import (
	"bytes"
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
)

// matrixOf runs the command.
func matrixOf(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := dispatch(append([]string{"matrix"}, args...), stdio{out: &out, err: &errs}); code != exitOK {
		t.Fatalf("exit status %d: %s", code, errs.String())
	}
	return out.String()
}

// TestMatrixJSON holds that the JSON form is one object that names every event
// of every dialect, for every pair.
func TestMatrixJSON(t *testing.T) {
	var got struct {
		Pairs []struct {
			From, To string
			Events   []struct {
				Event, From, Support string
				Finding              string
				To, Supported, Lost  []string
				Evidence             []struct{ Dialect, Native, Since, Source string }
			}
		}
		Dialects []struct {
			Name   string
			Events []struct{ Event, Native, Since, Source string }
		}
	}
	d := json.NewDecoder(strings.NewReader(matrixOf(t, "--format", "json")))
	if err := d.Decode(&got); err != nil || d.More() {
		t.Fatal("not one object:", err)
	}
	n := len(adapter.Dialects())
	if len(got.Dialects) != n || len(got.Pairs) != n*(n-1) {
		t.Fatalf("%d dialects and %d pairs of %d dialects", len(got.Dialects), len(got.Pairs), n)
	}
	for _, p := range got.Pairs {
		hooks, _ := adapter.Find(p.From)
		if len(p.Events) != len(hooks.Profile().Events) {
			t.Errorf("%s under %s: %d events of %d", p.From, p.To, len(p.Events), len(hooks.Profile().Events))
		}
		for _, e := range p.Events {
			if len(e.Evidence) != 1+len(e.To) || e.Evidence[0].Native != e.From || e.Evidence[0].Source == "" {
				t.Errorf("%s under %s: %s has the evidence %v", p.From, p.To, e.From, e.Evidence)
			}
			if (e.Support == "none") != (len(e.To) == 0) || (e.Support == "all") != (len(e.To) > 0 && len(e.Lost) == 0 && e.Finding == "") {
				t.Errorf("%s under %s: %s has support %s with %v lost", p.From, p.To, e.From, e.Support, e.Lost)
			}
		}
	}
}

// TestMatrixColour holds that colors change nothing but colors.
func TestMatrixColour(t *testing.T) {
	pairs := allPairs(t)
	var plain, colored bytes.Buffer
	pairTable(&plain, painter{}, &pairs[0])
	pairTable(&colored, painter{on: true}, &pairs[0])
	marks := regexp.MustCompile("\x1b\\[[0-9]*m")
	if strings.Contains(plain.String(), "\x1b") || !marks.MatchString(colored.String()) {
		t.Fatal("color where none is wanted, or none where it is")
	}
	blanks := regexp.MustCompile(` +\n`)
	if got := blanks.ReplaceAllString(marks.ReplaceAllString(colored.String(), ""), "\n"); got != plain.String() {
		t.Errorf("with colors:\n%s\nwithout:\n%s", got, plain.String())
	}
}

// TestMatrixPage holds that the page has every row and asks for nothing from
// outside.
func TestMatrixPage(t *testing.T) {
	page := matrixOf(t, "--format", "html")
	rows := 0
	for _, p := range allPairs(t) {
		for i := range p.Rows {
			rows++
			if !strings.Contains(page, html.EscapeString(evidenceText(p.Rows[i].Evidence[0]))) {
				t.Errorf("%s under %s: no evidence for %s", p.From, p.To, p.Rows[i].From)
			}
		}
	}
	if n := strings.Count(page, "<tr data-from="); n != rows {
		t.Errorf("%d rows, want %d", n, rows)
	}
	for _, reach := range []string{"http:", "https:", "src=", "href=", "url(", "@import", "{{"} {
		if strings.Contains(page, reach) {
			t.Errorf("the page contains %s", reach)
		}
	}
}

// probe drives the page as a reader would and leaves what it saw in its title.
const probe = `<script>
const seen = [], tip = () => [...document.querySelectorAll(".tip")].filter(t => getComputedStyle(t).display !== "none");
const shown = () => rows.filter(r => r.getClientRects().length).length;
seen.push(shown(), tip().length);
form.elements.from.value = "claude"; form.elements.to.value = "cursor"; form.elements.event.value = "PreTool";
form.dispatchEvent(new Event("input")); seen.push(shown(), location.hash);
setTimeout(() => {
  rows.find(r => !r.hidden).querySelectorAll(".h")[1].focus();
  seen.push(tip().length, tip()[0]?.textContent, document.hasFocus(), document.documentElement.scrollWidth <= innerWidth ? "fits" : "too wide");
  document.title = seen.join(" | ");
}, 300);
</script></body>`

// TestMatrixPageInBrowser opens the page in a real browser; where
// HOOKBRIDGE_CHROMIUM names one:
//
//	HOOKBRIDGE_CHROMIUM=/usr/bin/chromium HOOKBRIDGE_SCREENSHOT=matrix.png go test ./cmd/hookbridge -run InBrowser
func TestMatrixPageInBrowser(t *testing.T) {
	browser := os.Getenv("HOOKBRIDGE_CHROMIUM")
	if browser == "" {
		t.Skip("HOOKBRIDGE_CHROMIUM names no browser")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "matrix.html")
	page := strings.Replace(matrixOf(t, "--format", "html"), "</body>", probe, 1)
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	open := func(size string, args ...string) string {
		args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
			"--disable-component-update", "--disable-sync", "--user-data-dir=" + t.TempDir(), "--window-size=" + size}, args...)
		out, err := exec.Command(browser, append(args, "file://"+file)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	all := 0
	for _, p := range allPairs(t) {
		all += len(p.Rows)
	}
	want := strconv.Itoa(all) + " | 0 | 1 | #from=claude&amp;to=cursor&amp;event=PreTool | 1 | claude PreToolUse, since "
	for _, size := range []string{"1300,700", "500,900"} { // a desk, a telephone
		_, rest, _ := strings.Cut(open(size, "--virtual-time-budget=1000", "--dump-dom"), "<title>")
		title, _, _ := strings.Cut(rest, "</title>")
		if !strings.HasPrefix(title, want) || !strings.HasSuffix(title, " | fits") {
			t.Errorf("%s: the page shows %q, want %q", size, title, want)
		}
	}
	if shot := os.Getenv("HOOKBRIDGE_SCREENSHOT"); shot != "" {
		path, err := filepath.Abs(shot)
		if err != nil {
			t.Fatal(err)
		}
		open("1300,700", "--virtual-time-budget=1000", "--screenshot="+path)
	}
}

func allPairs(t *testing.T) []inspect.Pair {
	t.Helper()
	pairs, err := choosePairs("", "")
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}
