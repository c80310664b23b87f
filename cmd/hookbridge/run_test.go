package main

import (
	"bytes"
	"context"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/schema"
)

// faulty is a dialect whose reader has a fault.
type faulty struct{ adapter.Dialect }

func (faulty) DecodeCall([]byte, schema.Environ) (*schema.Call, schema.Diagnostics) {
	panic("broken")
}

// TestFault holds that a fault of the program itself never ends it with status 2.
func TestFault(t *testing.T) {
	d, _ := adapter.Find("cursor")
	b := &bridge.Bridge{Host: faulty{d}, Hooks: d, Now: nil}
	answer, rep, err := b.Guarded(context.Background(), nil, "", nil)
	if answer != nil || err == nil || len(rep.Diagnostics) != 1 || rep.Diagnostics[0].Code != schema.CodeBridge {
		t.Errorf("answer %s, error %v, %v", answer, err, rep.Diagnostics)
	}
	b.FailClosed = true
	answer, _, err = b.Guarded(context.Background(), nil, "", nil)
	if err != nil || len(answer) < 10 {
		t.Errorf("fail closed: answer %s, error %v", answer, err)
	}
}

// FuzzLog gives anything for a run log: every line is a record or said to be none,
// and nothing of it reaches a terminal as more than text.
func FuzzLog(f *testing.F) {
	f.Add([]byte(`{"time":"2026-11-21T14:00:00Z","hooks_of":"claude","host":"cursor","event":"stop","session":"s",` +
		`"hooks":[{"event":"Stop","handler":"command","exit":2,"ms":1}],"decision":"none","effects":"",` +
		`"diagnostics":[{"code":"HB204","severity":"note","path":""}],"failed":false,"ms":2.5}`))
	f.Add([]byte("{\"tool\":\"\x1b[2J\"}\n[]\n\xff"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var out, errs bytes.Buffer
		tl := &timeline{std: stdio{nil, &out, &errs}, name: "log", flags: &logFlags{}}
		tl.read(bytes.NewReader(text), tl.print)
		if bytes.ContainsAny(append(out.Bytes(), errs.Bytes()...), "\x1b\x07\x00") {
			t.Fatalf("%q %q", out.Bytes(), errs.Bytes())
		}
	})
}

// FuzzReadHooks gives anything for a plugin's manifest and for a file with front
// matter.
func FuzzReadHooks(f *testing.F) {
	f.Add([]byte(`{"hooks":["hooks/a.json","../../../etc/passwd"]}`))
	f.Add([]byte(`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x"}]}]}}`))
	f.Add([]byte("---\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: x\n---\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, d := range adapter.Dialects() {
			for _, file := range []string{"/no/such/plugin/.claude-plugin/plugin.json", "/no/such/skill.md"} {
				cfg, ds := desk().Parse(d, d.Given(file), text)
				if cfg == nil && ds.Max() != schema.Error {
					t.Fatalf("%s: nothing, and no error", d.Profile().Name)
				}
			}
		}
	})
}
