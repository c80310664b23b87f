package gemini

import (
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestTranscript checks that written lines can be read back.
func TestTranscript(t *testing.T) {
	for _, line := range []string{
		`{"id":"i","timestamp":"t","type":"user","content":[{"text":"hi"}]}`,
		`{"id":"i","timestamp":"t","type":"gemini","content":"ok","model":"m"}`,
		`{"id":"i","timestamp":"t","type":"gemini","content":"","thoughts":[{"description":"hm"}],"model":"m"}`,
		`{"id":"i","timestamp":"t","type":"gemini","content":"","toolCalls":[{"id":"u","name":"run_shell_command",` +
			`"args":{"command":"ls"}}],"model":"m"}`,
		`{"id":"i","timestamp":"t","type":"gemini","content":"","toolCalls":[{"id":"u","name":"mcp_hb_echo",` +
			`"args":{"text":"x"}}],"model":"m"}`,
		`{"id":"i","timestamp":"t","type":"user","content":[{"functionResponse":{"id":"u",` +
			`"response":{"output":"x"}}}]}`,
		`{"id":"i","timestamp":"t","type":"user","content":[{"functionResponse":{"id":"u","response":{"error":"x"}}}]}`,
	} {
		ms, err := New().DecodeMessage([]byte(line))
		if err != nil || len(ms) != 1 {
			t.Errorf("%s: %v %v", line, ms, err)
			continue
		}
		ms[0].ID = "i"
		same(t, line, string(New().AppendMessage(nil, &ms[0], &schema.Thread{})), line+"\n")
	}
	for _, line := range []string{`{"sessionId":"s","kind":"main"}`,
		`{"$set":{"messages":[{"id":"0","type":"user","content":[{"text":"x"}]}]}}`, `{"type":"info","content":"x"}`} {
		if ms, err := New().DecodeMessage([]byte(line)); err != nil || ms != nil {
			t.Errorf("%s: %v %v", line, ms, err)
		}
	}
}

// TestURLs checks that a guard sees each address that the client may fetch separately.
func TestURLs(t *testing.T) {
	for prompt, want := range map[string][]string{
		"see https://a.b/c, and <http://d>.":    {"https://a.b/c", "http://d"},
		"https://a https://a":                   {"https://a"},
		"HTTPS://A.b/C":                         {"https://A.b/C"},
		"https://a\ufeffhttp://evil\u2028x":     {"https://a", "http://evil"},
		`https:\\evil/?://`:                     {"https://evil/?://"},
		"https:/evil/://":                       {"https://evil/://"},
		"no address, http, https: or ftp://x":   nil,
		"x=https://\u212aelvin \u0130https://i": {"https://\u212aelvin", "https://i"},
	} {
		same(t, prompt, urlsIn(prompt), want)
	}
	var prompt string
	for range 50 {
		prompt += " https://h/" + string(rune('a'+len(prompt)%26)) + string(rune('a'+len(prompt)/26%26)) +
			string(rune('a'+len(prompt)/676))
	}
	c, _ := New().DecodeCall([]byte(`{"hook_event_name":"BeforeTool","tool_name":"web_fetch","tool_input":{"prompt":"`+
		prompt+`"}}`), nil)
	seen := ""
	parts := New().Split(c)[0]
	for _, p := range parts {
		seen += " " + p.Tool.Input.Text(schema.RoleURL)
	}
	same(t, "parts", len(parts), maxURLs)
	same(t, "addresses", seen, prompt)
}
