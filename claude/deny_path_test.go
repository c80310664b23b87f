package claude

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rulePaths were read by Claude Code 2.1.332 under each of the rules below. P is the project and its working folder, H
// the home folder, O an unrelated folder.
var rulePaths = []string{
	"P/a.txt", "P/b.txt", "P/c.txt", "P/ab.txt", "P/A.txt", "P/.env", "P/src/a.ts", "P/src/sub/b.ts",
	"P/src/.env", "P/docs/src/c.ts", "P/secret/key", "P/secret/deep/key", "P/src/secret/k", "P/a b.txt",
	"P/#x.txt", "P/x.ts", "P/[ab].txt", "P/{a,b}.txt", "P/!a.txt", "P/env.local", "P/.env.local",
	"P/src/x.env", "P/node_modules/m/a.ts", "H/.ssh/id", "H/x/.ssh/id", "H/h.ts", "H/src/a.ts", "H/.env",
	"O/f.txt", "O/sub/.env", "O/../o/f.txt", "P/link.txt", "P/linkdir/key", "P/out/f.txt", ".env",
	"./.env", "src/a.ts", "src/../.env", "P/src/../.env", "P//.env", "/P/.env", "P/./src/a.ts", "~/.ssh/id",
	"P/.ENV", "P/SRC/a.ts", "P/.env ", "P/secret/none", "P/none/.env",
}

// ruleRows list the paths that it denied, separated by blanks; "+" replaces a blank in a path.
var ruleRows = []struct{ pattern, refused string }{
	{".env", "P/.env P/src/.env .env ./.env src/../.env P/src/../.env P//.env /P/.env P/.ENV P/.env+ P/none/.env"},
	{"./.env", "P/.env P/src/.env .env ./.env src/../.env P/src/../.env P//.env /P/.env P/.ENV P/.env+ P/none/.env"},
	{"/.env", "P/.env .env ./.env src/../.env P/src/../.env P//.env /P/.env P/.ENV P/.env+"},
	{"src/**", "P/src/a.ts P/src/sub/b.ts P/src/.env P/docs/src/c.ts P/src/secret/k P/src/x.env src/a.ts " +
		"P/./src/a.ts P/SRC/a.ts"},
	{"./src/**", "P/src/a.ts P/src/sub/b.ts P/src/.env P/docs/src/c.ts P/src/secret/k P/src/x.env src/a.ts " +
		"P/./src/a.ts P/SRC/a.ts"},
	{"/src/**", "P/src/a.ts P/src/sub/b.ts P/src/.env P/src/secret/k P/src/x.env src/a.ts P/./src/a.ts P/SRC/a.ts"},
	{"**/*.ts", "P/src/a.ts P/src/sub/b.ts P/docs/src/c.ts P/x.ts P/node_modules/m/a.ts src/a.ts P/./src/a.ts " +
		"P/SRC/a.ts"},
	{"*.ts", "P/src/a.ts P/src/sub/b.ts P/docs/src/c.ts P/x.ts P/node_modules/m/a.ts src/a.ts P/./src/a.ts " +
		"P/SRC/a.ts"},
	{"~/.ssh/**", "H/.ssh/id ~/.ssh/id"},
	{"~/**", "H/.ssh/id H/x/.ssh/id H/h.ts H/src/a.ts H/.env ~/.ssh/id"},
	{"/O/**", "O/f.txt O/sub/.env O/../o/f.txt P/out/f.txt"},
	{"P/.env", ""},
	{"/P/.env", "P/.env .env ./.env src/../.env P/src/../.env P//.env /P/.env P/.ENV P/.env+"},
	{"secret", "P/secret/key P/secret/deep/key P/src/secret/k P/linkdir/key P/secret/none"},
	{"secret/", "P/secret/key P/secret/deep/key P/src/secret/k P/linkdir/key P/secret/none"},
	{"secret/*", "P/secret/key P/secret/deep/key P/linkdir/key P/secret/none"},
	{"src/*.ts", "P/src/a.ts src/a.ts P/./src/a.ts P/SRC/a.ts"},
	{"**/secret/**", "P/secret/key P/secret/deep/key P/src/secret/k P/linkdir/key P/secret/none"},
	{"a?.txt", "P/ab.txt"},
	{"[ab].txt", "P/a.txt P/b.txt P/A.txt P/link.txt"},
	{"{a,b}.txt", "P/{a,b}.txt"},
	{"link.txt", "P/link.txt"},
	{"a.txt", "P/a.txt P/A.txt P/link.txt"},
	{"secret/**", "P/secret/key P/secret/deep/key P/src/secret/k P/linkdir/key P/secret/none"},
	{"**", "P/a.txt P/b.txt P/c.txt P/ab.txt P/A.txt P/.env P/src/a.ts P/src/sub/b.ts P/src/.env P/docs/src/c.ts " +
		"P/secret/key P/secret/deep/key P/src/secret/k P/a+b.txt P/#x.txt P/x.ts P/[ab].txt P/{a,b}.txt " +
		"P/!a.txt P/env.local P/.env.local P/src/x.env P/node_modules/m/a.ts P/link.txt P/linkdir/key " +
		"P/out/f.txt .env ./.env src/a.ts src/../.env P/src/../.env P//.env /P/.env P/./src/a.ts P/.ENV " +
		"P/SRC/a.ts P/.env+ P/secret/none P/none/.env"},
	{"*.TS", "P/src/a.ts P/src/sub/b.ts P/docs/src/c.ts P/x.ts P/node_modules/m/a.ts src/a.ts P/./src/a.ts " +
		"P/SRC/a.ts"},
	{"a b.txt", "P/a+b.txt"},
	{"#x.txt", "P/#x.txt"},
	{"src", "P/src/a.ts P/src/sub/b.ts P/src/.env P/docs/src/c.ts P/src/secret/k P/src/x.env src/a.ts " +
		"P/./src/a.ts P/SRC/a.ts"},
	{"/src", "P/src/a.ts P/src/sub/b.ts P/src/.env P/src/secret/k P/src/x.env src/a.ts P/./src/a.ts P/SRC/a.ts"},
	{"**/.env*",
		"P/.env P/src/.env P/.env.local .env ./.env src/../.env P/src/../.env P//.env /P/.env P/.ENV P/.env+ " +
			"P/none/.env"},
	{".env*", "P/.env P/src/.env P/.env.local .env ./.env src/../.env P/src/../.env P//.env /P/.env P/.ENV P/.env+ " +
		"P/none/.env"},
	{"*env", "P/.env P/src/.env P/src/x.env .env ./.env src/../.env P/src/../.env P//.env /P/.env P/.ENV P/.env+ " +
		"P/none/.env"},
	{"~/.ssh", "H/.ssh/id ~/.ssh/id"},
	{"~/.ssh/*", "H/.ssh/id ~/.ssh/id"},
	{"/O/**/f.txt", "O/f.txt O/../o/f.txt P/out/f.txt"},
	{"src/**/b.ts", "P/src/sub/b.ts"},
	{"*/a.ts", "P/src/a.ts src/a.ts P/./src/a.ts P/SRC/a.ts"},
	{"\\[ab\\].txt", "P/[ab].txt"},
	{"linkdir/**", "P/linkdir/key"},
	{"out/**", "P/out/f.txt"},
	{"*secret*", "P/secret/key P/secret/deep/key P/src/secret/k P/linkdir/key P/secret/none"},
	{"src/*", "P/src/a.ts P/src/sub/b.ts P/src/.env P/src/secret/k P/src/x.env src/a.ts P/./src/a.ts P/SRC/a.ts"},
	{" .env ", ""},
	{".ENV", "P/.env P/src/.env .env ./.env src/../.env P/src/../.env P//.env /P/.env P/.ENV P/.env+ P/none/.env"},
	{"~/src/**", "H/src/a.ts"},
	{"//**/.env", "P/.env P/src/.env H/.env O/sub/.env .env ./.env src/../.env P/src/../.env P//.env /P/.env P/.ENV " +
		"P/.env+ P/none/.env"},
}

// TestPathDenied checks that rule patterns match the same paths as in the real client.
func TestPathDenied(t *testing.T) {
	at := places{"/p", "/p", "/h"}
	if !pathDenied("src/**", "src/a", places{}) || pathDenied("src/**", "lib/a", at) {
		t.Error("a pattern counts from the working folder, and from an unknown one it matches")
	}
	root := filepath.ToSlash(dirOf(t))
	at = places{root + "/p", root + "/p", root + "/h"}
	full := strings.NewReplacer("P/", root+"/p/", "H/", root+"/h/", "O/", root+"/o/", "+", " ")
	for _, row := range ruleRows {
		want := strings.Fields(row.refused)
		for _, p := range rulePaths {
			p = strings.ReplaceAll(p, " ", "+")
			if got := pathDenied(full.Replace(row.pattern), full.Replace(p), at); got != slices.Contains(want, p) {
				t.Errorf("%q for %q: %t", row.pattern, p, got)
			}
		}
	}
}

// dirOf creates the links of the paths: P/link.txt to P/a.txt, P/linkdir to P/secret, P/out to O, and one to a missing
// file.
func dirOf(t *testing.T) string {
	root, err := filepath.EvalSymlinks(t.TempDir())
	for _, dir := range []string{"p/secret", "h", "o"} {
		err = errors.Join(err, os.MkdirAll(filepath.Join(root, dir), 0o777))
	}
	err = errors.Join(err, os.WriteFile(filepath.Join(root, "p/a.txt"), nil, 0o666))
	links := map[string]string{"link.txt": "a.txt", "linkdir": "secret", "out": "../o", "new": "secret/new"}
	for link, to := range links {
		err = errors.Join(err, os.Symlink(to, filepath.Join(root, "p", link)))
	}
	if err != nil {
		t.Skip("links can't be made here: ", err)
	}
	if at := (places{root + "/p", root + "/p", ""}); !pathDenied("secret/*", "new", at) {
		t.Error("a link to a file that isn't there yet")
	}
	return root
}
