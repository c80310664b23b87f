package family

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
)

// TestExtensions checks that an extension counts if it has a manifest and the last matching rule for the folder doesn't
// ban it.
func TestExtensions(t *testing.T) {
	root := t.TempDir()
	const project = "/w/app"
	rules := []string{}
	for i, tt := range []struct {
		rules string
		on    bool
	}{
		{``, true}, {`"!/w/app/"`, false}, {`"!/w/*"`, false}, {`"!/w/"`, true}, {`"!/v/*"`, true},
		{`"!/w/*","/w/app/"`, true}, {`"/w/app/","!/w/*"`, false}, {`"!/*"`, false}, {`"!/w/app/x/*"`, true},
	} {
		name := strconv.Itoa(i)
		if !tt.on {
			name += "-off"
		}
		rules = append(rules, `"`+name+`":{"overrides":[`+tt.rules+`]}`)
		dir := filepath.Join(root, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "m.json"), []byte(`{"name":"`+name+`"}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(root, "bare"), 0o755); err != nil {
		t.Fatal(err)
	}
	text := []byte("{" + strings.Join(rules, ",") + "}")
	if err := os.WriteFile(filepath.Join(root, "extension-enablement.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}

	var got []string
	for _, dir := range Extensions(root, "m.json", project, os.ReadFile) {
		got = append(got, filepath.Base(dir))
	}
	if want := []string{"0", "3", "4", "5", "8"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestFolderTrust checks that the longest of the listed folders around a project counts, and that an unreadable file
// trusts nothing.
func TestFolderTrust(t *testing.T) {
	for text, want := range map[string]dialect.TrustState{
		`{`: dialect.TrustUnknown, `{}`: dialect.FolderUnlisted,
		`{"/w":"TRUST_FOLDER"}`: dialect.Trusted, `{"/w/app":"TRUST_FOLDER"}`: dialect.Trusted,
		`{"/w/app/x":"TRUST_FOLDER"}`: dialect.FolderUnlisted, `{"/v":"TRUST_FOLDER"}`: dialect.FolderUnlisted,
		`{"/w":"DO_NOT_TRUST"}`:                                dialect.FolderUntrusted,
		`{"/w":"TRUST_FOLDER","/w/app":"DO_NOT_TRUST"}`:        dialect.FolderUntrusted,
		`{"/w/app":"DO_NOT_TRUST","/w":"TRUST_FOLDER"}`:        dialect.FolderUntrusted,
		`{"/w":"DO_NOT_TRUST","/w/app":"TRUST_FOLDER"}`:        dialect.Trusted,
		`{"/w/other":"TRUST_PARENT"}`:                          dialect.Trusted,
		`{"/w/other":"TRUST_FOLDER"}`:                          dialect.FolderUnlisted,
		`{"/w/app":"DO_NOT_TRUST","/w/longer":"TRUST_PARENT"}`: dialect.Trusted,
	} {
		if got := FolderTrust([]byte(text), nil, "/w/app"); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	if got := FolderTrust(nil, os.ErrNotExist, "/w/app"); got != dialect.FolderUnlisted {
		t.Errorf("no file: %v", got)
	}
}
