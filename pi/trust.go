package pi

import (
	"bytes"
	"path/filepath"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Review describes how a folder is trusted.
func (Dialect) Review() string {
	return "Start Pi in the project and trust the folder, or use pi --approve: before that it skips the project's " +
		"extension, headless without a word. hookbridge install --scope user needs no trust."
}

// Trust looks the project's folder up in the user's trust.json (source 1.5.2): the nearest folder upward counts. If
// none is listed, the settings decide, or Pi asks; headless it then loads nothing from the project.
func (d Dialect) Trust(h *schema.Hook, p schema.Places, read func(string) ([]byte, error)) dialect.TrustState {
	if h.Source.Scope != schema.ScopeProject || p.Project == "" {
		return dialect.TrustNotNeeded
	}

	home := d.Names.UserFolder(p)
	text, err := read(filepath.Join(home, "trust.json"))
	decisions, _, bad := ordjson.ParseLast(bytes.TrimPrefix(text, []byte("\ufeff")))
	if err == nil && bad != nil {
		return dialect.TrustUnknown
	}
	for dir := p.Project; ; dir = filepath.Dir(dir) {
		raw, _ := decisions.Get(dir)
		switch trusted, decided := ordjson.Bool(raw); {
		case decided && trusted:
			return dialect.Trusted
		case decided:
			return dialect.FolderUntrusted
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}

	settings, _ := read(filepath.Join(home, "settings.json"))
	switch usual, _ := ordjson.String(ordjson.At(settings, "/defaultProjectTrust")); usual {
	case "always":
		return dialect.TrustNotNeeded
	case "never":
		return dialect.FolderUntrusted
	}
	return dialect.FolderUnlisted
}
