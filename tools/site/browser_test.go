package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/browser"
)

// shown is one page of each kind.
var shown = []string{"index.html", "docs/index.html", "docs/guides/cursor.html", "docs/commands/index.html",
	"docs/commands/convert.html", "docs/codes/hb204.html", "docs/matrix.html", "agents/index.html",
	"agents/cursor.html", "conformance/LIVE.html", "conformance/facts/cursor.html", "source/examples/guard.html",
	"support.html", converter}

// searched searches for a text and returns the first addresses found.
func searched(query string) string {
	return `new Promise(done => {
  const field = document.getElementById("query");
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "/" }));
  const focused = document.activeElement === field;
  field.value = ` + strconv.Quote(query) + `;
  field.dispatchEvent(new Event("input"));
  const wait = setInterval(() => {
    const links = [...document.querySelectorAll("#hits a")];
    if (!links.length) return;
    clearInterval(wait);
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
    const moved = document.activeElement === links[0];
    done([focused, moved, faults.length, ...links.slice(0, 5).map(a => a.getAttribute("href"))].join(" "));
  }, 20);
})`
}

// chosen chooses in the form of the tables, and returns the answer.
const chosen = `(() => {
  const form = document.getElementById("ask");
  form.elements.effect.value = "deny";
  form.elements.event.value = "prompt-submit";
  form.dispatchEvent(new Event("input"));
  const cells = document.querySelectorAll("#grid tbody tr").length;
  form.elements.agent.value = "kiro";
  form.dispatchEvent(new Event("input"));
  return [cells, document.getElementById("answer").textContent,
    document.querySelector("#list td:nth-child(5)").textContent, location.hash, faults.join()].join("|");
})()`

// sound lists the page's errors, whether it is wider than the window, and the accessibility violations that axe finds,
// if it is loaded.
const sound = `(async () => {
  const list = [...faults];
  if (document.documentElement.scrollWidth > innerWidth) list.push("too wide");
  if (window.axe) {
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    for (const v of violations) if (v.impact === "serious" || v.impact === "critical") {
      list.push(v.id + " " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200)).join(" "));
    }
  }
  return list.join("\n");
})()`

// TestBrowser opens pages from a folder in a real browser. HOOKBRIDGE_SCREENSHOT=FOLDER keeps pictures.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the converter")
	}
	b := browser.Find(t)
	dir := t.TempDir()
	if err := writeSite(must(filepath.Abs("../.."))(t), dir); err != nil {
		t.Fatal(err)
	}
	visit := func(page, size, find string) browser.Visit {
		return browser.Visit{Page: filepath.Join(dir, filepath.FromSlash(page)), Size: size, Find: find}
	}

	searches := []struct{ page, query, want string }{
		{"index.html", "HB204", " docs/codes/hb204.html"},
		{"index.html", "hookbridge doctor", " docs/commands/doctor.html"},
		{"index.html", "can I block a prompt in Kiro?", " agents/kiro.html#"},
		{"index.html", "fail closed", "true true 0 docs/"},
		{"index.html", "exit code", "true true 0 docs/"},
		{"docs/codes/hb204.html", "doctor", " ../../docs/commands/doctor.html"},
	}
	var visits []browser.Visit
	for _, s := range searches {
		visits = append(visits, visit(s.page, "1300,900", searched(s.query)))
	}
	for i, got := range b.Tour(t, append(visits, visit("support.html", "1300,900", chosen))) {
		switch {
		case i == len(searches):
			checkChosen(t, got)
		case !strings.HasPrefix(got, "true true 0 ") || !strings.Contains(got, searches[i].want):
			t.Errorf("%+v: found %s", searches[i], got)
		}
	}

	var scripts []string
	if axe := axeFile(t); axe != "" {
		scripts = append(scripts, axe)
	}
	for _, dark := range []bool{false, true} { // a desk by day, a phone by night
		size := map[bool]string{false: "1300,900", true: "500,900"}[dark]
		visits = nil
		for _, page := range shown {
			v := visit(page, size, sound)
			v.Dark, v.Scripts = dark, scripts
			if page == converter {
				v.Ready = `document.getElementById("state").hidden`
			}
			visits = append(visits, v)
		}
		for i, got := range b.Tour(t, visits) {
			if got != "" {
				t.Errorf("%s at %s: %s", shown[i], size, got)
			}
		}
	}
	if shots := os.Getenv("HOOKBRIDGE_SCREENSHOT"); shots != "" {
		for name, v := range map[string]browser.Visit{
			"desk":    {Page: "index.html", Size: "1400,1000"},
			"dark":    {Page: "docs/guides/cursor.html", Size: "1400,1000", Dark: true},
			"phone":   {Page: "index.html", Size: "500,1100"},
			"support": {Page: "support.html", Size: "1400,1100", Fragment: "effect=deny&event=prompt-submit"},
			"kiro": {Page: "support.html", Size: "500,1100", Dark: true,
				Fragment: "effect=deny&event=prompt-submit&agent=kiro"},
			"command": {Page: "docs/commands/convert.html", Size: "1400,1000"},
			"convert": {Page: converter, Size: "1400,1000", Dark: true},
		} {
			if v.Page == converter {
				v.Ready = `document.getElementById("state").hidden`
			}
			v.Page = filepath.Join(dir, filepath.FromSlash(v.Page))
			b.Shoot(t, v, filepath.Join(shots, "site-"+name+".png"))
		}
	}
}

// checkChosen checks what the form shows.
func checkChosen(t *testing.T, got string) {
	t.Helper()
	fields := strings.Split(got, "|")
	if n, err := strconv.Atoi(fields[0]); err != nil || n < 14 {
		t.Errorf("the grid has %s rows", fields[0])
	}
	if len(fields) != 5 || !strings.HasPrefix(fields[1], "yes: ") || !strings.Contains(fields[2], "kiro.dev") ||
		!strings.Contains(fields[3], "agent=kiro") || fields[4] != "" {
		t.Errorf("the form shows %q", fields)
	}
}

// axeVersion is the version of axe-core that checks the pages.
const axeVersion = "4.14.1"

// axeFile returns the script of axe-core, from npm through the user's cache, or "" without npm or a network.
func axeFile(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Log("axe-core isn't used: ", err)
		return ""
	}
	dir := filepath.Join(cache, "hookbridge-axe", axeVersion)
	file := filepath.Join(dir, "node_modules", "axe-core", "axe.min.js")
	if _, err := os.Stat(file); err == nil {
		return file
	}
	out, err := exec.Command("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", dir,
		"axe-core@"+axeVersion).CombinedOutput()
	if err != nil {
		t.Logf("axe-core isn't used: %v: %s", err, out)
		return ""
	}
	return file
}
