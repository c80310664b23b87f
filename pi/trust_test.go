package pi

import (
	"errors"
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// TestTrust checks that the nearest decision of trust.json counts, and then the settings.
func TestTrust(t *testing.T) {
	project := &schema.Hook{Source: schema.Source{Scope: schema.ScopeProject}}
	for _, tt := range []struct {
		decisions, settings string
		want                dialect.TrustState
	}{
		{"", "", dialect.FolderUnlisted}, {`{}`, `{}`, dialect.FolderUnlisted},
		{`{"/home/u/p":true}`, "", dialect.Trusted}, {"\ufeff" + `{"/home/u":true}`, "", dialect.Trusted},
		{`{"/home/u":true,"/home/u/p":false}`, "", dialect.FolderUntrusted},
		{`{"/home/u":true,"/home/u/p":null}`, "", dialect.Trusted},
		{`{"/home/u/pp":true,"/home/u/p/x":true}`, "", dialect.FolderUnlisted},
		{`{"/":false}`, `{"defaultProjectTrust":"always"}`, dialect.FolderUntrusted},
		{"", `{"defaultProjectTrust":"always"}`, dialect.TrustNotNeeded},
		{"", `{"defaultProjectTrust":"never"}`, dialect.FolderUntrusted},
		{"", `{"defaultProjectTrust":"ask"}`, dialect.FolderUnlisted}, {`{`, "", dialect.TrustUnknown},
	} {
		read := func(file string) ([]byte, error) {
			text := map[string]string{"/home/u/.pi/agent/trust.json": tt.decisions,
				"/home/u/.pi/agent/settings.json": tt.settings}[file]
			if text == "" {
				return nil, errors.New("no such file")
			}
			return []byte(text), nil
		}
		p := schema.Places{Project: "/home/u/p", Home: "/home/u"}
		if got := New().Trust(project, p, read); got != tt.want {
			t.Errorf("%s %s: %v, want %v", tt.decisions, tt.settings, got, tt.want)
		}
	}

	never := func(string) ([]byte, error) { return []byte(`{"/":false}`), nil }
	own := &schema.Hook{Source: schema.Source{Scope: schema.ScopeUser}}
	if got := New().Trust(own, schema.Places{Project: "/p", Home: "/home/u"}, never); got != dialect.TrustNotNeeded {
		t.Errorf("the user's extension: %v", got)
	}
}
