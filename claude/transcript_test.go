package claude

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// TestTranscriptVersion checks that a transcript has the tool names of its readers' version.
func TestTranscriptVersion(t *testing.T) {
	old, err := New().At("2.0.45")
	if err != nil {
		t.Fatal(err)
	}
	m := schema.Message{From: schema.Assistant, Blocks: []schema.Block{{Kind: schema.BlockUse,
		Tool: schema.Tool{Name: "task", Kinds: []schema.Kind{schema.Agent}, UseID: "u"}}}}
	for d, name := range map[dialect.Dialect]string{New(): "Agent", old: "Task"} {
		line := string(d.Abilities().Transcripts.AppendMessage(nil, &m, &schema.Thread{Session: "s"}))
		if !strings.Contains(line, `"name":"`+name+`"`) {
			t.Errorf("want the tool %s: %s", name, line)
		}
	}
}
