package web

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/browser"
)

// probe checks what readers with a keyboard, a screen reader or a narrow screen would find.
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

// typed returns the address and the text below the result once a typed text is converted.
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

// until is a promise of a script's result once a condition is true.
func until(first, ready, find string) string {
	return `new Promise(done => {` + first + `; const wait = setInterval(() => {
    if (!(` + ready + `)) return;
    clearInterval(wait);
    done(` + find + `);
  }, 20); })`
}

// pasted types a text into the field.
const pasted = `const enter = text => { $("text").value = text; $("text").dispatchEvent(new Event("input")); };`

// large measures, in milliseconds, how long a file of a megabyte takes and how long the page doesn't react meanwhile.
// It returns the part of the file that the page shows: the field has a part, which follows the findings and can be
// edited.
const large = `new Promise(done => {
  const hook = '{"matcher": "Bash", "hooks": [{"type": "command", "command": "./guard.sh"}]},\n';
  const from = performance.now();
  let last = from, gap = 0;
  const ticks = setInterval(() => { gap = Math.max(gap, performance.now() - last); last = performance.now(); }, 5);
  put('{"hooks": {"PreToolUse": [\n' + hook.repeat(13000).trimEnd().slice(0, -1) + "]}}").then(() => {
    clearInterval(ticks);
    const took = Math.round(performance.now() - from) + " ms, longest pause " + Math.round(gap) + " ms, ";
    const shown = () => $("text").value.length < 100000 ? $("part").textContent.trim() : "all of it";
    const seen = [$("summary").textContent, shown()];
    $("later").click();
    seen.push(shown());
    select(9000);
    const line = $("text").value.slice($("text").selectionStart, $("text").selectionEnd);
    seen.push(line.startsWith('{"matcher"') && line.endsWith("},"), $("lines").textContent.split("\n").includes("9000"));
    $("text").setRangeText("// typed");
    seen.push(whole().split("\n")[8999], whole().length > 1000000);
    done(took + seen.join("; "));
  });
})`

// TestPage drives the page in a real browser. HOOKBRIDGE_SCREENSHOT=FOLDER keeps pictures.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the page")
	}
	b := browser.Find(t)
	file := filepath.Join(t.TempDir(), "page.html")
	if out, err := exec.Command("go", "run", "../scripts/page.go", "-o", file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}

	given := url.Values{"from": {"claude"}, "to": {"cursor"}, "text": {guard}}.Encode()
	called := given + "&" + url.Values{"call": {`shell "rm -rf /"`}}.Encode()
	example := url.Values{"call": {`shell "rm -rf /"`}}.Encode() // from the page, with a long command
	table := "view=table&of=claude&under=cursor"
	want := Convert("claude", "cursor", guard)
	rows := 0
	for _, r := range Matrix() {
		if r.From == "claude" && r.To == "cursor" {
			rows++
		}
	}
	narrow := `String(document.documentElement.scrollWidth <= innerWidth)`
	const probed = "text true fits 0 named tab-table false"
	for size, visits := range map[string][]pageVisit{
		"1300,900": {
			{"the first conversion", given, `String(Math.round(performance.now()))`, func(got string) bool {
				t.Logf("the first conversion is there %s ms after the page began to load", got)
				return got != ""
			}},
			{"the result", given, `document.getElementById("result").textContent`, is(want.Text)},
			{"the findings", given, `document.getElementById("findings").textContent`, func(got string) bool {
				for _, f := range want.Findings {
					if !strings.Contains(got, f.Code) || !strings.Contains(got, f.Message) {
						return false
					}
				}
				return len(want.Findings) > 0
			}},
			{"a call", called, `document.getElementById("outcomes").textContent`, func(got string) bool {
				return strings.Contains(got, "sees Bash")
			}},
			{"typing", "from=claude&to=cursor", typed, is("#from=claude&to=cursor false false")},
			{"while it converts", given, `(() => { convert(); return ["copy", "download", "link"].every(id => $(id).disabled) +
				" " + $("result").className + " " + $("summary").textContent; })()`, is("true old Converting…")},
			{"front matter", "from=claude&to=cursor", until(pasted+`enter("---\nhooks:\n  PreToolUse:\n" +
				"    - hooks: [{type: command, command: ./skill.sh}]\n---\n")`,
				`$("result").textContent.includes("skill.sh")`, `String($("copy").disabled)`), is("false")},
			{"text of another agent", "from=codex&to=claude", until(pasted+`enter(JSON.stringify({ version: 1, hooks:
				{ beforeShellExecution: [{ command: "./guard.sh" }] } }))`, `$("other").textContent.includes("Cursor")`,
				`(() => { const asks = $("other").textContent.trim(); $("switch").click();
					return asks + $("from").value + location.hash; })()`),
				is("This looks like Cursor. Switchcursor#from=cursor&to=claude")},
			{"a file that is too large", "from=claude&to=cursor", until(pasted+`enter("x".repeat(5 << 20))`,
				`$("summary").textContent.includes("up to 4 MB")`, `String($("copy").disabled)`), is("true")},
			{"a megabyte", "from=claude&to=cursor", large, func(got string) bool {
				t.Logf("a file of a megabyte: %s", got)
				return strings.HasSuffix(got, "13000 hooks read, 1 entry written, 12999 findings; "+
					"Lines 1 to 842 of 13001 Earlier Later; Lines 843 to 1684 of 13001 Earlier Later; "+
					"true; true; // typed; true")
			}},
			{"the table", table, `document.getElementById("count").value`,
				is(strconv.Itoa(rows) + " of " + strconv.Itoa(len(Matrix())))},
			{"agents that aren't in the lists", "from=clod&to=cursor@2.4",
				`document.getElementById("summary").textContent + document.getElementById("to").value`,
				func(got string) bool {
					return strings.Contains(got, `"clod"`) && strings.HasSuffix(got, "cursor@2.4")
				}},
			{"keyboard and screen reader", called, probe, is(probed)},
		},
		"500,900": {
			{"the example on a phone", example, narrow, is("true")},
			{"keyboard and screen reader on a phone", called, probe, is(probed)},
		},
	} {
		var tour []browser.Visit
		for _, v := range visits {
			tour = append(tour, browser.Visit{Page: file, Fragment: v.fragment, Size: size,
				Ready: `document.getElementById("state").hidden`,
				Find:  `Promise.resolve(` + v.find + `).then(found => faults.join() + found)`})
		}
		for i, got := range b.Tour(t, tour) {
			if !visits[i].right(got) {
				t.Errorf("%s: the page shows %q", visits[i].what, got)
			}
		}
	}

	if shots := os.Getenv("HOOKBRIDGE_SCREENSHOT"); shots != "" {
		for name, v := range map[string]browser.Visit{
			"convert": {Fragment: called, Size: "1300,900"},
			"phone":   {Fragment: called, Size: "500,1600", Dark: true},
			"table":   {Fragment: table, Size: "1300,900"},
		} {
			v.Page, v.Ready = file, `document.getElementById("state").hidden`
			b.Shoot(t, v, filepath.Join(shots, name+".png"))
		}
	}
}

// A pageVisit is what is checked in the page at an address. An error of the page fails the test.
type pageVisit struct {
	what, fragment, find string
	right                func(got string) bool
}

func is(want string) func(string) bool { return func(got string) bool { return got == want } }
