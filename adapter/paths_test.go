package adapter

import (
	"testing"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

func TestWholePaths(t *testing.T) {
	for in, want := range map[string]string{
		"a.txt": "/w/a.txt", "../x/./y": "/x/y", "/etc/passwd": "/etc/passwd", "~/x": "~/x", `C:\x`: `C:\x`, "C:/x": "C:/x", `\\host\x`: `\\host\x`, "": "", "$HOME/x": "$HOME/x",
	} {
		raw := ordjson.AppendString(nil, in)
		c := &schema.Call{Cwd: "/w", Tool: schema.Tool{Kinds: []schema.Kind{schema.Read}, Input: schema.Args{{Role: schema.RolePath, Raw: raw}}, Output: schema.Args{{Role: schema.RolePath, Raw: raw}}}}
		wholePaths(c)
		for _, args := range []schema.Args{c.Tool.Input, c.Tool.Output} {
			if got, _ := ordjson.String(args[0].Raw); got != want {
				t.Errorf("%q: %q", in, got)
			}
		}
	}
}
