package adapter

import (
	"testing"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

func TestWholePaths(t *testing.T) {
	both := func(s string) [2]string { return [2]string{s, s} }
	for in, want := range map[string][2]string{ // Cursor's hooks, Claude Code's
		"/w/../etc/x": {"/w/../etc/x", "/etc/x"}, "/w//./x": {"/w//./x", "/w/x"},
		"a.txt": both("/w/a.txt"), "../x/./y": both("/x/y"), "/etc/passwd": both("/etc/passwd"), "~/x": both("~/x"), `C:\x`: both(`C:\x`), "C:/x": both("C:/x"), `\\host\x`: both(`\\host\x`), "": both(""), "$HOME/x": both("$HOME/x"),
	} {
		for i, name := range []string{"cursor", "claude"} {
			d, _ := Find(name)
			raw := ordjson.AppendString(nil, in)
			c := &schema.Call{Cwd: "/w", Tool: schema.Tool{Kinds: []schema.Kind{schema.Read}, Input: schema.Args{{Role: schema.RolePath, Raw: raw}}, Output: schema.Args{{Role: schema.RolePath, Raw: raw}}}}
			wholePaths(c, d)
			for _, args := range []schema.Args{c.Tool.Input, c.Tool.Output} {
				if got, _ := ordjson.String(args[0].Raw); got != want[i] {
					t.Errorf("%s, %q: %q", name, in, got)
				}
			}
		}
	}
}
