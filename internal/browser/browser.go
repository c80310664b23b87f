// Package browser is for tests: it opens pages from a folder in Chromium, and returns what a script finds there.
package browser

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A Browser is a headless Chromium. Pages report to the test's own server, so that nothing depends on how long they
// take.
type Browser struct {
	program string
	reports chan string
	shown   chan bool // a picture may be taken
	address string
}

// Find returns the Chromium in PATH, and skips the test if there is none.
func Find(t testing.TB) *Browser {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		b := &Browser{program: program, reports: make(chan string, 1), shown: make(chan bool)}
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if r.URL.Path == waiting {
				select {
				case <-b.shown:
				case <-r.Context().Done():
				}
				return
			}
			body, _ := io.ReadAll(r.Body)
			b.reports <- string(body)
		}))
		t.Cleanup(server.Close)
		b.address = server.URL
		return b
	}
	t.Skip("no chromium in PATH, so the page isn't tried in a browser")
	return nil
}

// A Visit describes how a page is opened.
type Visit struct {
	Page     string // the HTML file
	Fragment string // of the address
	Size     string // of the window: "1300,900"
	Dark     bool
	Scripts  []string // files that are loaded first
	Ready    string   // JavaScript: true once the page is ready. "": once it is loaded
	Find     string   // JavaScript: the text, or a promise of it, that Open returns
}

// recorder keeps the errors that the console would show.
const recorder = `<script>
window.faults = [];
addEventListener("error", e => faults.push(e.message || "not loaded: " + (e.target.src || e.target.href)), true);
addEventListener("unhandledrejection", e => faults.push(String(e.reason)));
addEventListener("securitypolicyviolation", e => faults.push("policy: " + e.violatedDirective + " " + e.blockedURI));
for (const kind of ["error", "warn"]) console[kind] = (...args) => faults.push(args.join(" "));
</script>`

// Open visits a page and returns the result of v.Find. In the page, faults is the list of its errors.
func (b *Browser) Open(t testing.TB, v Visit) string {
	t.Helper()
	return b.Tour(t, []Visit{v})[0]
}

// Tour visits one page after the other in one window, that of the first one, and returns the result of each Find.
func (b *Browser) Tour(t testing.TB, visits []Visit) []string {
	t.Helper()
	files := make([]string, len(visits))
	for i, v := range visits {
		files[i] = filepath.Join(filepath.Dir(v.Page), fmt.Sprintf("probe-%d-%s", i, filepath.Base(v.Page)))
	}
	for i, v := range visits {
		text, err := os.ReadFile(v.Page)
		if err != nil {
			t.Fatal(err)
		}
		next := ""
		if i+1 < len(visits) {
			next = address(files[i+1], visits[i+1])
		}
		if err := os.WriteFile(files[i], []byte(b.probed(string(text), next, v)), 0o644); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(files[i])
	}

	ctx, stop := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, b.program, append(b.flags(t, visits[0]), "--remote-debugging-port=0",
		address(files[0], visits[0]))...)
	if err := cmd.Start(); err != nil {
		stop()
		t.Fatal(err)
	}
	defer func() { stop(); _ = cmd.Wait() }()
	var reports []string
	for _, v := range visits {
		select {
		case report := <-b.reports:
			reports = append(reports, report)
		case <-time.After(2 * time.Minute):
			t.Fatalf("%s reported nothing", v.Page)
		}
	}
	return reports
}

// probed returns the page with a script that reports, and then opens the next one.
func (b *Browser) probed(page, next string, v Visit) string {
	page = strings.Replace(page, "default-src 'none';", "default-src 'none'; connect-src "+b.address+";", 1)
	front := recorder
	for _, script := range v.Scripts {
		front += `<script src="file://` + script + `"></script>`
	}
	page = strings.Replace(page, "<head>", "<head>"+front, 1)
	ready := v.Ready
	if ready == "" {
		ready = `document.readyState === "complete"`
	}
	probe := fmt.Sprintf(`<script>
{
  const report = body => fetch(%q, { method: "POST", mode: "no-cors", body });
  const wait = setInterval(() => {
    if (!(%s)) return;
    clearInterval(wait);
    Promise.resolve().then(() => %s).then(report, e => report("failed: " + (e.stack || e)))
      .then(() => { if (%q) location.href = %[4]q; });
  }, 20);
}
</script></body>`, b.address, ready, v.Find, next)
	at := strings.LastIndex(page, "</body>")
	return page[:at] + probe + page[at+len("</body>"):]
}

// waiting is the address of a picture that arrives once the page is ready: until then the page isn't loaded, and
// Chromium takes no picture of it.
const waiting = "/wait"

// Shoot takes a picture of a page once it is ready.
func (b *Browser) Shoot(t testing.TB, v Visit, picture string) {
	t.Helper()
	text, err := os.ReadFile(v.Page)
	if err != nil {
		t.Fatal(err)
	}
	v.Find = `""`
	if v.Ready == "" {
		v.Ready = `document.readyState !== "loading"`
	}
	page := strings.Replace(string(text), "default-src 'none';", "default-src 'none'; img-src "+b.address+";", 1)
	page = strings.Replace(page, "<body>", `<body><img hidden src="`+b.address+waiting+`" alt="">`, 1)
	file := filepath.Join(filepath.Dir(v.Page), "probe-"+filepath.Base(v.Page))
	if err := os.WriteFile(file, []byte(b.probed(page, "", v)), 0o644); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(file)

	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, b.program, append(b.flags(t, v), "--hide-scrollbars", "--screenshot="+picture,
		address(file, v))...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-b.reports:
		b.shown <- true
	case <-ctx.Done():
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%s: %v", v.Page, err)
	}
}

func (b *Browser) flags(t testing.TB, v Visit) []string {
	t.Helper()
	flags := []string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=" + v.Size,
		"--user-data-dir=" + dataFolder(t)}
	if v.Dark {
		flags = append(flags, "--blink-settings=preferredColorScheme=0")
	}
	return flags
}

func address(file string, v Visit) string {
	url := "file://" + file
	if v.Fragment != "" {
		url += "#" + v.Fragment
	}
	return url
}

// dataFolder returns a folder for the browser's data. Processes that the browser has left may still write into it, so
// it may stay.
func dataFolder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "hookbridge-browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
