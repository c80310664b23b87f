package trust

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// put writes files into a new project; names that end in / are folders.
func put(t *testing.T, names ...string) string {
	t.Helper()
	project := t.TempDir()
	for _, name := range names {
		file := filepath.Join(project, name)
		err := os.MkdirAll(filepath.Dir(file), 0o700)
		if err == nil && !strings.HasSuffix(name, "/") {
			err = os.WriteFile(file, nil, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return project
}

// TestNamedFiles checks that trust covers the scripts that commands name, in the ways that people write them, and not
// files that a command only writes to.
func TestNamedFiles(t *testing.T) {
	project := put(t, "h/x.sh", "h/y.sh", "my k/x.sh", "log", "sub/x.sh")
	for _, tt := range []struct{ command, want string }{
		{`h/x.sh`, "h/x.sh"},
		{`sh ./h/../h/x.sh --flag=h/y.sh`, "h/x.sh h/y.sh"},
		{`"$CLAUDE_PROJECT_DIR"/h/x.sh; "${CLAUDE_PROJECT_DIR:-.}/h/y.sh"`, "h/x.sh h/y.sh"},
		{`$CLAUDE_PROJECT_DIR//h/x.sh`, "h/x.sh"},
		{project + `/h/x.sh`, "h/x.sh"},
		{`"$(git rev-parse --show-toplevel)/h/x.sh"`, "h/x.sh"},
		{`$(git rev-parse --show-toplevel)/h/x.sh`, "h/x.sh"},
		{"`pwd`/h/x.sh", "h/x.sh"},
		{`cd h && sh x.sh`, "h/x.sh"},
		{`cd "$CLAUDE_PROJECT_DIR/h" && ./x.sh`, "h/x.sh"},
		{`D=h; . $D/x.sh`, "h/x.sh"},
		{`"$CLAUDE_PROJECT_DIR/my k/x.sh" a`, "my k/x.sh"},
		{`PATH=h:$PATH x.sh`, "h/x.sh"},
		{`"$CLAUDE_PROJECT_DIR/my k/x.sh"`, "my k/x.sh"},
		{`my\ k/x.sh`, "my k/x.sh"},
		{`sh -c "sh 'my k/x.sh'"`, "my k/x.sh"},
		{`"` + project + `/my k/x.sh"`, "my k/x.sh"},
		{`cat h/x.sh | sh; sh < h/y.sh`, "h/x.sh h/y.sh"},
		{`cat >>log; echo 2>"log" >|log`, ""},
		{`sh h/x.sh >log 2>&1`, "h/x.sh"},
		{`echo 'exit 0' >log; sh log`, "log"},
		{`case "$x" in *sh*) ;; esac; [ -n "$y" ]`, ""},
		{`../h/x.sh /etc/passwd nothing`, ""},
		{`x.sh`, ""},
	} {
		n := namedFiles{project: project}
		var got []string
		for _, file := range n.of(&schema.Hook{Command: tt.command}) {
			got = append(got, InProject(project, file))
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != tt.want || n.err != nil {
			t.Errorf("%s: %q, want %q; %v", tt.command, s, tt.want, n.err)
		}
	}
	n := namedFiles{project: project}
	if got := n.of(&schema.Hook{Command: "sh", Args: []string{"${CLAUDE_PROJECT_DIR}/my k/x.sh"}}); len(got) != 1 {
		t.Errorf("an argument with a blank: %q", got)
	}
	n = namedFiles{project: project, cwd: filepath.Join(project, "sub")}
	if got := n.of(&schema.Hook{Command: "./x.sh"}); len(got) != 1 || got[0] != filepath.Join(project, "sub/x.sh") {
		t.Errorf("a name from another folder: %q", got)
	}
}

// TestNamedTooMuch uses commands that would keep hookbridge busy: it gives up on them soon, and doesn't trust them.
func TestNamedTooMuch(t *testing.T) {
	project := put(t, "d/d/", "big")
	for _, link := range []string{"d/l1", "d/l2", "d/l3", "d/l4"} {
		if err := os.Symlink(".", filepath.Join(project, link)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Truncate(filepath.Join(project, "big"), discover.MaxFile); err != nil {
		t.Fatal(err)
	}
	for name, command := range map[string]string{
		"a line that nothing starts": strings.Repeat("a ", maxLine),
		"names":                      strings.Join(strings.Split(strings.Repeat("a", 60000), ""), " ") + manyNames(),
	} {
		start := time.Now()
		n := namedFiles{project: project}
		n.of(&schema.Hook{Command: command})
		if n.err == nil || time.Since(start) > 20*time.Second {
			t.Errorf("%s: %v after %v", name, n.err, time.Since(start))
		}
	}
	hooks := make([]schema.Hook, 10)
	for i := range hooks {
		hooks[i].Command = strings.Repeat("./big ", 1000)
	}
	res := discover.Result{Configs: []*schema.Config{{Hooks: hooks, Source: schema.Source{Scope: schema.ScopeProject}}},
		Texts: [][]byte{nil}}
	if _, files, err := Fingerprint(project, project, res, schema.Source.OfProject); err != nil || len(files) != 2 {
		t.Errorf("one file named often: %q, %v", files, err)
	}
	for i := range hooks {
		name := "big" + string(rune('a'+i))
		if err := os.WriteFile(filepath.Join(project, name), nil, 0o600); err == nil {
			err = os.Truncate(filepath.Join(project, name), discover.MaxFile)
			hooks[i].Command = name
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, _, err := Fingerprint(project, project, res, schema.Source.OfProject); err != errTooMany {
		t.Errorf("many large files: %v", err)
	}
}

// manyNames returns more names than the limit.
func manyNames() string {
	var b strings.Builder
	for i := range maxLooks + 1 {
		b.WriteString(" " + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676%26)) +
			string(rune('a'+i/17576)))
	}
	return b.String()
}
