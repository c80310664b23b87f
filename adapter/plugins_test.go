package adapter_test

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// The hooks of the files below: g before a tool, p after it. PRE and POST stand for the agent's events.
const (
	pluginGuard = `{"hooks":[{"type":"command","command":"g"}]}`
	pluginPost  = `"POST":[{"hooks":[{"type":"command","command":"p"}]}]`
)

// TestPluginFiles checks which hooks of a plugin's file run if it has a mistake. Each row was played in the real
// client: Claude Code 2.1.328, Codex 0.169.0, Copilot 1.0.102, Gemini CLI 0.61.0, Qoder 1.1.52, Qwen Code 0.24.4, Droid
// 0.225.2, Kimi Code 2.1.0.
func TestPluginFiles(t *testing.T) {
	pre := func(list string) string { return `{"hooks":{"PRE":` + list + `,` + pluginPost + `}}` }
	handler := func(h string) string { return pre(`[{"hooks":[` + h + `,{"type":"command","command":"g"}]}]`) }
	matcher := func(m string) string {
		return pre(`[{"matcher":` + m + `,"hooks":[{"type":"command","command":"m"}]},` + pluginGuard + `]`)
	}
	const whole = `"hooks":{"PRE":[` + pluginGuard + `],` + pluginPost + `}}`
	rows := map[string]map[string]string{}
	for _, row := range []struct{ text, want string }{ // claude codex copilot gemini qoder qwen droid
		{`{` + whole, "gp gp gp gp gp gp gp"},
		{`{"PRE":[` + pluginGuard + `]}`, "- - - - - g g"},
		{`{"PRE":[` + pluginGuard + `],"hooks":{` + pluginPost + `}}`, "- - p p p p p"},
		{pre(`[{"type":"command","command":"g"}]`), "- p gp p p p gp"},
		{handler(`{"command":"n"}`), "- - ngp gp gp gp ngp"},
		{handler(`{"type":"bogus","command":"n"}`), "- - - gp gp gp ngp"},
		{handler(`{"type":5,"command":"n"}`), "- - - gp gp gp ngp"},
		{handler(`{"type":"command"}`), "- - - gp gp gp gp"},
		{handler(`{"type":"command","command":""}`), "gp gp gp gp gp gp gp"},
		{handler(`{"type":"command","command":"t","async":"x"}`), "- - tgp tgp tgp ? tgp"},
		{handler(`{"type":"command","command":"t","args":[5]}`), "- tgp - tgp gp tgp tgp"},
		{handler(`{"type":"command","command":"t","shell":5}`), "- tgp tgp tgp tgp tgp tgp"},
		{handler(`{"type":"command","command":"t","env":5}`), "tgp tgp - tgp tgp tgp tgp"},
		{handler(`{"type":"command","command":"t","timeout":1e10}`), "tgp - tgp tgp tgp tgp tgp"},
		{handler(`7`), "- - - gp gp gp gp"},
		{matcher(`null`), "- mgp mgp mgp mgp mgp mgp"},
		{matcher(`""`), "mgp mgp - mgp mgp mgp mgp"},
		{pre(pluginGuard), "- - p p - p p"},
		{pre(`"x"`), "- - p p - p p"},
		{`{"hooks":{"PRE":[` + pluginGuard + `],"POST":"x"}}`, "g - g g - g g"},
		{"// c\n{" + whole, "- - - - - - -"},
		{"\ufeff{" + whole, "- - - - - - -"},
		{`{"hooks":{"PRE":[` + pluginGuard + `]},"hooks":{` + pluginPost + `}}`, "p - p p p p p"},
		{`{"disableAllHooks":"x",` + whole, "gp - - gp gp gp gp"},
		{`{"version":2,` + whole, "gp - - gp gp gp gp"},
		{`{"allowedHttpHookUrls":5,` + whole, "gp - gp gp gp gp gp"},
	} {
		agents := []string{"claude", "codex", "copilot", "gemini", "qoder", "qwen", "droid"}
		for i, want := range strings.Fields(row.want) {
			if rows[agents[i]] == nil {
				rows[agents[i]] = map[string]string{}
			}
			if want != "?" { // where hookbridge doesn't follow
				rows[agents[i]][row.text] = strings.Trim(want, "-")
			}
		}
	}
	for agent, texts := range rows {
		events := strings.NewReplacer("PRE", "PreToolUse", "POST", "PostToolUse")
		if agent == "gemini" {
			events = strings.NewReplacer("PRE", "BeforeTool", "POST", "AfterTool")
		}
		for text, want := range texts {
			if got := pluginHooks(t, agent, "hooks/hooks.json", events.Replace(text)); got != want {
				t.Errorf("%s: %s: %q, want %q", agent, text, got, want)
			}
		}
	}
	const g, p = `{"event":"PreToolUse","command":"g"}`, `{"event":"PostToolUse","command":"p"}`
	for _, bad := range []string{`{"event":"PreToolUse","command":"x","type":"command"}`,
		`{"event":"Bogus","command":"x"}`,
		`{"event":"PreToolUse","command":"x","timeout":"5"}`, `{"event":"PreToolUse","command":"x","timeout":601}`,
		`{"event":"PreToolUse","command":"x","matcher":5}`, `{"event":"PreToolUse","command":""}`,
		`{"event":"PreToolUse"}`, `{"command":"x"}`, `7`, `null`, `{}`} {
		text := `{"name":"x","hooks":[` + bad + `,` + g + `,` + p + `]}`
		if got := pluginHooks(t, "kimi", ".kimi-plugin/plugin.json", text); got != "gp" {
			t.Errorf("kimi: %s: %q", bad, got)
		}
	}
}

func pluginHooks(t *testing.T, agent, file, text string) (ran string) {
	d, err := adapter.Find(agent)
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.FromSlash("/p")
	cfg, _ := d.ParseConfig([]byte(text), schema.Source{File: filepath.Join(root, filepath.FromSlash(file)),
		Scope: schema.ScopePlugin, Plugin: root})
	if cfg = cfg.AsKnown(); cfg == nil {
		return ""
	}
	for _, h := range cfg.Hooks {
		ran += h.Command
	}
	return ran
}

// TestSettings checks mistakes in settings that were played in addition to those in plugins' files.
func TestSettings(t *testing.T) {
	whole := strings.ReplaceAll(`"hooks":{"PreToolUse":[`+pluginGuard+`],`+pluginPost+`}}`, "POST", "PostToolUse")
	empty := `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":""}]},` + pluginGuard + `]}}`
	for _, row := range []struct{ agent, file, text, want string }{
		{"claude", ".claude/settings.json", `{"PreToolUse":[` + pluginGuard + `],` + whole, ""},
		{"claude", ".claude/settings.json", `{"PreToolUse":[],` + whole, "gp"},
		{"claude", ".claude/settings.json", `{"Stop":[` + pluginGuard + `],` + whole, "gp"},
		{"droid", ".factory/settings.json", "// c\n{" + whole, "gp"},
		{"droid", ".factory/settings.json", "\ufeff{" + whole, ""},
		{"droid", ".factory/hooks.json", `{/**/"PreToolUse":[],"PreToolUse":[` + pluginGuard + `]}`, "g"},
		{"copilot", ".github/copilot/settings.json", `{"hooks":{"PreToolUse":[` + pluginGuard + `],"Stop":5}}`,
			"g"},
		{"copilot", ".github/copilot/settings.json", empty, "g"},
		{"copilot", ".github/copilot/settings.json", `{"disableAllHooks":"x",` + whole, ""},
		{"copilot", ".github/hooks/h.json", `{"hooks":{"PreToolUse":[` + pluginGuard + `],"Stop":5}}`, "g"},
		{"copilot", ".github/hooks/h.json", `{"disableAllHooks":"x",` + whole, ""},
		{"qwen", ".qwen/settings.json",
			strings.ReplaceAll(`{`+whole, `"g"`, `"g","shell":"zsh","statusMessage":5`), "gp"},
	} {
		d, err := adapter.Find(row.agent)
		if err != nil {
			t.Fatal(err)
		}
		cfg, _ := d.ParseConfig([]byte(row.text), schema.Source{File: "/p/" + row.file,
			Scope: schema.ScopeProject})
		got := ""
		for _, h := range cfg.Hooks {
			got += h.Command
		}
		if got != row.want {
			t.Errorf("%s: %s: %q, want %q", row.file, row.text, got, row.want)
		}
	}
	for timeout, short := range map[string]bool{"5": false, "2147479": false, "2147480": true, "1e10": true,
		"0": true} {
		d, err := adapter.Find("qoder")
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(`{`+whole, `"g"`, `"g","timeout":`+timeout)
		cfg, _ := d.ParseConfig([]byte(text), schema.Source{File: "/p/.qoder/settings.json",
			Scope: schema.ScopeProject})
		if got := cfg.Hooks[0].Timeout == 1; got != short {
			t.Errorf("qoder: timeout %s: %v", timeout, cfg.Hooks[0].Timeout)
		}
	}
}

// TestPluginManifests checks which files of a plugin are read, depending on its manifest; a.json and b.json exist, and
// hooks/hooks.json, here d. Each row was played in the clients of TestPluginFiles.
func TestPluginManifests(t *testing.T) {
	manifests := map[string]string{"claude": ".claude-plugin/plugin.json", "codex": ".codex-plugin/plugin.json",
		"copilot": ".github/plugin/plugin.json", "qoder": ".qoder-plugin/plugin.json", "qwen": "qwen-extension.json",
		"gemini": "gemini-extension.json", "droid": ".factory-plugin/plugin.json"}
	const named = `{"name":"x","version":"1",`
	for _, row := range []struct{ manifest, want string }{ // claude codex copilot qoder qwen gemini droid
		{named + `"x":1}`, "d d d d d d d"},
		{named + `"hooks":"./a.json"}`, "da a a a a d d"},
		{named + `"hooks":"a.json"}`, "- d a - a d d"},
		{named + `"hooks":"./none.json"}`, "dn n d n d d d"},
		{named + `"hooks":["./a.json","./b.json"]}`, "dab ab d ab - d d"},
		{named + `"hooks":5}`, "- d d - - d d"},
		{named + `"hooks":{}}`, "dm m m m m d d"},
		{named + `"hooks":{"PreToolUse":[]}}`, "dm d m m m d d"},
		{named + `"hooks":{"hooks":{"PreToolUse":[]}}}`, "- m - - - d d"},
		{`{"version":"1"}`, "- d d - - - d"},
		{"\ufeff" + named + `"x":1}`, "d d d d d d d"},
		{`{`, "- - d - - - -"},
	} {
		for i, agent := range []string{"claude", "codex", "copilot", "qoder", "qwen", "gemini", "droid"} {
			want := strings.Trim(strings.Fields(row.want)[i], "-")
			read := func(file string) ([]byte, error) {
				switch rel, _ := filepath.Rel(filepath.FromSlash("/p"), file); filepath.ToSlash(rel) {
				case manifests[agent]:
					return []byte(row.manifest), nil
				case "a.json", "b.json", "hooks/hooks.json":
					return []byte(`{}`), nil
				}
				return nil, fs.ErrNotExist
			}
			d, err := adapter.Find(agent)
			if err != nil {
				t.Fatal(err)
			}
			files, _ := d.Profile().Plugins.Files(filepath.FromSlash("/p"), read)
			var got string
			for _, f := range files {
				i := slices.Index([]string{"a", "b", "none"}, strings.TrimSuffix(filepath.Base(f.File), ".json"))
				switch {
				case f.Text != nil:
					got += "m"
				case i >= 0:
					got += "abn"[i : i+1]
				default:
					got += "d"
				}
			}
			if got != want {
				t.Errorf("%s: %s: %q, want %q", agent, row.manifest, got, want)
			}
		}
	}
}
