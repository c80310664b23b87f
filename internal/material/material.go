// Package material reads what the tests of many packages share: payloads of real clients (conformance/payloads), and
// the corpus of published hooks, which is outside the repository.
package material

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// A Payload is what a client sent to a hook.
type Payload struct {
	Name string // unique for the agent: its event, and what the case is about
	Text []byte // as the client wrote it, except for blanks
}

// Payloads returns the recorded payloads of an agent in the order of its file. An agent without any fails the test.
func Payloads(t testing.TB, agent string) (list []Payload) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Root(t), "conformance", "payloads", agent+".json"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := ordjson.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", agent, err)
	}
	for _, o := range file.Objects("payloads") {
		list = append(list, Payload{o.Str("name"), o.Value("payload")})
	}
	if len(list) == 0 {
		t.Fatalf("no payloads of %s", agent)
	}
	return list
}

// Agents returns the agents with recorded payloads. Some have no dialect.
func Agents(t testing.TB) (names []string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(Root(t), "conformance", "payloads", "*.json"))
	for _, file := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".json"))
	}
	if len(names) == 0 {
		t.Fatal("no recorded payloads")
	}
	return names
}

// Corpus returns a file or folder of the corpus: third-party files that aren't in the repository. $HOOKBRIDGE_SHARED is
// the folder that contains corpus/, by default the one called shared next to the repository. Without it the test is
// skipped.
func Corpus(t testing.TB, parts ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{corpus(t)}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skip("the corpus isn't here: ", err)
	}
	return path
}

// Published returns the files of the corpus that match a pattern of paths, for a test that has other cases too; none if
// there is no corpus.
func Published(t testing.TB, pattern string) []string {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(corpus(t), filepath.FromSlash(pattern)))
	return files
}

func corpus(t testing.TB) string {
	root := os.Getenv("HOOKBRIDGE_SHARED")
	if root == "" {
		root = filepath.Join(Root(t), "..", "shared")
	}
	return filepath.Join(root, "corpus")
}

// Root returns the repository's folder, relative to the test's own.
func Root(t testing.TB) string {
	t.Helper()
	for dir := "."; len(dir) < 64; dir = filepath.Join(dir, "..") {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
	}
	t.Fatal("no go.mod above the test's folder")
	return ""
}
