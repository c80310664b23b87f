package qwen

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestTranscript checks that lines in the client's form (observed 0.24.4) are read, and written the same way.
func TestTranscript(t *testing.T) {
	const model = `,"cwd":"/p","version":"0.24.4","model":"mock","message":{"role":"model","parts":[`
	const user = `,"cwd":"/p","version":"0.24.4","message":{"role":"user","parts":[`
	for _, said := range []string{
		`"user"` + user + `{"text":"hello there"}`,
		`"assistant"` + model + `{"text":"done"}`,
		`"assistant"` + model + `{"text":"hm","thought":true}`,
		`"assistant"` + model + `{"functionCall":{"id":"c","name":"run_shell_command","args":{"command":"echo hi"}}}`,
		`"tool_result"` + user + `{"functionResponse":{"id":"c","response":{"output":"hi"}}}`,
		`"tool_result"` + user + `{"functionResponse":{"id":"c","response":{"error":"no"}}}`,
	} {
		line := `{"uuid":"s-0","parentUuid":null,"sessionId":"s","timestamp":"t","type":` + said + "]}}\n"
		ms, err := New().DecodeMessage([]byte(line))
		if err != nil || len(ms) != 1 {
			t.Errorf("%s: %v %v", line, ms, err)
			continue
		}
		thread := schema.Thread{Session: "s", Cwd: "/p", Version: "0.24.4"}
		if got := string(New().AppendMessage(nil, &ms[0], &thread)); got != line {
			t.Errorf("got  %swant %s", got, line)
		}
		second := string(New().AppendMessage(nil, &ms[0], &thread))
		if want := strings.Replace(strings.Replace(line, `"s-0"`, `"s-1"`, 1), "null", `"s-0"`, 1); second != want {
			t.Errorf("got  %swant %s", second, want)
		}
	}
	ms, _ := New().DecodeMessage([]byte(`{"type":"tool_result","message":{"parts":[{"functionResponse":{"id":"c",` +
		`"response":{"output":"Command: echo hi\nDirectory: (root)\nOutput: hi\nError: (none)\nExit Code: 0\n` +
		`Signal: (none)\nProcess Group PGID: (none)"}}}]}}`))
	if len(ms) != 1 || string(ms[0].Blocks[0].Result) != `"hi"` {
		t.Errorf("a command's result: %+v", ms)
	}
	if ms, err := New().DecodeMessage([]byte(`{"type":"system","subtype":"ui_telemetry"}`)); err != nil || ms != nil {
		t.Errorf("telemetry: %v %v", ms, err)
	}
}
