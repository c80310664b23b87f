package wildcard

import "testing"

func TestPath(t *testing.T) {
	tests := []struct {
		spec, path string
		want       bool
	}{
		{"*.ts", "src/a.ts", true},
		{"*.TS", "src/a.ts", true},
		{"*.ts", "src/a.tsx", false},
		{"src/**", "src/a.ts", true},
		{"src/**", "SRC/x/a.ts", true},
		{"src/**", "src", true},
		{"src/**", "lib/src/a.ts", false},
		{"src/*.ts", "src/x/a.ts", false},
		{"src/*", "src/x/a.ts", true}, // by its folder
		{"src/**/a.ts", "src/a.ts", true},
		{"src/**/a.ts", "src/x/y/a.ts", true},
		{"**/src/**", "lib/src/x/a.ts", true},
		{"**/src/**", "srcs/a.ts", false},
		{"src", "x/src/a.ts", true},
		{"src/", "x/src/a.ts", true},
		{"src/", "x/src", false},
		{"src//a.ts", "src/a.ts", true},
		{".env*", "deep/.env.local", true},
		{".env/**", ".env", true},
		{".env/**", "sub/.env", false},
		{"a?c.[tj]s", "abc.js", true},
		{"a?c", "aéc", true},
		{"[a-c]x", "b/bx", true},
		{"[!b].ts", "b.ts", true},
		{"[!b].ts", "a.ts", true},
		{"[]]x", "]x", true},
		{"[x", "[x", true},
		{`\*x`, "*x", true},
		{`\*x`, "ax", false},
		{"!x", "x", false},
		{"#x", "#x", false},
		{`\#x`, "#x", true},
		{"x ", "x", true},
		{" x", "x", false},
		{"*.{ts,js}", "a.ts", false},
	}
	for _, tt := range tests {
		if got := ParsePath(tt.spec, false).Match(tt.path); got != tt.want {
			t.Errorf("%s on %s = %t", tt.spec, tt.path, got)
		}
	}
	if ParsePath("src", true).Match("x/src") {
		t.Error("a rooted pattern matches below the root")
	}
}
