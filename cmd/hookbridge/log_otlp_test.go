package main

import (
	"bytes"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/command/common"
)

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

// otlpLog returns what log --format otlp prints for a log with every form of record. The test in tools/otlp reads the
// same with OpenTelemetry's types.
func otlpLog(t *testing.T) []string {
	t.Helper()
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "host.name=lap%2Ctop, team = a b,share=5%,service.name=other,empty=")
	code, out, errs := output("log", "--format", "otlp", "testdata/otlp.log")
	if code != 0 || errs != "" {
		t.Fatalf("%d %s", code, errs)
	}
	return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
}

// TestOTLPCollector posts every line to a real OpenTelemetry collector, as docs/fleet.md describes, and looks for every
// attribute in the collector's output.
func TestOTLPCollector(t *testing.T) {
	dir := os.Getenv("HOOKBRIDGE_COLLECTOR")
	if dir == "" {
		t.Skip("HOOKBRIDGE_COLLECTOR names no folder to build the collector in: scripts/collector.sh")
	}
	program, err := exec.Command("../../scripts/collector.sh", dir).Output()
	if err != nil {
		t.Skip("the collector can't be built here: ", err)
	}
	url, printed, end := runCollector(t, strings.TrimSpace(string(program)), "detailed")
	lines := otlpLog(t)
	for _, line := range lines {
		r, err := http.Post(url+"/v1/logs", "application/json", strings.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", r.Status, line)
		}
	}
	end()
	for _, line := range lines {
		_, record, _ := strings.Cut(line, `"logRecords":`)
		for _, m := range regexp.MustCompile(`"key":"([^"]+)"`).FindAllStringSubmatch(record, -1) {
			if !strings.Contains(printed(), "-> "+m[1]+": ") {
				t.Errorf("the collector doesn't show %s", m[1])
			}
		}
	}
	for _, want := range []string{"-> gen_ai.tool.name: Str(Shell)", "-> hookbridge.decision: Str(deny)",
		"-> host.name: Str(lap,top)", "SeverityText: WARN",
		"Trace ID: " + traceparent[3:35], "Span ID: " + traceparent[36:52], "EventName: hookbridge.call",
		"-> hookbridge.duration: Double(0.0125)"} {
		if !strings.Contains(printed(), want) {
			t.Errorf("the collector doesn't show %s:\n%s", want, printed())
		}
	}
}

// runCollector starts a collector that prints what it receives.
func runCollector(t *testing.T, program, verbosity string) (url string, printed func() string,
	end func() *os.ProcessState) {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := free.Addr().String()
	free.Close()
	config := filepath.Join(t.TempDir(), "collector.yaml")
	text := `receivers: {otlp: {protocols: {http: {endpoint: "` + addr + `"}}}}
exporters: {debug: {verbosity: ` + verbosity + `}}
service:
  telemetry: {metrics: {level: none}, logs: {sampling: {enabled: false}}}
  pipelines: {logs: {receivers: [otlp], exporters: [debug]}}
`
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--config", config)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	end = sync.OnceValue(func() *os.ProcessState { cmd.Process.Signal(os.Interrupt); <-ended; return cmd.ProcessState })
	t.Cleanup(func() { end() })
	for {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			return "http://" + addr, out.String, end
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("the collector ended: %v\n%s", err, out.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// TestLogWriters runs 200 concurrent hook calls that log to one file, which is rotated during them. Every call must
// leave its line.
func TestLogWriters(t *testing.T) {
	const calls = 200
	dir := t.TempDir()
	file := filepath.Join(dir, "run.log")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const old = 64<<20 - 100*500 // some of the lines fit
	if err := os.Truncate(file, old); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range calls {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0], "run", "--host", "cursor", "--project", dir, "--log", file)
			cmd.Args[0] = "hookbridge"
			cmd.Env = append(os.Environ(), "HOOKBRIDGE_STATE_DIR="+filepath.Join(dir, "state"), "HOME="+dir,
				"TRACEPARENT="+traceparent)
			cmd.Stdin = strings.NewReader(`{"hook_event_name":"preToolUse","conversation_id":"c` + strconv.Itoa(i) +
				`","tool_name":"Shell",` +
				`"tool_input":{"command":"ls"},"cursor_version":"3.15.19","workspace_roots":["/nowhere"]}`)
			if out, err := cmd.CombinedOutput(); err != nil || bytes.Contains(out, []byte("warning")) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	var sessions []string
	for _, name := range []string{file + ".1", file} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(strings.TrimLeft(string(text), "\x00")) {
			r, err := common.ReadRecord([]byte(line))
			if err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			if r.Trace != traceparent {
				t.Errorf("trace %q", r.Trace)
			}
			sessions = append(sessions, r.Session)
		}
	}
	slices.Sort(sessions)
	if n := len(slices.Compact(sessions)); n != calls || len(sessions) != calls {
		t.Errorf("%d lines of %d sessions", len(sessions), n)
	}
}
