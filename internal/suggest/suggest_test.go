package suggest

import "testing"

func TestNearest(t *testing.T) {
	events := []string{"PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionStart"}
	for _, c := range []struct {
		word, want string
		list       []string
	}{
		{"pretooluse", "PreToolUse", events},
		{"pre-tool-use", "PreToolUse", events},
		{"PreTolUse", "PreToolUse", events},
		{"PostToolUes", "PostToolUse", events},
		{"SesionStart", "SessionStart", events},
		{"Session", "SessionStart", events},
		{"Lunch", "", events},
		{"x", "", events},
		{"", "", events},
		{"isntall", "install", []string{"run", "install", "uninstall"}},
		{"frob", "", []string{"run", "install", "fire"}},
		{"hots", "host", []string{"hooks", "host", "home"}},
		{"foo", "", []string{"log", "fire"}},
		{"xml", "", []string{"table", "html"}},
		{"usr", "user", []string{"project", "user"}},
		{"stpo", "stop", []string{"stop", "setup"}},
		{"HB24", "HB204", []string{"HB001", "HB204", "HB301"}},
	} {
		if got := Nearest(c.word, c.list); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.word, got, c.want)
		}
	}
	if q := Question("stpo", []string{"stop"}); q != "; did you mean stop?" {
		t.Error(q)
	}
	if q := Question("frob", []string{"stop"}); q != "" {
		t.Error(q)
	}
}
