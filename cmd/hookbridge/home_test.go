package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/command/cli"
)

// stray matches names under which a reader would look for the project: a repository, an npm package or scope, a tap.
var stray = regexp.MustCompile(`github\.com/hookbridge|@hookbridge/|npx hookbridge|npm (i|install)( -\S+| ` +
	`--global)* hookbridge|brew install hookbridge|uses: hookbridge/`)

// imported matches what a Go file may contain: the module's path in an import.
var imported = regexp.MustCompile(`"github\.com/hookbridge/hookbridge[a-z0-9/_]*"|^(module|require|replace) ` +
	`|\\"github\.com/hookbridge/hookbridge/`)

// TestNoHome checks that nothing sends a reader to a place that the project doesn't own, until scripts/home.sh sets a
// home.
func TestNoHome(t *testing.T) {
	if cli.Home != "" {
		t.Skip("the project has a home")
	}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || d.Name() == "build" ||
			d.Name() == "dist"):
			return fs.SkipDir
		case !d.Type().IsRegular() || d.Name() == "home_test.go":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 { // a program
			return err
		}
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, 64<<20)
		for n := 1; lines.Scan(); n++ {
			line := lines.Text()
			code := filepath.Ext(path) == ".go" || filepath.Ext(path) == ".mod"
			if stray.MatchString(line) && !(code && imported.MatchString(line)) {
				t.Errorf("%s:%d: %s", path, n, line)
			}
		}
		return lines.Err()
	})
	if err != nil {
		t.Error(err)
	}
}

// TestHome sets a home in a copy. Every import must resolve, the packages and pages must name the home, and nothing of
// the old module path may be left.
func TestHome(t *testing.T) {
	if testing.Short() {
		t.Skip("copies the repository")
	}
	if _, err := exec.LookPath("git"); err != nil || runtime.GOOS == "windows" || cli.Home != "" {
		t.Skip("no git, no shell, or done already")
	}
	dir := t.TempDir()
	if err := cloneInto(dir); err != nil {
		t.Skip("not a clone: ", err)
	}
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
		return string(out)
	}
	run("scripts/home.sh", "example.org/acme/hookbridge", "@acme/hookbridge", "@acme", "acme/tap")
	if left := run("sh", "-c", "grep -rl github.com/hookbridge . || true"); strings.TrimSpace(
		left) != "./cmd/hookbridge/home_test.go" {
		t.Errorf("the old module path is left in %s", left)
	}
	run("go", "list", "-deps", "./cmd/hookbridge")
	for file, want := range map[string]string{
		"adapter/launcher/launcher.go": "const Home = \"https://example.org/acme/hookbridge\"\n",
		"internal/command/cli/release.go": "\nconst (\n\tNPM    = \"@acme/hookbridge\"\n" +
			"\tTap    = \"acme/tap\"\n\tWinGet = \"acme.hookbridge\"\n)",
		"README.md": "    brew install acme/tap/hookbridge\n" +
			"    curl -fsSL https://example.org/acme/hookbridge/releases/latest/download/install.sh | sh\n",
		"docs/ci.md": "      - run: go install example.org/acme/hookbridge/cmd/hookbridge@latest\n" +
			"      # home: end",
		"docs/team.md": "      - run: go install example.org/acme/hookbridge/cmd/hookbridge@latest\n" +
			"      # home: end",
		"CHANGELOG.md": "`go install example.org/acme/hookbridge/cmd/hookbridge@latest` " +
			"builds the main branch",
		".goreleaser.yaml":   "    owner: acme\n    name: hookbridge\n",
		"packaging/home.env": `: "${WINGET:=acme.hookbridge}"`,
	} {
		if text := string(read(t, filepath.Join(dir, file))); !strings.Contains(text, want) {
			t.Errorf("%s lacks %s", file, want)
		}
	}
}

// TestProblemMatcher checks that the action's matchers read the output of check.
func TestProblemMatcher(t *testing.T) {
	var matchers struct {
		ProblemMatcher []struct {
			Severity string
			Pattern  []struct {
				Regexp string
				Code   int
			}
		}
	}
	if err := json.Unmarshal(read(t, "../../packaging/action/problems.json"), &matchers); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(`{"hooks":{"Nope":[],"PreToolUse":[{"matcher":"(",`+
		`"hooks":[{"type":"command","command":"true"}]}]}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	_, out, _ := output("check", "--project", dir)
	for i, code := range []string{"HB104", "HB101"} {
		m := matchers.ProblemMatcher[i].Pattern[0]
		found := false
		for line := range strings.Lines(out) {
			if groups := regexp.MustCompile(m.Regexp).FindStringSubmatch(strings.TrimSpace(line)); groups != nil &&
				groups[m.Code] == code {
				found = true
			}
		}
		if !found {
			t.Errorf("%s doesn't match %s in %s", m.Regexp, code, out)
		}
	}
}
