package guard

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSize builds for one system, so that the bound has the same meaning everywhere.
func TestSize(t *testing.T) {
	var out string
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		out = program(t)
	} else if out = filepath.Join(t.TempDir(), "hookbridge"); compile(out, "linux", "amd64") != nil {
		t.Fatal("the program can't be built")
	}
	info, err := os.Stat(out)
	if err != nil {
		t.Fatal(err)
	}
	hold(t, "binary bytes", info.Size())
}

// stackInit matches the only initializer of this module, which makes room on the stack and does nothing else.
var stackInit = regexp.MustCompile(`(?m)^init \S+/internal/startstack @.*, 0 bytes, 0 allocs$`)

// TestInit adds up what the packages' initializers allocate at every start. In this module only stackInit is allowed.
func TestInit(t *testing.T) {
	s := newScene(t)
	cmd := s.command(t, []string{"version"})
	cmd.Env = append(s.env, "GODEBUG=inittrace=1")
	var trace strings.Builder
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	var bytes, allocs int64
	for _, m := range regexp.MustCompile(`(?m)^init .* (\d+) bytes, (\d+) allocs$`).FindAllStringSubmatch(
		trace.String(), -1) {
		b, _ := strconv.ParseInt(m[1], 10, 64)
		n, _ := strconv.ParseInt(m[2], 10, 64)
		bytes, allocs = bytes+b, allocs+n
	}
	if allocs == 0 {
		t.Fatalf("no trace: %s", &trace)
	}
	rest := stackInit.ReplaceAllString(trace.String(), "")
	if ours := regexp.MustCompile(`(?m)^init (\S+/hookbridge\S*|main) `).FindString(rest); ours != "" {
		t.Errorf("%shas tables that are made at every start; the compiler can make them if no function and no other "+
			"package's variable is in them", ours)
	}
	hold(t, "init bytes", bytes)
	hold(t, "init allocations", allocs)
}

// TestTranslate counts the allocations for reading a payload and writing it for a hook.
func TestTranslate(t *testing.T) {
	from, _ := adapter.Find("cursor")
	to, _ := adapter.Find("claude")
	translate := func(src []byte) {
		c, ds := from.DecodeCall(src, nil)
		if c == nil {
			t.Fatal(ds)
		}
		to.AppendCall(make([]byte, 0, len(src)+512), c, to.Views(c)[0])
	}
	small, large := payload(1<<10), payload(1<<20)
	hold(t, "translate allocations", int64(testing.AllocsPerRun(100, func() { translate(small) })))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	translate(large)
	runtime.ReadMemStats(&after)
	hold(t, "translate bytes, 1 MiB", int64(after.TotalAlloc-before.TotalAlloc))
}

// TestConvert counts the allocations per hook when a file of 1,000 hooks is converted.
func TestConvert(t *testing.T) {
	from, _ := adapter.Find("claude")
	to, _ := adapter.Find("cursor")
	const hooks = 1000
	var text strings.Builder
	for i := range hooks {
		fmt.Fprintf(&text, `,{"matcher":"Edit|Write","hooks":[{"type":"command","command":"./guard-%d.sh"}]}`, i)
	}
	cfg, ds := from.ParseConfig([]byte(`{"hooks":{"PreToolUse":[`+text.String()[1:]+`]}}`),
		schema.Source{File: "/p/.claude/settings.json"})
	if len(cfg.Hooks) != hooks {
		t.Fatal(ds)
	}
	hold(t, "convert allocations, a hook", int64(testing.AllocsPerRun(2, func() {
		if c := convert.Convert(from, to, cfg, convert.ConvertOptions{}); len(c.Entries) != hooks {
			t.Fatal(len(c.Entries), c.Diagnostics)
		}
	}))/hooks)
}

// TestBridge counts the allocations of a whole call in one process.
func TestBridge(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the bound is of the engine for Linux")
	}
	from, _ := adapter.Find("cursor")
	to, _ := adapter.Find("claude")
	src := payload(1 << 10)
	n := testing.AllocsPerRun(10, func() {
		b := bridge.Bridge{Host: from, Hooks: to, Now: time.Now, TempDir: t.TempDir(),
			Places: schema.Places{OS: "linux", Home: "/", Env: schema.Environ{"PATH=/usr/bin:/bin", "PWD=/"}},
			Single: &schema.Hook{Handler: schema.HandlerCommand, Command: "exit 0"}}
		if out, _, err := b.Run(context.Background(), src, ""); err != nil || string(out) != "{}" {
			t.Fatalf("%s %v", out, err)
		}
	})
	hold(t, "bridge allocations", int64(n))
}

// TestInstructions runs hookbridge in callgrind, which counts what the program itself executes, without the kernel and
// the hook. hookbridge shares its memory with a program that it starts until that one is loaded. This sometimes ends
// callgrind, and the test then tries again. A busy machine adds work to the runtime, so the lowest of some runs counts.
func TestInstructions(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the bound is of linux/amd64")
	}
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		t.Skip("there is no valgrind")
	}
	s := newScene(t)
	collected := regexp.MustCompile(`Collected : (\d+)`)
	for name, args := range map[string][]string{"run instructions": s.single, "run, 10 hooks, instructions": s.ten} {
		var least int64
		var text []byte
		enough := int64(0)
		if !*record {
			enough = boundOf(t, name).Bound
		}
		for try := 0; try < 12 && (try < 3 || least == 0 || least > enough && enough > 0); try++ {
			text, _ = s.command(t, args, valgrind, "--tool=callgrind",
				"--callgrind-out-file=/dev/null").CombinedOutput()
			if m := collected.FindSubmatch(text); m != nil {
				if n, _ := strconv.ParseInt(string(m[1]), 10, 64); least == 0 || n < least {
					least = n
				}
			}
		}
		if least == 0 {
			t.Skipf("valgrind does not run it here: %.300s", text)
		}
		hold(t, name, least)
	}
}

// TestFilesAndProcesses counts the files that hookbridge opens and the programs
// that it starts, with strace.
func TestFilesAndProcesses(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("there is no strace")
	}
	s := newScene(t)
	trace := filepath.Join(s.dir, "trace")
	for name, args := range map[string][]string{"run": s.single, "run, 10 hooks,": s.ten} {
		if text, err := s.command(t, args, strace, "-f", "-o", trace, "-e",
			"trace=open,openat,execve").CombinedOutput(); err != nil {
			t.Skipf("strace does not run here: %v %.300s", err, text)
		}
		text, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		opens, programs := count(string(text))
		hold(t, name+" opens", opens)
		hold(t, name+" processes", programs)
	}
}

// count reads the trace. The processes that open files before they become another program, or never become one, are
// hookbridge.
func count(trace string) (opens, programs int64) {
	other := map[string]bool{}
	first := true
	for line := range strings.Lines(trace) {
		pid, call, _ := strings.Cut(strings.TrimSpace(line), " ")
		call = strings.TrimSpace(call)
		switch {
		case strings.HasPrefix(call, "execve(") && first:
			first = false
		case strings.HasPrefix(call, "execve("):
			other[pid] = true
			programs++
		// opened by Go itself
		case strings.HasPrefix(call, "open") && !other[pid] && !strings.Contains(call, `"/sys/`) &&
			!strings.Contains(call, `"/proc/`):
			opens++
		}
	}
	return opens, programs
}

// TestPeak checks the memory that a large payload takes.
func TestPeak(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the peak is read from Linux")
	}
	s := newScene(t)
	const size = 24 << 20
	if err := writeLarge(s.payload, size); err != nil {
		t.Fatal(err)
	}
	cmd := s.command(t, []string{"run", "--host", "cursor", "-c", "cat >/dev/null"}, "/bin/sh", "-c", `cat | "$@"`,
		"sh")
	if text, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(text)) != "{}" {
		t.Fatalf("%s %v", text, err)
	}
	info, err := os.Stat(s.payload)
	if err != nil {
		t.Fatal(err)
	}
	hold(t, "peak memory, % of payload", peak(cmd.ProcessState)*100/info.Size())
}

// writeLarge writes a payload of about size bytes without keeping it in memory, because a program starts with the peak
// of its parent.
func writeLarge(file string, size int) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	head, tail, _ := strings.Cut(string(payload(12)), `line \"x\"\n`)
	if _, err := f.WriteString(head); err != nil {
		return err
	}
	line := strings.Repeat(`line \"x\"\n`, 1000)
	for n := 0; n < size; n += len(line) {
		if _, err := f.WriteString(line); err != nil {
			return err
		}
	}
	_, err = f.WriteString(tail)
	return err
}
