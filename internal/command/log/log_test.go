package log

import (
	"bytes"
	"testing"

	"github.com/hookbridge/hookbridge/internal/command/cli"
)

// FuzzLog reads arbitrary text as a run log. Every line must be a record or be reported as not one, and may reach a
// terminal only as text.
func FuzzLog(f *testing.F) {
	f.Add([]byte(`{"time":"2026-11-21T14:00:00Z","hooks_of":"claude","host":"cursor","event":"stop","session":"s",` +
		`"hooks":[{"event":"Stop","handler":"command","exit":2,"ms":1}],"decision":"none","effects":"",` +
		`"diagnostics":[{"code":"HB204","severity":"note","path":""}],"failed":false,"ms":2.5}`))
	f.Add([]byte("{\"tool\":\"\x1b[2J\"}\n[]\n\xff"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var out, errs bytes.Buffer
		tl := &timeline{std: cli.IO{In: nil, Out: &out, Err: &errs}, name: "log", flags: &flags{}}
		tl.read(bytes.NewReader(text), tl.print)
		if bytes.ContainsAny(append(out.Bytes(), errs.Bytes()...), "\x1b\x07\x00") {
			t.Fatalf("%q %q", out.Bytes(), errs.Bytes())
		}
	})
}
