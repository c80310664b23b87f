package web

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A browser is a headless Chromium. The page reports to the test's own server when it
// is ready, so that nothing depends on how long that takes.
type browser struct {
	program, data string
	server        *httptest.Server
	page          string // the page's text
	reports       chan string
}

func newBrowser(t *testing.T, program, page string) *browser {
	b := &browser{program: program, data: dataFolder(t), page: page, reports: make(chan string, 1)}
	b.page = strings.Replace(page, "default-src 'none';", "default-src 'none'; connect-src 'self';", 1)
	b.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/report":
			body, _ := io.ReadAll(r.Body)
			b.reports <- string(body)
		case "/":
			io.WriteString(w, b.page)
		}
	}))
	t.Cleanup(b.server.Close)
	return b
}

// open shows the page in a window of that size and returns what expression, JavaScript
// or a promise of it, is once the page is ready.
func (b *browser) open(t *testing.T, fragment, size, expression string) string {
	t.Helper()
	given := b.page
	b.page = strings.Replace(given, "</body>", `<script>
const ready = setInterval(() => {
  if (!document.getElementById("state").hidden) return;
  clearInterval(ready);
  Promise.resolve(`+expression+`).then(body => fetch("/report", { method: "POST", body }));
}, 20);
</script></body>`, 1)
	defer func() { b.page = given }()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, b.program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+b.data,
		"--window-size="+size, "--remote-debugging-port=0", b.server.URL+"/#"+fragment)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { stop(); _ = cmd.Wait() }()
	select {
	case report := <-b.reports:
		return report
	case <-ctx.Done():
		t.Fatal("the page reported nothing")
		return ""
	}
}

// dataFolder is a folder for the browser's data. Processes that the browser has left may still write into it, so it may
// stay.
func dataFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "hookbridge-browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// shoot keeps a picture of the page.
func shoot(t *testing.T, program, file, fragment, size, picture string) {
	t.Helper()
	out, err := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+
			dataFolder(t),
		"--window-size="+size, "--virtual-time-budget=20000", "--screenshot="+picture, "file://"+file+"#"+
			fragment).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// probe is what a reader at the keyboard, one with a screen reader and one with a narrow
// screen would meet.
const probe = `(() => {
  const seen = [];
  document.querySelector("#findings button").click();
  seen.push(document.activeElement.id, document.getElementById("text").selectionStart > 0);
  seen.push(document.documentElement.scrollWidth <= innerWidth ? "fits" : "too wide");
  const unnamed = [...document.querySelectorAll("input, select, textarea, button")].filter(e =>
    !e.labels?.length && !e.textContent.trim() && !e.getAttribute("aria-label") && !e.getAttribute("aria-labelledby"));
  seen.push(unnamed.length, document.getElementById("result").getAttribute("aria-labelledby") ? "named" : "unnamed");
  document.getElementById("tab-convert").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
  seen.push(document.activeElement.id, document.getElementById("table").hidden);
  return seen.join(" ");
})()`

// typed is what is in the address and below the result once a text that somebody typed is converted.
const typed = `new Promise(done => {
  const text = document.getElementById("text");
  text.value = text.value.replace("guard.sh", "private.sh");
  text.dispatchEvent(new Event("input"));
  const wait = setInterval(() => {
    if (!document.getElementById("result").textContent.includes("private.sh")) return;
    clearInterval(wait);
    done([location.hash, document.getElementById("needs").hidden, document.getElementById("copy").disabled].join(" "));
  }, 20);
})`

// large is how long a file of a megabyte takes, and for how long the page didn't react meanwhile, in milliseconds.
const large = `new Promise(done => {
  const hook = '{"matcher": "Bash", "hooks": [{"type": "command", "command": "./guard.sh"}]},\n';
  const from = performance.now();
  let last = from, gap = 0;
  const ticks = setInterval(() => { gap = Math.max(gap, performance.now() - last); last = performance.now(); }, 5);
  put('{"hooks": {"PreToolUse": [\n' + hook.repeat(13000).trimEnd().slice(0, -1) + "]}}").then(() => {
    clearInterval(ticks);
    done(Math.round(performance.now() - from) + " ms, longest pause " + Math.round(gap) + " ms, " +
      document.getElementById("summary").textContent);
  });
})`

// TestPage drives the page in a real browser. HOOKBRIDGE_SCREENSHOT=FOLDER keeps pictures.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the page")
	}
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("no chromium in PATH, so the page isn't tried in a browser")
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if out, err := exec.Command("go", "run", "../scripts/page.go", "-o", file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, program, string(page))
	ready := b.open(t, "from=claude&to=cursor&text="+url.QueryEscape(guard), "1300,900",
		`String(Math.round(performance.now()))`)
	t.Logf("%d bytes; the first conversion is there %s ms after the page began to load", len(page), ready)
	state := url.Values{"from": {"claude"}, "to": {"cursor"}, "text": {guard}}.Encode()
	want := Convert("claude", "cursor", guard)
	if got := b.open(t, state, "1300,900", `document.getElementById("result").textContent`); got != want.Text {
		t.Errorf("the page shows %s, want %s", got, want.Text)
	}
	got := b.open(t, state, "1300,900", `document.getElementById("findings").textContent`)
	for _, f := range want.Findings {
		if !strings.Contains(got, f.Code) || !strings.Contains(got, f.Message) {
			t.Errorf("the page doesn't show %s in %s", f.Code, got)
		}
	}
	state += "&" + url.Values{"call": {`shell "rm -rf /"`}}.Encode()
	if got := b.open(t, state, "1300,900", `document.getElementById("outcomes").textContent`); !strings.Contains(got,
		"sees Bash") {
		t.Errorf("the page shows %q for a call", got)
	}
	rows := 0
	for _, r := range Matrix() {
		if r.From == "claude" && r.To == "cursor" {
			rows++
		}
	}
	if got := b.open(t, "from=claude&to=cursor", "1300,900", typed); got != "#from=claude&to=cursor false false" {
		t.Errorf("after typing: %s", got)
	}
	got = b.open(t, "from=claude&to=cursor", "1300,900", large)
	t.Logf("a file of a megabyte: %s", got)
	if !strings.Contains(got, "13000 hooks read") {
		t.Errorf("a file of a megabyte: %s", got)
	}
	filtered := "view=table&of=claude&under=cursor"
	counted := strconv.Itoa(rows) + " of " + strconv.Itoa(len(Matrix()))
	if got := b.open(t, filtered, "1300,900", `document.getElementById("count").value`); got != counted {
		t.Errorf("the table shows %s, want %s", got, counted)
	}
	if got := b.open(t, "from=clod&to=cursor@2.4", "1300,900", `document.getElementById("summary").textContent + `+
		`document.getElementById("to").value`); !strings.Contains(got, `"clod"`) ||
		!strings.HasSuffix(got, "cursor@2.4") {
		t.Errorf("agents that aren't in the lists: %s", got)
	}
	example := url.Values{"call": {`shell "rm -rf /"`}}.Encode() // of the page, with a long command
	fits := `String(document.documentElement.scrollWidth <= innerWidth)`
	if got := b.open(t, example, "500,900", fits); got != "true" {
		t.Error("the page's own example is too wide for a phone")
	}
	for _, size := range []string{"1300,900", "500,900"} { // a desk, a phone
		if got := b.open(t, state, size, probe); got != "text true fits 0 named tab-table false" {
			t.Errorf("%s: the page shows %q", size, got)
		}
	}
	if shots := os.Getenv("HOOKBRIDGE_SCREENSHOT"); shots != "" {
		shoot(t, program, file, state, "1300,900", filepath.Join(shots, "convert.png"))
		shoot(t, program, file, state, "500,1600", filepath.Join(shots, "phone.png"))
		shoot(t, program, file, filtered, "1300,900", filepath.Join(shots, "table.png"))
	}
}
