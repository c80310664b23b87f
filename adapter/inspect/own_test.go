package inspect_test

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// conditions are suffixes that people write after the name of a tool.
var conditions = []string{"NAME", "NAME(*)", "NAME(git *)", "NAME(git:*)", "NAME(rm|git push)", "NAME(/git/)",
	"NAME(**/*.txt)", "NAME(src/**)", "NAME(./example.txt)", "NAME(*.{txt,md})", "Nope(*)", "Nope", "NAME(",
	"NAME(^git)", "NAME (git *)", "NAME(git *) || NAME(rm *)"}

// TestDoctorAgreesWithOwnAgent checks the same for hooks under their own agent: doctor's findings about a matcher and a
// condition match the simulated agent, for the calls that they may be meant for.
func TestDoctorAgreesWithOwnAgent(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip(err)
	}
	each := int64(5)
	if testing.Short() {
		each = 1
	}
	for i, d := range adapter.WithHooks() {
		for seed := int64(i) << 16; seed < int64(i)<<16+each; seed++ {
			agreeOwn(t, rand.New(rand.NewSource(seed)), fmt.Sprintf("seed %d: %s", seed, d.Profile().Name), d)
		}
	}
}

func agreeOwn(t *testing.T, r *rand.Rand, label string, d dialect.Dialect) {
	dir := t.TempDir()
	places := schema.Places{OS: "linux", Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "project"),
		Env: schema.Environ{"PATH=" + othersPath(), "HOME=" + filepath.Join(dir, "home"), "SHELL=/bin/sh"}}
	write(t, filepath.Join(places.Project, "example.txt"), "hello\n")
	hooks := randomHooks(r, d)
	for i := range hooks {
		h := &hooks[i]
		if !h.Event.IsTool() {
			continue
		}
		if r.Intn(3) == 0 { // any agent's tool
			all := adapter.WithHooks()
			tools := all[r.Intn(len(all))].Profile().Tools
			h.Matcher, h.HasMatcher = tools[r.Intn(len(tools))].Name, true
		}
		if d.Abilities().Conditions != nil && r.Intn(2) == 0 {
			tools := slices.DeleteFunc(slices.Clone(d.Profile().Tools), func(row schema.ToolRow) bool {
				k := append(row.Kinds, schema.Other)[0] // conditions on other tools aren't checked
				return k != schema.Shell && k != schema.Read && !k.ChangesFile()
			})
			name := tools[r.Intn(len(tools))].Name
			h.Condition = strings.ReplaceAll(conditions[r.Intn(len(conditions))], "NAME", name)
			h.HasCondition = true
		}
	}
	own := writeHooks(t, d, anyFile(r, d, places), hooks)
	host := &simulate.Host{Dialect: d, Places: places, Imports: simulate.ImportsOff,
		Machine: bridge.Machine{OS: "linux", Env: places.Env, Dir: places.Project, Home: places.Home, TempDir: dir,
			Now: time.Now}}
	for _, f := range inspect.Examine(d, places, inspect.Examined{Hooks: d.Profile().Name,
		Imports: simulate.ImportsOff}) {
		if f.Hook == nil || len(own) == 0 {
			continue
		}
		times, out := plays(t, host, f.Hook, ownActions(d, f.Hook))
		// Nope may be a new tool's name
		unknown := f.Status() == inspect.Never && strings.Contains(f.Hook.Matcher, "Nope")
		if never := f.Status() == inspect.Never; times > 0 == never && !unknown {
			t.Errorf("%s: doctor says %s %v of %s %q %q, the simulation says ran=%v\n%s", label, f.Status(), f.Problems,
				f.Hook.Native, f.Hook.Matcher, f.Hook.Condition, times > 0, out)
		}
	}
}

// ownActions returns calls of all tools of an agent and of the tools that a hook names.
func ownActions(d dialect.Dialect, h *schema.Hook) (actions []simulate.Action) {
	condition := strings.NewReplacer("**/", "", "*", "x", "{txt,md}", "md", ")", "", "^", "").Replace(h.Condition)
	_, meant, _ := strings.Cut(condition, "(")
	if !h.Event.IsTool() {
		return []simulate.Action{{Event: h.Event}}
	}
	names := slices.Clone(d.Profile().PlainTools)
	for i := range d.Profile().Tools {
		if row := &d.Profile().Tools[i]; d.Profile().HasTool(row) {
			names = append(names, row.Name)
		}
	}
	named := func(text string) []string {
		return strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune("|,^$()/*.!? ", c) })
	}
	for _, name := range named(h.Matcher) { // another agent's tool isn't called in this one
		has := func(d dialect.Dialect) bool { return d.Profile().Tool(name) != nil }
		if !slices.ContainsFunc(adapter.Dialects(), has) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		a := simulate.Action{Event: schema.PreTool, Tool: name}
		row := d.Profile().Tool(name)
		if row == nil {
			a.Input = []byte("{}")
		}
		actions = append(actions, a)
		if row == nil {
			continue
		}
		for _, x := range row.Input {
			subjects := map[schema.Role][]string{schema.RoleCommand: {"git status", "git push origin", "rm x", meant},
				schema.RolePath: {"example.txt", "src/a.go", "a.md", meant}, schema.RolePattern: {meant}}[x.Role]
			for _, s := range subjects {
				input := append(ordjson.AppendString([]byte("{"), x.Name), ':')
				a.Input = append(ordjson.AppendString(input, s), '}')
				actions = append(actions, a)
			}
		}
	}
	actions = append(actions, simulate.Action{Event: schema.PreTool, Tool: "search", Server: "s", Input: []byte("{}")})
	for _, a := range slices.Clone(actions) {
		for _, part := range []schema.Event{schema.PostTool, schema.PostToolFailure} {
			if h.Event == schema.PostTool && d.Profile().Generic(part) != "" {
				a.Part = part
				actions = append(actions, a)
			}
		}
	}
	return actions
}
