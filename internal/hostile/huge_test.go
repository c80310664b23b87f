//go:build linux

package hostile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// hugeTexts are files that a repository may contain, as JSON and as TOML: over the limit and within it.
func hugeTexts() map[string][2]string {
	fields := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	numbers := strings.Repeat("1,", 7<<20)
	return map[string][2]string{
		"many fields":     {"{" + fields(100_000, `"k%d":1,`) + `"z":1}`, fields(100_000, "k%d = 1\n")},
		"fewer fields":    {"{" + fields(60_000, `"k%d":1,`) + `"z":1}`, fields(60_000, "k%d = 1\n")},
		"numbers":         {`{"x":[` + numbers + `1]}`, "x = [" + numbers + "1]\n"},
		"tables":          {`{"hooks":{` + fields(40_000, `"e%d":[],`) + `"z":[]}}`, fields(60_000, "[k%d]\n")},
		"larger than any": {strings.Repeat(" ", 17<<20) + "{}", strings.Repeat("\n", 17<<20)},
		"servers and plugins": {`{"mcpServers":{` + fields(30_000, `"s%d":{},`) + `"z":{}},"enabledPlugins":{` +
			fields(30_000, `"p%d@m":true,`) + `"z@m":true}}`, fields(30_000, "[mcp_servers.s%d]\n")},
	}
}

// TestHugeProject fills every file of a project that an agent would load, in a project that was never trusted: the
// user's own guard answers, in every host.
func TestHugeProject(t *testing.T) {
	texts := hugeTexts()
	hosts := adapter.Dialects()
	for at, d := range adapter.Dialects() {
		if d.Profile().HostOnly != "" {
			continue
		}
		for name, text := range texts {
			for i, host := range hosts {
				few := i != (at+1)%len(hosts)
				short := few && !long() || testing.Short() && name != "many fields"
				if short || host.Profile().Name == d.Profile().Name {
					continue
				}
				p := newPlace(t)
				if !p.ownGuard(t, d) {
					continue
				}
				if n := p.fill(t, d, host, text); n == 0 {
					continue
				}

				row := rowFor(host, schema.PreTool)
				o := p.run(t, p.payload(t, host, row, "s1", "rm -rf x"), "run", "--host", host.Profile().Name,
					"--hooks", d.Profile().Name, "--require-trust", "--scope", "user", "--home", p.in("home"),
					"--project", p.in("project"))
				_, err := os.Stat(p.in("asked"))
				if o.exit != 0 || !denies(host, row, o.stdout) || err != nil {
					t.Errorf("%s in %s, %s: %v", d.Profile().Name, host.Profile().Name, name, o)
				}
			}
		}
	}
}

// ownGuard writes a guard into the user's own hook file, if the agent has one. The guard creates a file when it runs.
func (p *place) ownGuard(t *testing.T, d adapter.Dialect) bool {
	guard := schema.Hook{Command: "echo >" + p.in("asked") + "; echo own guard >&2; exit 2"}
	text, err := os.ReadFile(p.config(t, d, schema.PreTool, guard))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range d.Locate(p.places()) {
		if s.Scope != schema.ScopeUser || s.Folder || filepath.Ext(s.File) != ".json" {
			continue
		}
		if cfg, _ := d.ParseConfig(text, s); cfg != nil && len(cfg.Hooks) > 0 {
			file, _ := filepath.Rel(p.dir, s.File)
			p.put(t, file, string(text), 0o600)
			return true
		}
	}
	return false
}

// fill writes a text into each file of the project that one of the agents would load, and counts them.
func (p *place) fill(t *testing.T, a, b adapter.Dialect, text [2]string) (n int) {
	for _, d := range []adapter.Dialect{a, b} {
		for _, s := range d.Locate(p.places()) {
			if !s.OfProject() {
				continue
			}
			if s.Folder {
				s.File = filepath.Join(s.File, "huge.json")
			}
			file, _ := filepath.Rel(p.dir, s.File)
			what := text[0]
			if filepath.Ext(file) == ".toml" {
				what = text[1]
			}
			p.put(t, file, what, 0o600)
			n++
		}
	}
	return n
}

func (p *place) places() schema.Places {
	return schema.Places{OS: "linux", Home: p.in("home"), Project: p.in("project"), Env: p.env}
}

// TestSessionLocked locks a session's files, as a process that hangs may do: no call passes, and an ask that can't be
// saved is a denial.
func TestSessionLocked(t *testing.T) {
	host := dialect(t, "cursor")
	row := rowFor(host, schema.PreTool)
	for _, c := range []struct{ answer, flag string }{
		{"echo no >&2; exit 2", "--ask=deny"},
		{`printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}'`, "--ask=relay"},
	} {
		p := newPlace(t)
		args := []string{"run", "--host", "cursor", "--hooks", "claude", c.flag, "-c", c.answer}
		stdin := p.payload(t, host, row, "s1", "rm x")
		p.run(t, stdin, args...) // makes the session's files

		locks, err := filepath.Glob(filepath.Join(p.in("state"), "*.lock"))
		if err != nil || len(locks) == 0 && c.flag == "--ask=relay" {
			t.Fatal(locks, err)
		}
		for _, lock := range locks {
			f, err := os.Open(lock)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
				t.Fatal(err)
			}
		}
		if o := p.run(t, stdin, args...); o.exit != 0 || !denies(host, row, o.stdout) {
			t.Errorf("%s: %v", c.flag, o)
		}
	}
}
