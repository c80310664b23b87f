package discover

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
)

// TestStarted checks from which folders project files are loaded: a row for each place in which the real agents were
// started.
func TestStarted(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("repo/.git/HEAD", "ref: refs/heads/main\n")
	write("repo/.git/worktrees/wt/commondir", "../..\n")
	write("repo/.git/modules/lib/worktrees/of/commondir", "../..\n")
	write("repo/lib/.git", "gitdir: ../.git/modules/lib\n")
	write("repo/sub/deep/x", "")
	write("wt/.git", "gitdir: "+filepath.Join(dir, "repo/.git/worktrees/wt")+"\n")
	write("wt/sub/.a/x", "")
	write("wt/.a/x", "")
	write("wt/without/x", "")
	write("bareworktree/.git", "gitdir: "+filepath.Join(dir, "repo/.git/worktrees/wt")+"\n")
	write("of/.git", "gitdir: ../repo/.git/modules/lib/worktrees/of\n")
	write("bare.git/worktrees/b/commondir", "../..\n")
	write("b/.git", "gitdir: ../bare.git/worktrees/b\n")
	write("broken/.git", "gitdir: ../nowhere\n")
	write("odd/.git", "not Git's\n")

	own := dialect.Profile{}
	root := dialect.Profile{Name: "a", Files: dialect.Files{Layers: dialect.RootAlone}}
	layers := dialect.Profile{Name: "a", Files: dialect.Files{Layers: dialect.LayersToRepository}}
	primary, both := layers, layers
	primary.Primary, both.Primary = dialect.PrimaryOnly, dialect.PrimaryToo
	for _, tt := range []struct {
		start string
		files dialect.Profile
		want  []string
	}{
		{"repo/sub/deep", own, []string{"repo/sub/deep"}},
		{"repo/sub/deep", root, []string{"repo"}},
		{"repo/sub/deep", layers, []string{"repo/sub/deep", "repo/sub", "repo"}},
		{"repo/sub/deep", primary, []string{"repo/sub/deep", "repo/sub", "repo"}},
		{"repo/lib", root, []string{"repo/lib"}},
		{"repo/lib", primary, []string{"repo/lib"}},
		{"wt", root, []string{"wt"}},
		{"wt", layers, []string{"wt"}},
		{"wt", primary, []string{"repo"}},
		{"wt/sub", primary, []string{"repo/sub", "repo"}},
		{"wt/sub", both, []string{"wt/sub", "wt", "repo/sub", "repo"}},
		{"wt/without", primary, []string{"repo"}},
		{"bareworktree", primary, nil},
		{"of", primary, []string{"of"}},
		{"b", primary, []string{"b"}},
		{"broken", primary, []string{"broken"}},
		{"odd", primary, []string{"odd"}},
	} {
		var want []string
		for _, w := range tt.want {
			want = append(want, filepath.Join(dir, filepath.FromSlash(w)))
		}
		if got := Started(filepath.Join(dir, filepath.FromSlash(tt.start)), &tt.files); !slices.Equal(got, want) {
			t.Errorf("%s %+v: %v, want %v", tt.start, tt.files.Layers, got, want)
		}
	}
}
