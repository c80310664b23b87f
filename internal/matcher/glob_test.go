package matcher

import "testing"

func TestRulePath(t *testing.T) {
	tests := []struct {
		spec, path string
		want       bool
	}{
		// Observed with Claude Code for a file src/a.ts of the project.
		{"*.ts", "/proj/p/src/a.ts", true},
		{"src/**", "/proj/p/src/a.ts", true},
		{"**/src/**", "/proj/p/src/a.ts", true},
		{"/src/**", "/proj/p/src/a.ts", true},
		{"//proj/**", "/proj/p/src/a.ts", true},

		{"*.ts", "/proj/p/src/a.tsx", false},
		{"*.ts", "/elsewhere/a.ts", true},
		{"src/**", "/proj/p/pkg/src/a.ts", true}, // below Cwd
		{"src/**", "/proj/p/lib/src/a.ts", false},
		{"src/**", "/proj/p/src", false},
		{"src/*.ts", "/proj/p/src/a.ts", true},
		{"src/*.ts", "/proj/p/src/x/a.ts", false},
		{"src/**/a.ts", "/proj/p/src/a.ts", true},
		{"src/**/a.ts", "/proj/p/src/x/y/a.ts", true},
		{"**/src/**", "/proj/p/lib/src/x/a.ts", true},
		{"**/src/**", "/src/a.ts", true},
		{"**/src/**", "/proj/p/srcs/a.ts", false},
		{"/src/**", "/proj/p/pkg/src/a.ts", false},
		{"/src/**", "/src/a.ts", false},
		{"/src", "/proj/p/src/a.ts", true},
		{"/src/", "/proj/p/src/a.ts", true},
		{"/src/", "/proj/p/src", false},
		{"src", "/proj/p/x/src/a.ts", true},
		{"/**", "/proj/p/a", true},
		{"/**", "/proj/q/a", false},
		{"/**", "/proj/pp/a", false},
		{"//tmp/**", "/tmp/x", true},
		{"//tmp/**", "/proj/p/tmp/x", false},
		{"//**", "/tmp/x", true},
		{"~/.ssh/**", "/home/u/.ssh/id", true},
		{"~/.ssh/**", "/home/v/.ssh/id", false},
		{"~", "/home/u/x", true},
		{"./src/**", "/proj/p/src/a.ts", true},
		{"../x/**", "/proj/p/x/a", true},
		{"../x/**", "/proj/x/a", true},
		{"../x/**", "/x/a", false},
		{".env", "/proj/p/.env", true},
		{".env*", "/proj/p/deep/.env.local", true},
		{"*.ts", "/proj/p/../q/a.ts", true},
		{"/src/**", "/proj/p/src/../../q/a.ts", false},
		{"/src/**", "../src/a.ts", true}, // from Cwd
		{"a?c.[tj]s", "/proj/p/abc.js", true},
		{"a?c.[!tj]s", "/proj/p/abc.js", false},
		{"a?c", "/proj/p/aéc", true},
		{"[a-c]x", "/b/bx", true},
		{"[]]x", "/]x", true},
		{"[x", "/proj/[x", true},
		{`\*x`, "/proj/*x", true},
		{`\*x`, "/proj/ax", false},
		{"*.TS", "/proj/p/a.ts", false},
	}
	for _, tt := range tests {
		r, err := ParseRule("Write(" + tt.spec + ")")
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Match(file("Write", tt.path)); got != tt.want {
			t.Errorf("%s on %s = %t, want %t", tt.spec, tt.path, got, tt.want)
		}
		if r.Match(file("Edit", tt.path)) {
			t.Errorf("Write(%s) matches an Edit call", tt.spec)
		}
	}
	r, err := ParseRule("Write(/src/**)")
	if err != nil {
		t.Fatal(err)
	}
	if !r.Match(Subject{Names: []string{"Write"}, HasPath: true, Path: "/x"}) {
		t.Error("a pattern of an unknown project must match")
	}
	windows := Subject{Names: []string{"Write"}, HasPath: true, Path: `C:\p\src\a.ts`, Project: `c:\p`}
	if !r.Match(windows) {
		t.Error("a Windows path does not match")
	}
}
