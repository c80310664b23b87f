package matcher

import "testing"

func TestRulePath(t *testing.T) {
	tests := []struct {
		spec, path string
		want       bool
	}{
		// Observed with Claude Code for a file src/a.ts of the project.
		{"*.ts", "/work/p/src/a.ts", true},
		{"src/**", "/work/p/src/a.ts", true},
		{"**/src/**", "/work/p/src/a.ts", true},
		{"/src/**", "/work/p/src/a.ts", true},
		{"//work/**", "/work/p/src/a.ts", true},

		{"*.ts", "/work/p/src/a.tsx", false},
		{"*.ts", "/elsewhere/a.ts", true},
		{"src/**", "/work/p/pkg/src/a.ts", true}, // below Cwd
		{"src/**", "/work/p/lib/src/a.ts", false},
		{"src/**", "/work/p/src", false},
		{"src/*.ts", "/work/p/src/a.ts", true},
		{"src/*.ts", "/work/p/src/x/a.ts", false},
		{"src/**/a.ts", "/work/p/src/a.ts", true},
		{"src/**/a.ts", "/work/p/src/x/y/a.ts", true},
		{"**/src/**", "/work/p/lib/src/x/a.ts", true},
		{"**/src/**", "/src/a.ts", true},
		{"**/src/**", "/work/p/srcs/a.ts", false},
		{"/src/**", "/work/p/pkg/src/a.ts", false},
		{"/src/**", "/src/a.ts", false},
		{"/src", "/work/p/src/a.ts", true},
		{"/src/", "/work/p/src/a.ts", true},
		{"/src/", "/work/p/src", false},
		{"src", "/work/p/x/src/a.ts", true},
		{"/**", "/work/p/a", true},
		{"/**", "/work/q/a", false},
		{"/**", "/work/pp/a", false},
		{"//tmp/**", "/tmp/x", true},
		{"//tmp/**", "/work/p/tmp/x", false},
		{"//**", "/tmp/x", true},
		{"~/.ssh/**", "/home/u/.ssh/id", true},
		{"~/.ssh/**", "/home/v/.ssh/id", false},
		{"~", "/home/u/x", true},
		{"./src/**", "/work/p/src/a.ts", true},
		{"../x/**", "/work/p/x/a", true},
		{"../x/**", "/work/x/a", true},
		{"../x/**", "/x/a", false},
		{".env", "/work/p/.env", true},
		{".env*", "/work/p/deep/.env.local", true},
		{"*.ts", "/work/p/../q/a.ts", true},
		{"/src/**", "/work/p/src/../../q/a.ts", false},
		{"/src/**", "../src/a.ts", true}, // from Cwd
		{"a?c.[tj]s", "/work/p/abc.js", true},
		{"a?c.[!tj]s", "/work/p/abc.js", false},
		{"a?c", "/work/p/aéc", true},
		{"[a-c]x", "/b/bx", true},
		{"[]]x", "/]x", true},
		{"[x", "/work/[x", true},
		{`\*x`, "/work/*x", true},
		{`\*x`, "/work/ax", false},
		{"*.TS", "/work/p/a.ts", false},
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
