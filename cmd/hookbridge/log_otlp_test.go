package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
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

	collector "go.opentelemetry.io/proto/slim/otlp/collector/logs/v1"

	"github.com/hookbridge/hookbridge/internal/jsondoc"
	otlpcommon "go.opentelemetry.io/proto/slim/otlp/common/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

// otlpLog is a log of generated records as log --format otlp writes it.
func otlpLog(t *testing.T, records ...common.LogRecord) []string {
	t.Helper()
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "host.name=lap%2Ctop, team = a b,share=5%,service.name=other,empty=")
	var text bytes.Buffer
	for _, r := range records {
		text.WriteString(string(jsondoc.Marshal(r)) + "\n")
	}
	file := filepath.Join(t.TempDir(), "run.log")
	if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := output("log", "--format", "otlp", file)
	if code != 0 || errs != "" {
		t.Fatalf("%d %s", code, errs)
	}
	return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
}

// otlpRecords are records of every form that a log has.
func otlpRecords() []common.LogRecord {
	return []common.LogRecord{
		{Time: "2026-11-23T10:00:00.5Z", HooksOf: "claude", Host: "cursor", Version: "3.15.19", Event: "preToolUse",
			Session: "s1", Tool: "Shell", CallID: "u1",
			Trace: traceparent, Project: "/p", Decision: "deny", Effects: "deny,reason", MS: 12.5,
			Findings: []common.LogFinding{{Code: "HB205", Severity: "note", Path: ""}},
			Hooks: []common.LogHook{{Event: "PreToolUse", Tool: "Bash", Handler: "command", Command: "./guard.sh",
				File: "/p/.claude/settings.json", Line: 3, Exit: 2, MS: 11.25, Decision: "deny"}}},
		{Time: "2026-11-23T10:00:01Z", HooksOf: "claude", Host: "codex", Event: "Stop", Trace: "00-0-0-01",
			Decision: "none", MS: 1,
			Hooks: []common.LogHook{{Event: "Stop", Handler: "command", Command: "sleep 9", TimedOut: true,
				Signal: "killed"}}},
		{Time: "yesterday", Failed: true, Findings: []common.LogFinding{{Code: "HB900", Severity: "error", Path: ""}}},
		{},
	}
}

// decodeOTLP reads a line strictly as an export request. The JSON form has trace and span
// IDs in hexadecimal, where Protobuf's own has base64.
func decodeOTLP(t *testing.T, line string) *collector.ExportLogsServiceRequest {
	t.Helper()
	ids := regexp.MustCompile(`"(traceId|spanId)":"([^"]*)"`)
	line = ids.ReplaceAllStringFunc(line, func(m string) string {
		f := ids.FindStringSubmatch(m)
		id, err := hex.DecodeString(f[2])
		if want := map[string]int{"traceId": 16, "spanId": 8}[f[1]]; err != nil || len(id) != want {
			t.Errorf("%s", m)
		}
		return fmt.Sprintf("%q:%q", f[1], base64.StdEncoding.EncodeToString(id))
	})
	req := &collector.ExportLogsServiceRequest{}
	if err := protojson.Unmarshal([]byte(line), req); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return req
}

// TestOTLPDecodes holds that every line is an ExportLogsServiceRequest with one record,
// without a field or a kind of value that OpenTelemetry's types don't have.
func TestOTLPDecodes(t *testing.T) {
	lines := otlpLog(t, otlpRecords()...)
	if len(lines) != len(otlpRecords()) {
		t.Fatalf("%d lines", len(lines))
	}
	var all []map[string]*otlpcommon.AnyValue
	for i, line := range lines {
		req := decodeOTLP(t, line)
		if len(req.ResourceLogs) != 1 || len(req.ResourceLogs[0].ScopeLogs) != 1 ||
			len(req.ResourceLogs[0].ScopeLogs[0].LogRecords) != 1 {
			t.Fatalf("line %d: %v", i, req)
		}
		if got := attributesOf(req.ResourceLogs[0].Resource.Attributes); got["host.name"].GetStringValue() !=
			"lap,top" || got["service.name"].GetStringValue() != "hookbridge" ||
			got["team"].GetStringValue() != "a b" || got["share"].GetStringValue() != "5%" || len(got) != 4 {
			t.Errorf("resource: %v", got)
		}
		all = append(all, attributesOf(req.ResourceLogs[0].ScopeLogs[0].LogRecords[0].Attributes))
	}
	first := decodeOTLP(t, lines[0]).ResourceLogs[0].ScopeLogs[0].LogRecords[0]
	if hex.EncodeToString(first.TraceId) != traceparent[3:35] ||
		hex.EncodeToString(first.SpanId) != traceparent[36:52] || first.Flags != 1 {
		t.Errorf("trace %x span %x flags %d", first.TraceId, first.SpanId, first.Flags)
	}
	if time.Unix(0, int64(first.TimeUnixNano)).UTC().Format(time.RFC3339Nano) != "2026-11-23T10:00:00.5Z" ||
		first.SeverityText != "WARN" || first.EventName != "hookbridge.call" {
		t.Errorf("%v", first)
	}
	for name, want := range map[string]string{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "Shell",
		"gen_ai.tool.call.id":    "u1",
		"gen_ai.conversation.id": "s1", "hookbridge.decision": "deny", "hookbridge.agent": "cursor"} {
		if got := all[0][name].GetStringValue(); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if all[0]["hookbridge.duration"].GetDoubleValue() != 0.0125 ||
		all[0]["hookbridge.reason.codes"].GetArrayValue().Values[0].GetStringValue() != "HB205" {
		t.Errorf("%v", all[0])
	}
	if _, tool := all[1]["gen_ai.operation.name"]; tool {
		t.Error("a Stop event is no tool execution")
	}
	if all[2]["error.type"].GetStringValue() != "HB900" {
		t.Errorf("%v", all[2])
	}
}

func attributesOf(list []*otlpcommon.KeyValue) map[string]*otlpcommon.AnyValue {
	m := map[string]*otlpcommon.AnyValue{}
	for _, a := range list {
		m[a.Key] = a.Value
	}
	return m
}

// TestOTLPCollector posts every line to a real OpenTelemetry collector, as docs/fleet.md
// says, and looks for every attribute in what it prints.
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
	lines := otlpLog(t, otlpRecords()...)
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
		record := decodeOTLP(t, line).ResourceLogs[0].ScopeLogs[0].LogRecords[0]
		for name := range attributesOf(record.Attributes) {
			if !strings.Contains(printed(), "-> "+name+": ") {
				t.Errorf("the collector doesn't show %s", name)
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

// TestLogWriters runs 200 hook calls at once that log to one file, which is rotated
// among them: every call leaves its line.
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
