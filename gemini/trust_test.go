package gemini

import (
	"errors"
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

func TestTrust(t *testing.T) {
	for _, tt := range []struct {
		rules, env string
		want       dialect.TrustState
	}{
		{`{"/home/u":"TRUST_FOLDER"}`, "", dialect.Trusted},
		{`{"/home/u":"TRUST_FOLDER","/home/u/p":"DO_NOT_TRUST"}`, "", dialect.FolderUntrusted},
		{`{"/home/u":"DO_NOT_TRUST","/home/u/p/x":"TRUST_PARENT"}`, "", dialect.Trusted},
		{`{"/home/other":"TRUST_FOLDER","/home/u/pp":"DO_NOT_TRUST"}`, "", dialect.FolderUnlisted},
		{`{`, "", dialect.TrustUnknown}, {"", "", dialect.FolderUnlisted},
		{`{"/home/u":"DO_NOT_TRUST"}`, "GEMINI_CLI_TRUST_WORKSPACE=true", dialect.Trusted},
		{"", "GEMINI_CLI_TRUST_WORKSPACE=false", dialect.FolderUntrusted},
	} {
		read := func(file string) ([]byte, error) {
			if file != "/home/u/.gemini/trustedFolders.json" || tt.rules == "" {
				return nil, errors.New("no such file")
			}
			return []byte(tt.rules), nil
		}
		p := schema.Places{Project: "/home/u/p", Home: "/home/u", Env: schema.Environ{tt.env}}
		if got := New().Trust(&schema.Hook{}, p, read); got != tt.want {
			t.Errorf("%s %s: %v, want %v", tt.rules, tt.env, got, tt.want)
		}
	}
}
