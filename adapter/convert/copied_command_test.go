package convert

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// TestCopiedCommands: a copied command finds the same folders under the target or is reported, for all pairs, all
// variables that an agent sets, and all places.
func TestCopiedCommands(t *testing.T) {
	sources := []schema.Source{
		{Scope: schema.ScopeProject}, {Scope: schema.ScopeUser}, {Scope: schema.ScopePlugin, Plugin: "/plug"},
		{Scope: schema.ScopeManaged, File: "/etc/agent/hooks.json"},
	}
	for _, from := range adapter.WithHooks() {
		for _, to := range adapter.Dialects() {
			for _, at := range sources {
				if from.Profile().Name == to.Profile().Name {
					continue
				}
				row := from.Profile().Generic(schema.PreTool)
				base := schema.Hook{Event: schema.PreTool, Native: row, Handler: schema.HandlerCommand, Command: "true",
					Source: at}
				before, err := surroundings(from, &base)
				if err != nil {
					t.Fatal(err)
				}
				there := at
				there.Plugin = ""
				if there.Scope != schema.ScopeUser {
					there.Scope = schema.ScopeProject
				}
				commands := []string{"./hooks/x", "python3 hooks/x.py", "true && ./x; ../y a"}
				for _, v := range before.vars {
					if commands = append(commands, "echo $"+v.Name); filepath.IsAbs(v.Value) {
						commands = append(commands, `"${`+v.Name+`}"/x`)
					}
				}
				for _, command := range commands {
					h := base
					h.Command = command
					old, err := surroundings(from, &h)
					if err != nil {
						continue
					}
					out, problems := copied(from, to, &h, there)
					if len(problems) > 0 {
						continue
					}
					out.Source = there
					now, err := surroundings(to, &out)
					if err != nil {
						t.Errorf("%s to %s, %s: %s: %v", from.Profile().Name, to.Profile().Name, at.Scope, command, err)
						continue
					}
					if a, b := seen(&old, old.text), seen(&now, out.Command); a != b {
						t.Errorf("%s to %s, %s: %s becomes %s: %s, was %s", from.Profile().Name, to.Profile().Name,
							at.Scope, command, out.Command, b, a)
					}
				}
			}
		}
	}
}

// seen returns a command with variables filled in and relative paths made absolute.
func seen(s *surrounding, command string) string {
	text := strings.NewReplacer(`"`, "", "${HOME}", anyHome).Replace(s.expand(command))
	dir := s.dir
	if dir == anyCwd {
		dir = anyProject
	}
	for _, p := range shell.RelativePaths(text) {
		text, _ = replaceWord(text, p, dir+"/"+strings.TrimPrefix(p, "./"))
	}
	return text
}

func TestCopiedCommandForms(t *testing.T) {
	find := func(name string) dialect.Dialect { d, _ := adapter.Find(name); return d }
	plugin := schema.Source{Scope: schema.ScopePlugin, Plugin: "/plug"}
	user := schema.Source{Scope: schema.ScopeUser}
	for _, tt := range []struct {
		from, to     string
		at           schema.Source
		command      string
		want         string // "" if it is reported
		becomesScope schema.Scope
	}{
		{"qoder", "claude", plugin, `"${QODER_PLUGIN_ROOT}"/x.sh`, `"/plug"/x.sh`, 0},
		{"qoder", "claude", plugin, `${CLAUDE_PLUGIN_ROOT}/x.sh`, `/plug/x.sh`, 0},
		{"qoder", "claude", plugin, `bash -c 'exec $QODER_PLUGIN_ROOT/x.sh'`, `bash -c 'exec /plug/x.sh'`, 0},
		{"qoder", "claude", plugin, `python3 -c 'import os; os.environ["QODER_PLUGIN_ROOT"]'`, "", 0},
		{"qoder", "claude", plugin, `"${QODER_PLUGIN_ROOT:-/x}"/x.sh`, "", 0},
		{"codex", "claude", schema.Source{Scope: schema.ScopeProject}, `${CLAUDE_PLUGIN_ROOT}/x.sh`, "", 0},
		{"qoder", "claude", schema.Source{Scope: schema.ScopeProject}, `$QODER_PROJECT_DIR/x.sh`,
			`${CLAUDE_PROJECT_DIR}/x.sh`, 0},
		{"qoder", "cursor", schema.Source{Scope: schema.ScopeProject}, `$CLAUDE_PROJECT_DIR/x.sh`,
			`$CLAUDE_PROJECT_DIR/x.sh`, 0},
		{"cursor", "claude", user, "./hooks/x a", `"${HOME}/.cursor"/hooks/x a`, schema.ScopeUser},
		{"cursor", "claude", user, `"./hooks/x"`, "", schema.ScopeUser},
		{"cursor", "claude", schema.Source{Scope: schema.ScopeProject}, "./hooks/x | sed s/a/b/",
			`"${CLAUDE_PROJECT_DIR}"/hooks/x | sed s/a/b/`, 0},
		{"claude", "cursor", user, "./x", `"${CURSOR_PROJECT_DIR}"/x`, schema.ScopeUser},
		{"claude", "cursor", schema.Source{Scope: schema.ScopeProject}, "./x", "./x", 0},
		{"codex", "claude", schema.Source{Scope: schema.ScopeProject}, "./x", `"${CLAUDE_PROJECT_DIR}"/x`, 0},
		{"codex", "codex", schema.Source{Scope: schema.ScopeProject}, "./x", "./x", 0},
		{"claude", "codex", schema.Source{Scope: schema.ScopeProject}, "./x", "./x", 0},
		{"claude", "codex", schema.Source{Scope: schema.ScopeProject}, "$CLAUDE_PROJECT_DIR/x", "", 0},
	} {
		h := schema.Hook{Event: schema.PreTool, Native: find(tt.from).Profile().Generic(schema.PreTool),
			Handler: schema.HandlerCommand, Command: tt.command, Source: tt.at}
		to := schema.Source{Scope: max(tt.becomesScope, schema.ScopeProject)}
		if tt.becomesScope != 0 {
			to.Scope = tt.becomesScope
		}
		out, problems := copied(find(tt.from), find(tt.to), &h, to)
		if tt.want == "" && len(problems) == 0 || tt.want != "" && (out.Command != tt.want || len(problems) > 0) {
			t.Errorf("%s to %s: %s: %s %q, want %s", tt.from, tt.to, tt.command, out.Command, problems, tt.want)
		}
	}
}

// TestPointersResolve checks that a finding about the matcher of a hook without one points to the hook.
func TestPointersResolve(t *testing.T) {
	from, _ := adapter.Find("claude")
	text := []byte(`{"hooks":{"PreCompact":[{"hooks":[{"type":"command","command":"x"}]},{"matcher":"",` +
		`"hooks":[{"type":"command","command":"y"}]}]}}`)
	cfg, _ := from.ParseConfig(text, schema.Source{File: "settings.json", Scope: schema.ScopeProject})
	for _, to := range adapter.Dialects() {
		if to.Profile().Name == "claude" {
			continue
		}
		for _, d := range Convert(from, to, cfg, ConvertOptions{}).Diagnostics {
			if strings.HasSuffix(d.Path, "matcher") && d.Path != "/hooks/PreCompact/1/matcher" {
				t.Errorf("to %s: %s %s isn't in the file", to.Profile().Name, d.Code, d.Path)
			}
		}
	}
}
