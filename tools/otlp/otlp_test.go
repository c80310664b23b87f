// Package otlp reads the output of log --format otlp with OpenTelemetry's own types, which the program doesn't depend
// on.
package otlp

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/slim/otlp/collector/logs/v1"
	otlpcommon "go.opentelemetry.io/proto/slim/otlp/common/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

// otlpLog returns what the program prints for a log with every form of record.
func otlpLog(t *testing.T) []string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "hookbridge")
	build := exec.Command("go", "build", "-o", program, "./cmd/hookbridge")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}

	log := exec.Command(program, "log", "--format", "otlp", "../../cmd/hookbridge/testdata/otlp.log")
	log.Env = append(os.Environ(),
		"OTEL_RESOURCE_ATTRIBUTES=host.name=lap%2Ctop, team = a b,share=5%,service.name=other,empty=")
	out, err := log.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

// decodeOTLP reads a line strictly as an export request. The JSON form has trace and span IDs in hexadecimal, but
// Protobuf's own form has base64.
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

// TestOTLPDecodes checks that every line is an ExportLogsServiceRequest with one record, and that OpenTelemetry's types
// define every field and kind of value.
func TestOTLPDecodes(t *testing.T) {
	lines := otlpLog(t)
	if len(lines) != 4 {
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
