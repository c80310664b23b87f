package toolpath

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestOnWindows: the path that a guard gets, for each way in which Windows has several paths for one file.
func TestOnWindows(t *testing.T) {
	for _, c := range [][2]string{
		{`C:\p\.env`, `C:\p\.env`},
		{"c:/p/.env", "c:/p/.env"},
		{".env", ".env"},
		{`sub\.env`, `sub\.env`},
		{"/c:/p/.env", "c:/p/.env"},    // of an address, as Cursor has it
		{`\\?\C:\p\.env`, "C:/p/.env"}, // bypasses the rules for names
		{`\\.\C:\p\.env`, "C:/p/.env"}, // a device
		{`\??\C:\p\.env`, "C:/p/.env"}, // the kernel's form of the same
		{`\\localhost\C$\p\.env`, "C:/p/.env"},
		{`\\127.0.0.1\c$\p\.env`, "c:/p/.env"},
		{`\\?\UNC\localhost\c$\p\.env`, "c:/p/.env"},
		{`\\server\share\.env`, `\\server\share\.env`},
		{`\\?\UNC\server\share\.env`, "//server/share/.env"},
		{"/mnt/c/p/.env", "/mnt/c/p/.env"}, // a folder of this drive; WSL's folder of that name is WSL's
		{"/c/p/.env", "/c/p/.env"},
		{"c:.env", "C:/p/.env"}, // from the drive's current folder
		{"d:.env", "d:.env"},    // which is unknown
		{".env.", ".env"},
		{".env ", ".env"},
		{`C:\p\.env. . `, "C:/p/.env"},
		{`C:\p. \.env`, "C:/p/.env"},
		{".env::$DATA", ".env"},
		{`C:\p\.env:other`, "C:/p/.env"},
		{`C:\p::$INDEX_ALLOCATION\.env`, "C:/p/.env"},
		{`..\secret`, "C:/secret"},
		{`sub\..\.env`, "C:/p/.env"},
		{`C:\p\sub\..\.env`, "C:/p/.env"},
		{`C:\p\gone\..\..\..\.env`, "C:/.env"},
		{"NUL", "NUL"}, // a device, not a file
		{`C:\p\con.txt`, `C:\p\con.txt`},
		{"...", "..."},
		{"", ""},
	} {
		if got := onWindows(c[0], `C:\p`); got != c[1] {
			t.Errorf("%q: a guard sees %q, not %q", c[0], got, c[1])
		}
	}
}

// TestOpened: for every path with which Windows opens the file, a guard gets the file's own name.
func TestOpened(t *testing.T) {
	if runtime.GOOS != "windows" {
		t.Skip("for Windows")
	}
	dir := t.TempDir()
	sub := filepath.Join(dir, "A folder with a long name")
	file := filepath.Join(sub, "Secret words.config")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(sub)

	opens := 0
	drive, below := sub[:2], filepath.ToSlash(sub[2:])
	for _, s := range []string{file, filepath.ToSlash(file), "Secret words.config", "SECRET WORDS.CONFIG",
		"Secret words.config.", "Secret words.config ", "Secret words.config::$DATA", `.\secret words.config`,
		`\\?\` + file, `\\.\` + file, `\\localhost\` + drive[:1] + `$` + file[2:], drive + "secret words.config",
		`..\A FOLDER with a long name\Secret words.config`, `gone\..\Secret words.config`, "SECRET~1.CON",
		drive + below + "/secret words.config", sub + `. \Secret words.config`, shortName(file),
		filepath.Base(shortName(file))} {
		text, err := os.ReadFile(s)
		if err != nil || string(text) != "secret" {
			continue
		}
		opens++
		if got := Find(s, schema.PathRules{}, sub, ""); filepath.Base(filepath.FromSlash(got)) != filepath.Base(file) {
			t.Errorf("Windows opens %q; a guard sees %q", s, got)
		}
	}
	if opens < 8 {
		t.Errorf("only %d of the paths open the file", opens)
	}
	t.Logf("%d paths open the file", opens)
}

// TestOpenedLong: the same below a path of more than 260 characters.
func TestOpenedLong(t *testing.T) {
	if runtime.GOOS != "windows" {
		t.Skip("for Windows")
	}
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 30), strings.Repeat("path", 30))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "Secret words.config")
	if err := os.WriteFile(file, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"SECRET WORDS.CONFIG", "secret words.config. ", "Secret words.config::$DATA"} {
		got := Find(filepath.Join(dir, name), schema.PathRules{}, dir, "")
		if filepath.Base(filepath.FromSlash(got)) != filepath.Base(file) {
			t.Errorf("%q: a guard sees %q", name, got)
		}
	}
}
