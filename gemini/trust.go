package gemini

import (
	"cmp"
	"path/filepath"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Review says how a folder is trusted.
func (Dialect) Review() string {
	return "Start Gemini CLI in the project and trust the folder with /permissions: until then it runs neither the " +
		"project's hooks nor the user's."
}

// Trust looks for the project's folder among those that the user trusts (source
// 0.61.0): the longest path counts. Of a folder that is not listed the client asks.
func (Dialect) Trust(h *schema.Hook, p schema.Places, read func(string) ([]byte, error)) dialect.TrustState {
	if h.Source.Plugin != "" || p.Project == "" {
		return dialect.TrustNotNeeded
	}
	switch p.Env.Get(workspaceVariable) {
	case "true":
		return dialect.Trusted
	case "false":
		return dialect.FolderUntrusted
	}
	settings, _ := read(filepath.Join(p.Home, folder, "settings.json"))
	if on, ok := ordjson.Bool(ordjson.At(ordjson.BlankComments(settings), "/security/folderTrust/enabled")); ok && !on {
		return dialect.TrustNotNeeded
	}
	file := cmp.Or(p.Env.Get(foldersVariable), filepath.Join(p.Home, folder, "trustedFolders.json"))
	text, err := read(file)
	return family.FolderTrust(text, err, p.Project)
}
