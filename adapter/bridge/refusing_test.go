package bridge

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestOutdated checks an entry that requires a newer hookbridge: one that denies calls without hookbridge denies, any
// other runs its hooks and notifies the user.
func TestOutdated(t *testing.T) {
	for _, c := range []struct {
		requires, missing      string
		denies, notice, failed bool
	}{
		{"2.0", "closed", true, false, true},
		{"2.0", "say", false, true, false},
		{"2.0", "", false, true, false},
		{"0.1", "closed", false, false, false},
		{"", "closed", false, false, false},
	} {
		call := &cmdline.Call{}
		call.Set("requires", c.requires)
		call.Set("missing", c.missing)
		b := &Bridge{}
		err := b.Outdated(call, "1.0.0")
		if b.FailClosed != c.denies || (b.Notice != "") != c.notice || (err != nil) != c.failed {
			t.Errorf("%+v: denies %v, notice %q, %v", c, b.FailClosed, b.Notice, err)
		}
	}
}

// TestRecordedTrust checks that a project's hooks run only with a trust record of the current files; the user's always
// run. With FailClosed, a call is denied if its project's hooks don't run.
func TestRecordedTrust(t *testing.T) {
	host, _ := adapter.Find("cursor")
	hooks, _ := adapter.Find("claude")
	const guard = `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"NAME"}]}]}}`
	for _, c := range []struct {
		name, change, ran string
		trusted           bool
	}{
		{"as recorded", "", "project user", true},
		{"changed since", "changed", "user", true},
		{"never recorded", "", "user", false},
	} {
		dir := t.TempDir()
		put := func(file, text string) {
			file = filepath.Join(dir, file)
			if os.MkdirAll(filepath.Dir(file), 0o700) != nil || os.WriteFile(file, []byte(text), 0o600) != nil {
				t.Fatal(file)
			}
		}
		put("p/.claude/settings.json", strings.Replace(guard, "NAME", "project", 1))
		put("home/.claude/settings.json", strings.Replace(guard, "NAME", "user", 1))
		places := schema.Places{OS: "linux", Project: filepath.Join(dir, "p"), Home: filepath.Join(dir, "home")}
		b := &Bridge{Host: host, Hooks: hooks, Places: places, RequireTrust: true,
			Trusted: trust.RecordsIn(nil, places.Home)}
		if c.trusted {
			ground := &trust.Ground{Places: places}
			res, _ := discover.Load(hooks, places, nil)
			sum, _, err := trust.Fingerprint(places.Project, places.Project, res, ground.Foreign(nil, nil))
			if err != nil || b.Trusted.Set(ground, []string{sum}, false) != nil {
				t.Fatal(err)
			}
		}
		if c.change != "" {
			put("p/.claude/settings.json", strings.Replace(guard, "NAME", c.change, 1))
		}

		payload := []byte(strings.ReplaceAll(watchedCall, `"/"`, string(ordjson.AppendString(nil, places.Project))))
		var ran []string
		b.Start = func(h *schema.Hook, _ process.Spec) standIn {
			ran = append([]string{h.Command}, ran...)
			return func(context.Context) process.Result { return process.Result{} }
		}
		_, rep, err := b.Run(context.Background(), payload, "")
		if got := strings.Join(ran, " "); err != nil || got != c.ran {
			t.Errorf("%s: %q ran, not %q: %v, %v", c.name, got, c.ran, err, rep.Diagnostics)
		}
		b.FailClosed = true
		_, rep, _ = b.Run(context.Background(), payload, "")
		if denied := rep.Reply.Verdict == schema.Deny; denied != (c.ran == "user") {
			t.Errorf("%s, --fail-closed: denied %v, %v", c.name, denied, rep.Diagnostics)
		}
	}
}
