package web

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
)

const guard = `{"hooks": {"PreToolUse": [
  {"matcher": "Bash", "hooks": [{"type": "command", "command": "./guard.sh"}]}],
 "Notification": [
  {"hooks": [{"type": "command", "command": "./bell.sh"}]}]}}`

func TestConvert(t *testing.T) {
	c := Convert("claude", "cursor", guard)
	if c.Hooks != 2 || c.Entries != 1 || !strings.Contains(c.Text, "preToolUse") {
		t.Errorf("%+v", c)
	}
	if len(c.Findings) != 1 || c.Findings[0].Code != "HB201" || c.Findings[0].Line != 4 {
		t.Errorf("%+v", c.Findings)
	}
	if c.Findings[0].Fix == "" {
		t.Error("a finding without advice")
	}
}

// TestFile checks that every target has a file to save the result as.
func TestFile(t *testing.T) {
	for to, want := range map[string]string{"cursor": ".cursor/hooks.json", "kimi": "~/.kimi-code/config.toml",
		"qoder-sdk": "hooks.ts", "opencode": ".opencode/plugin/hookbridge.js"} {
		if got := Convert("claude", to, guard).File; got != want {
			t.Errorf("%s: %q, want %q", to, got, want)
		}
	}
	for _, name := range adapter.Names() {
		if c := Convert("claude", name, guard); c.File == "" || strings.Contains(c.File, "\\") {
			t.Errorf("%s: %q", name, c.File)
		}
	}
}

func TestConvertMistakes(t *testing.T) {
	for _, test := range []struct {
		name, from, to, text string
		wrong, finding       bool
	}{
		{"an unknown source", "clod", "cursor", guard, true, false},
		{"an unknown target", "claude", "cursors", guard, true, false},
		{"no JSON", "claude", "cursor", "{", false, true},
	} {
		c := Convert(test.from, test.to, test.text)
		if c.Text != "" || c.Error == "" == test.wrong || len(c.Findings) > 0 != test.finding {
			t.Errorf("%s: %+v", test.name, c)
		}
	}
}

// TestFrontMatter checks that a skill's hooks are converted like those of a settings file, with lines of the skill.
func TestFrontMatter(t *testing.T) {
	skill := "---\nname: x\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n" +
		"        - {type: command, command: ./guard.sh}\n  Notification:\n" +
		"    - hooks:\n        - {type: command, command: ./bell.sh}\n---\ntext\n"
	c, want := Convert("claude", "cursor", skill), Convert("claude", "cursor", guard)
	if c.Text != want.Text || c.Hooks != 2 || len(c.Findings) != 1 || c.Findings[0].Line < 8 {
		t.Errorf("%+v, want %s", c, want.Text)
	}
	if got := AgentOf(skill); got != "claude" {
		t.Errorf("a skill is taken for %q", got)
	}
	if c := Convert("claude", "cursor", "---\nname: x\n---\n"); c.Text != "" || len(c.Findings) != 1 {
		t.Errorf("a skill without hooks: %+v", c)
	}
}

// TestBetterThan checks that another agent is named only if it reads more of the text than the chosen one.
func TestBetterThan(t *testing.T) {
	cursor := Convert("claude", "cursor", guard).Text
	for _, test := range []struct{ chosen, text, want string }{
		{"claude", guard, ""}, {"claude", cursor, "cursor"}, {"cursor", guard, "claude"}, {"cursor@2.4", cursor, ""},
		{"claude", "no hooks", ""}, {"clod", guard, ""},
	} {
		if got := BetterThan(test.chosen, test.text); got != test.want {
			t.Errorf("%s chosen for %.30s: %q, want %q", test.chosen, test.text, got, test.want)
		}
	}
}

// TestSame checks that a file of the same agent comes back unchanged, with its findings.
func TestSame(t *testing.T) {
	text := strings.Replace(guard, "Notification", "Notify", 1)
	if c := Convert("claude", "claude", text); c.Text != text || len(c.Findings) == 0 {
		t.Errorf("%+v", c)
	}
}

func TestAgentOf(t *testing.T) {
	for _, from := range []string{"claude", "cursor", "copilot"} {
		if got := AgentOf(Convert("claude", from, guard).Text); got != from {
			t.Errorf("%s is taken for %q", from, got)
		}
	}
	if got := AgentOf("no hooks"); got != "" {
		t.Errorf("text is taken for %s", got)
	}
}

// TestExcerpt checks that a long text has the same agent as a short one of its kind, and that it is found in a fraction
// of the text.
func TestExcerpt(t *testing.T) {
	hook := `{"matcher": "Bash", "hooks": [{"type": "command", "command": "./guard.sh"}]},`
	long := `{"hooks": {"PreToolUse": [` + strings.Repeat(hook+"\n", 2000)
	long = strings.TrimSuffix(long, ",\n") + `]}} // the end`
	for _, from := range []string{"claude", "cursor", "copilot", "gemini"} {
		text := long
		if from != "claude" {
			text = Convert("claude", from, strings.ReplaceAll(guard, "guard.sh", strings.Repeat("g", 40<<10))).Text
		}
		if got := AgentOf(text); got != from {
			t.Errorf("%s is taken for %q", from, got)
		}
	}
	if short := excerpt([]byte(long)); len(short) > longText || !strings.Contains(string(short), "guard.sh") {
		t.Errorf("%d bytes of %d", len(short), len(long))
	}
	if text := "[hooks]\n" + strings.Repeat("# no JSON\n", 5000); string(excerpt([]byte(text))) != text {
		t.Error("a text that isn't JSON is changed")
	}
}

func TestCallOf(t *testing.T) {
	ran := func(line string) (hooks int) {
		outcomes := CallOf("claude", guard, line)
		if outcomes.Error != "" || len(outcomes.Agents) != len(adapter.Dialects()) {
			t.Fatalf("%s: %+v", line, outcomes)
		}
		for _, a := range outcomes.Agents {
			hooks += len(a.Hooks)
		}
		return hooks
	}
	if n, all := ran(`shell "rm -rf /"`), len(adapter.Dialects()); n != all {
		t.Errorf("the guard runs in %d of %d agents", n, all)
	}
	if n := ran(`write notes.txt hi`); n != 0 {
		t.Errorf("the guard on commands runs %d times for a write", n)
	}
	if CallOf("claude", guard, "shel x").Error == "" || CallOf("clod", guard, "stop").Error == "" {
		t.Error("a mistake isn't reported")
	}
}

func TestMatrix(t *testing.T) {
	pairs := map[string]bool{}
	for _, r := range Matrix() {
		pairs[r.From+" "+r.To] = true
		if r.Support == "none" != (len(r.SentBy) == 0) || len(r.Sources) == 0 {
			t.Errorf("%+v", r)
		}
	}
	if n := len(adapter.Dialects()); len(pairs) != n*(n-1) || len(Agents()) != n {
		t.Errorf("%d pairs of %d agents", len(pairs), n)
	}
}
