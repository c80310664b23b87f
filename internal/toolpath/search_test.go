package toolpath

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// laid makes empty files below a folder, which it returns with slashes.
func laid(t *testing.T, names ...string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("names with a colon or a backslash are others there")
	}
	dir := t.TempDir()
	for _, name := range names {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Skip("the system has no such names: ", err)
		}
	}
	return filepath.ToSlash(dir)
}

// TestReadings checks which files a path that doesn't exist may mean, by each rule.
func TestReadings(t *testing.T) {
	dir := laid(t, "s/key", "s/my key", "a", "b c", "lit:1", "x.zip", "d/lit", ".h/hid", "node_modules/p/nm", ".git/g")
	both := schema.PathRules{Places: ":?", Lists: ";, "}
	ends := schema.PathRules{Ending: true, LooseEnding: true, Places: ":"}
	for _, tt := range []struct {
		in    string
		rules schema.PathRules
		want  string
	}{
		{"a", both, ""}, {"a:1-5", both, "a"}, {"a?q=x", both, "a"}, {"a:1:raw", both, "a"}, {"none:1", both, ""},
		{"lit:1", both, "lit:1"}, {"lit:1:2", both, "lit:1"}, {"x.zip:in/x:1", both, "x.zip"},
		{"a;s/key", both, "a|s/key"}, {"a,", both, "a"}, {"a;x", both, "a"}, {"none, a:1", both, "a"},
		{`"s/my key";a`, both, "a|s/my key"}, {"a s/key", both, "a|s/key"}, {"b c", both, ""}, {"b c;a", both, "a|b c"},
		{"a;x", schema.PathRules{}, ""}, {"a:1", schema.PathRules{Lists: ";"}, ""},
		{"key", ends, "s/key"}, {`s\key`, ends, "s/key"}, {`.\s\key`, ends, "s/key"},
		{"key:1-2", ends, "s/key"}, {"s/key", ends, ""}, {"hid", ends, ".h/hid"}, {"hid\u0085", ends, ".h/hid"},
		{"nm", ends, ""}, {"g", ends, ""}, {dir + "/x/key", ends, ""},
		{`s\key`, schema.PathRules{Ending: true}, ""}, {"lit", ends, "d/lit"},
	} {
		var got []string
		for _, file := range Readings(tt.in, tt.rules, dir, "/h", []string{dir}) {
			got = append(got, strings.TrimPrefix(file, dir+"/"))
		}
		if slices.Sort(got); strings.Join(got, "|") != tt.want {
			t.Errorf("%q: %q, want %s", tt.in, got, tt.want)
		}
	}
}

// TestNamed checks which files a path may mean if a client replaces a missing file with another of its name.
func TestNamed(t *testing.T) {
	dir := laid(t, "p/s/key", "p/t/key", "p/a", "h/rc", "h/deep/rc")
	for _, tt := range []struct{ in, want string }{
		{"a", "p/a"}, {"x/key", "p/s/key p/t/key"}, {"none", "p/none"}, {"x/rc", "h/deep/rc h/rc"}, {"~/rc", "h/rc"},
		{dir + "/p/u/key", "p/s/key p/t/key"},
	} {
		var got []string
		rules := schema.PathRules{Home: true, ByName: true}
		for _, file := range Named(tt.in, rules, dir+"/p", dir+"/h", []string{dir + "/p"}) {
			got = append(got, strings.TrimPrefix(file, dir+"/"))
		}
		if slices.Sort(got); strings.Join(got, " ") != tt.want {
			t.Errorf("%q: %q, want %s", tt.in, got, tt.want)
		}
	}
}

// TestSpellings checks the meaning of a path's text by each rule that depends only on the text.
func TestSpellings(t *testing.T) {
	dir := laid(t, "my key", "a(1)", "@b")
	at, colon := schema.PathRules{Prefix: "@", First: true, Rooted: true}, schema.PathRules{Colon: true}
	for _, tt := range []struct {
		in    string
		rules schema.PathRules
		want  string
	}{
		{"@/a/b", at, "/a/b"}, {"@~/b", at, "~/b"}, {"@~", at, "~"}, {"@b", at, "@b"}, {"@./b", at, "@./b"},
		{`@C:\b`, at, `C:\b`}, {"@C:b", at, "@C:b"}, {"@~b", at, "@~b"},
		{"@b", schema.PathRules{Prefix: "@", First: true}, "b"},
		{":/a", colon, "/a"}, {":./a", colon, "./a"}, {":~a", colon, "~a"}, {":a", colon, ":a"},
		{":./a", schema.PathRules{}, ":./a"},
		{"FILE:///a%20b", schema.PathRules{FileURL: true, AnyCase: true}, "/a b"},
		{"FILE:///a", schema.PathRules{FileURL: true}, "FILE:///a"},
		{`my\ key`, schema.PathRules{Escapes: true}, "my key"}, {`a\(1\)`, schema.PathRules{Escapes: true}, "a(1)"},
		{`no\ key`, schema.PathRules{Escapes: true}, `no\ key`}, {`my\ key`, schema.PathRules{}, `my\ key`},
	} {
		if got := Find(tt.in, tt.rules, dir, ""); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.in, got, tt.want)
		}
	}
}
