package family

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// Extensions lists the folders of the installed extensions that have a manifest and are
// enabled for a project: those of Gemini CLI, and of the fork of it (observed Qwen Code
// 0.24.4).
func Extensions(root, manifest, project string, read dialect.ReadFile) (dirs []string) {
	entries, _ := os.ReadDir(root)
	text, _ := read(filepath.Join(root, "extension-enablement.json"))
	rules, _, _ := ordjson.ParseLast(text)
	for _, e := range entries {
		dir := filepath.Join(root, e.Name())
		text, err := read(filepath.Join(dir, manifest))
		o, _, _ := ordjson.ParseLast(text)
		if err == nil && extensionOn(rules.Value(o.Str("name")), project) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// extensionOn applies an extension's rules to a folder: of those that fit it the last
// counts. A rule is a path, for a ban with "!" before it, for all below it with "*"
// behind (source Gemini CLI 0.61.0).
func extensionOn(raw []byte, dir string) bool {
	on := true
	o, _ := ordjson.Members(raw, 0)
	at := "/" + strings.Trim(filepath.ToSlash(dir), "/") + "/"
	for _, rule := range o.Strings("overrides") {
		rule, ban := strings.CutPrefix(rule, "!")
		base, below := strings.CutSuffix(rule, "*")
		if base == at || below && strings.HasPrefix(at, base) {
			on = !ban
		}
	}
	return on
}

// FolderTrust is what a file of trusted folders, read with err, says of a project: the
// longest path counts (source Gemini CLI 0.61.0, observed Qwen Code 0.24.4).
func FolderTrust(text []byte, err error, project string) dialect.TrustState {
	rules, _, bad := ordjson.ParseLast(text)
	if err == nil && bad != nil {
		return dialect.TrustUnknown
	}
	longest, state := -1, dialect.FolderUnlisted
	for _, m := range rules {
		level, _ := ordjson.String(m.Value)
		root := m.Name
		if level == "TRUST_PARENT" {
			root = filepath.Dir(root)
		}
		if !dialect.Within(root, project) || len(m.Name) <= longest {
			continue
		}
		longest, state = len(m.Name), dialect.Trusted
		if level == "DO_NOT_TRUST" {
			state = dialect.FolderUntrusted
		}
	}
	return state
}
