package copilot

import (
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestTranscript checks how a line is read (observed 1.0.102), and that written lines are read back the same.
func TestTranscript(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{`{"type":"session.start","data":{"sessionId":"s"},"timestamp":"2026-11-22T09:00:25.850Z"}`, ""},
		{`{"type":"user.message","data":{"content":"go",` +
			`"transformedContent":"<current_datetime>x</current_datetime>\n\ngo"},` +
			`"timestamp":"2026-11-22T09:00:26.245Z"}`,
			`user "go"`},
		{`{"type":"assistant.message","data":{"messageId":"m","model":"mock","content":"",` +
			`"toolRequests":[{"toolCallId":"c","name":"view","arguments":{"path":"/a"}}]}}`,
			`model use read c "/a"`},
		{`{"type":"assistant.message","data":{"messageId":"m","content":"now","toolRequests":[{"toolCallId":"c",` +
			`"name":"my-hb-echo","arguments":{"text":"hey"},"mcpServerName":"my-hb","mcpToolName":"echo"}]}}`,
			`model "now" use mcp c my-hb echo`},
		{`{"type":"tool.execution_complete","data":{"toolCallId":"c","success":true,"result":{"content":"bad\n` +
			`<shellId: 0 completed with exit code 3>"}}}`,
			`user result c failed "bad"`},
		{`{"type":"tool.execution_complete","data":{"toolCallId":"c","success":false,"error":{"message":"no"}}}`,
			`user result c failed "no"`},
		{`{"type":"assistant.message","data":{"content":"sub done","toolRequests":[]},"agentId":"a"}`, ""},
		{`{"type":"assistant.message","data":{"content":"done","toolRequests":[]}}`, `model "done"`},
		{`{"type":"hook.start","data":{"hookType":"agentStop"},"timestamp":"2026-11-22T09:00:27.712Z"}`, `user`},
	} {
		ms, err := New().DecodeMessage([]byte(tt.line))
		if err != nil {
			t.Fatal(err)
		}
		if got := saidIn(ms); got != tt.want {
			t.Errorf("%s:\n%s, want %s", tt.line, got, tt.want)
			continue
		}
		for i := range ms {
			thread := &schema.Thread{Session: "s", Cwd: "/p", Now: time.Unix(0, 0)}
			written := New().AppendMessage(nil, &ms[i], thread)
			back, err := New().DecodeMessage(written)
			if got := saidIn(back); len(ms[i].Blocks) > 0 && (err != nil || got != tt.want) {
				t.Errorf("%s\nis written as %s\n%s, want %s", tt.line, written, got, tt.want)
			}
		}
	}
	if _, err := New().DecodeMessage([]byte(`{"role":"user"}`)); err == nil {
		t.Error("a line without a type is none of a transcript")
	}
}

func saidIn(ms []schema.Message) (s string) {
	for i := range ms {
		if s = "user"; ms[i].From == schema.Assistant {
			s = "model"
		}
		for _, b := range ms[i].Blocks {
			switch b.Kind {
			case schema.BlockText:
				s += " " + string(b.Text)
			case schema.BlockUse:
				s += " use " + b.Tool.Kind().String() + " " + b.Tool.UseID
				if b.Tool.Server != "" {
					s += " " + b.Tool.Server + " " + b.Tool.Name
				} else if path := b.Tool.Input.Text(schema.RolePath); path != "" {
					s += " " + string(ordjson.AppendString(nil, path))
				}
			case schema.BlockResult:
				s += " result " + b.Tool.UseID
				if b.Failed {
					s += " failed"
				}
				s += " " + string(b.Result)
			}
		}
	}
	return s
}
