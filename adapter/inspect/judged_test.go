package inspect

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// oddMatchers are matchers as people write them; SHELL and WRITE are placeholders for an agent's own names.
var oddMatchers = []string{
	"SHELL", "SHELL ", " SHELL", "SHELL|WRITE", "SHELL, WRITE", "SHELL | WRITE", "^SHELL$", "SHELL*", "SHELL.*",
	".*SHELL", "*SHELL", "SHELL$", "/SHELL/", "/^SHELL$/i", "(?i)SHELL", "SHELL()", "SHELL(*)", "SHELL(git *)",
	"^(SHELL|WRITE)$", "(SHELL)", "!SHELL", "^(?!SHELL).*$", `"SHELL"`, "'SHELL'", "`SHELL`", "SHELL:", "SHELL:*",
	"tool:SHELL", "tools/SHELL", "**", ".*", ".", "*", "?", "+", "[", "(", ")", "SHELL;WRITE", `SHELL\`, "SHELL\n",
	"\tSHELL", "SHELL and WRITE", "SHELL&WRITE", "{SHELL,WRITE}", `["SHELL"]`, "$SHELL", "${SHELL}", "true",
	"null", "all", "any", "none", "Bash", "bash", "Shell", "shell", "run_shell_command", "rm -rf", "git push",
	`\bBash\b`, `Bash\(git`, "Bas[h]", "B(as)h", "Bash{1}", "Bashh?", "^.*Bash.*$", "(Bash|Nope)", "Nope",
	"^Nope$",
}

// TestJudged checks that the findings of check match the simulated agent. If the agent runs the hook for none of its
// tools, there is a finding. If it runs the hook, no finding claims that it never runs.
func TestJudged(t *testing.T) {
	tried := 0
	for _, d := range adapter.Dialects() {
		row, own := d.Profile().Row(d.Profile().Generic(schema.PreTool)), d.Profile().ToolOfKind(schema.Shell)
		if row == nil || row.Match != schema.MatchTool || own == nil {
			continue
		}
		write := own
		if w := d.Profile().ToolOfKind(schema.Write); w != nil {
			write = w
		}
		for _, odd := range oddMatchers {
			text := guardFile(d, schema.Hook{HasMatcher: true,
				Matcher: strings.NewReplacer("SHELL", own.Name, "WRITE", write.Name).Replace(odd)})
			cfg, ds := d.ParseConfig(text, d.Given("x.json"))
			if cfg == nil || len(cfg.Hooks) != 1 {
				continue // the agent itself rejects the file
			}
			h := &cfg.Hooks[0]
			names := vocabularyOf(d).toolNames()
			m, err := d.Profile().Matcher(h)
			plain := err == nil && slices.ContainsFunc(names, func(name string) bool { return m.Match(name) })
			runs := slices.ContainsFunc(d.Profile().Tools, func(t schema.ToolRow) bool {
				return answers(d, h, t.Name, "git push x")
			})

			tried++
			found := Check(d, cfg, text, ds, schema.Places{})
			about := func(least schema.Severity) bool {
				return slices.ContainsFunc(found, func(f schema.Diagnostic) bool {
					return f.Code != schema.CodeNotStarted && f.Severity >= least
				})
			}
			alone := len(alternatives(h.Matcher)) == 1 && !strings.ContainsAny(h.Matcher, ", ")
			switch {
			case !runs && !plain && !about(schema.Note):
				t.Errorf("%s: %q runs for no tool, and nothing is said", d.Profile().Name, h.Matcher)
			case runs && alone && about(schema.Weaker) && m.Match(own.Name):
				t.Errorf("%s: %q runs, and is said not to: %v", d.Profile().Name, h.Matcher, found)
			}
		}
	}
	if tried < 500 {
		t.Errorf("only %d matchers were tried", tried)
	}
}

// TestFaultOfGroup: a group's condition that its agent can't read is a fault of the group's hooks, not a separate one
// next to working hooks.
func TestFaultOfGroup(t *testing.T) {
	d, err := adapter.Find("droid")
	if err != nil {
		t.Fatal(err)
	}
	p := schema.Places{OS: "linux", Project: t.TempDir(), Home: t.TempDir(),
		Env: schema.Environ{"PATH=/usr/bin:/bin"}}
	file := filepath.Join(p.Project, ".factory", "hooks.json")
	text := `{"PreToolUse":[{"matcher":"Execute","commandRegex":"[","hooks":[{"type":"command","command":"true"}]}]}`
	err = os.MkdirAll(filepath.Dir(file), 0o755)
	if err = errors.Join(err, os.WriteFile(file, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
	found := Examine(d, p, Examined{Hooks: "droid"})
	if len(found) != 1 || found[0].Hook == nil || found[0].Status() != Never {
		t.Errorf("%+v", found)
	}
}
