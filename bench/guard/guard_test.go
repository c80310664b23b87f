// Package guard checks the cost of a call against recorded bounds: instructions, allocations, the program's size, files
// opened and processes started. None of them is a time, so the load on the machine has no influence. A measurement
// without its tool on this machine is skipped and reported.
//
//	go test ./bench/guard -record
//
// measures again and writes bounds.json; with -run NAME, only the bounds of that test. Any change to that file must be
// explained by the commit that makes it.
package guard

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

var record = flag.Bool("record", false, "write bounds.json from what is measured")

const boundsFile = "bounds.json"

// margins limit the growth of each measured value, in percent. They are small for exact values.
var margins = map[string]int{
	"binary bytes":                25,
	"init allocations":            10,
	"init bytes":                  15,
	"translate allocations":       5,
	"translate bytes, 1 MiB":      5,
	"bridge allocations":          15,
	"convert allocations, a hook": 10,
	"run instructions":            12,
	"run, 10 hooks, instructions": 12,
	"run opens":                   0,
	"run processes":               0,
	"run, 10 hooks, opens":        0,
	"run, 10 hooks, processes":    0,
	"peak memory, % of payload":   15,
}

type bound struct {
	Measured int64 `json:"measured"` // when it was recorded
	Bound    int64 `json:"bound"`
}

var recorded = struct {
	sync.Mutex
	bounds map[string]bound
}{bounds: map[string]bound{}}

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(guarded(m))
}

// built is the built program's file.
var built string

func guarded(m *testing.M) int {
	dir, err := os.MkdirTemp("", "hookbridge-guard-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	built = filepath.Join(dir, "hookbridge")
	code := m.Run()
	if *record && code == 0 {
		all, err := readBounds()
		maps.Copy(all, recorded.bounds)
		text, _ := json.MarshalIndent(all, "", "\t")
		if err == nil {
			err = os.WriteFile(boundsFile, append(text, '\n'), 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	return code
}

// hold compares a value with its bound, or records it.
func hold(t *testing.T, name string, value int64) {
	t.Helper()
	margin, ok := margins[name]
	if !ok {
		t.Fatalf("no margin for %q", name)
	}
	if *record {
		recorded.Lock()
		defer recorded.Unlock()
		recorded.bounds[name] = bound{value, value + value*int64(margin)/100}
		return
	}
	b := boundOf(t, name)
	t.Logf("%s: %d of at most %d", name, value, b.Bound)
	if value > b.Bound {
		t.Errorf("%s: %d, more than %d (%d when it was recorded)", name, value, b.Bound, b.Measured)
	}
}

func readBounds() (map[string]bound, error) {
	all := map[string]bound{}
	text, err := os.ReadFile(boundsFile)
	if err != nil {
		return all, err
	}
	return all, json.Unmarshal(text, &all)
}

// boundOf returns the recorded bound.
func boundOf(t *testing.T, name string) bound {
	t.Helper()
	all, err := readBounds()
	if err != nil {
		t.Fatal(err)
	}
	b, ok := all[name]
	if !ok {
		t.Fatalf("%s has no %q: go test ./bench/guard -record", boundsFile, name)
	}
	return b
}

var build = sync.OnceValue(func() error { return compile(built, runtime.GOOS, runtime.GOARCH) })

// compile builds the program as it is released, but without -trimpath, which would compile everything again.
func compile(out, goos, goarch string) error {
	cmd := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", out, "../../cmd/hookbridge")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	return nil
}

func program(t *testing.T) string {
	t.Helper()
	if err := build(); err != nil {
		t.Fatal(err)
	}
	return built
}

// payload returns a Cursor payload whose command has n bytes.
func payload(n int) []byte {
	return fmt.Appendf(nil, `{"conversation_id":"guard","generation_id":"g","model":"m","tool_name":"Shell",`+
		`"tool_input":{"command":"echo %s","cwd":"","timeout":30000},`+
		`"tool_use_id":"u","cwd":"","session_id":"guard","hook_event_name":"preToolUse","cursor_version":"3.15.19",`+
		`"workspace_roots":["/"],"user_email":null,"transcript_path":null}`,
		strings.Repeat(`line \"x\"\n`, n/12))
}

// A scene is a folder with a payload and a project of ten hooks, one of which matches, and the arguments for
// hookbridge.
type scene struct {
	dir, payload string
	env          []string
	single, ten  []string
}

func newScene(t *testing.T) scene {
	t.Helper()
	dir := t.TempDir()
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(filepath.Join(dir, "project", ".claude"), 0o700))
	must(os.MkdirAll(filepath.Join(dir, "state"), 0o700))
	var groups []string
	for i := range 10 {
		matcher := "Edit|Write"
		if i == 4 {
			matcher = "^Bash$"
		}
		groups = append(groups, fmt.Sprintf(`{"matcher":%q,"hooks":[{"type":"command","command":"exit 0 # %d"}]}`,
			matcher, i))
	}
	must(os.WriteFile(filepath.Join(dir, "project", ".claude", "settings.json"),
		[]byte(`{"hooks":{"PreToolUse":[`+strings.Join(groups, ",")+`]}}`), 0o600))
	s := scene{dir: dir, payload: filepath.Join(dir, "payload.json")}
	must(os.WriteFile(s.payload, payload(1<<10), 0o600))
	s.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(dir), "PWD=" + dir, "TMPDIR=" + dir,
		"HOOKBRIDGE_STATE_DIR=" + filepath.Join(dir, "state"), "GOMAXPROCS=1"}
	s.single = []string{"run", "--host", "cursor", "-c", "exit 0"}
	s.ten = []string{"run", "--host", "cursor", "--project", filepath.Join(dir, "project")}
	return s
}

// command returns hookbridge with the payload on its stdin, run by a tool if prefix names one.
func (s scene) command(t *testing.T, args []string, prefix ...string) *exec.Cmd {
	t.Helper()
	argv := append(append(prefix, program(t)), args...)
	cmd := exec.Command(argv[0], argv[1:]...)
	in, err := os.Open(s.payload)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	cmd.Env, cmd.Dir, cmd.Stdin = s.env, s.dir, in
	os.RemoveAll(filepath.Join(s.dir, "state"))
	if err := os.Mkdir(filepath.Join(s.dir, "state"), 0o700); err != nil {
		t.Fatal(err)
	}
	return cmd
}
