package hookfile

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// isAgentFile reports whether a file defines a sub-agent of d.
func isAgentFile(d dialect.Dialect, file string) bool {
	folder := d.Profile().AgentFolder
	parts := strings.Split(filepath.ToSlash(filepath.Dir(file)), "/")
	return folder != "" && slices.Contains(parts, folder)
}

// ofAgent gives the hooks in the file of a sub-agent the meaning that its client
// gives them: they live while that agent runs, and the end of the turn is the end
// of the agent (observed Claude Code 2.1.328; package of Qoder CLI 1.1.52).
func ofAgent(d dialect.Dialect, name string, cfg *schema.Config) {
	rows := d.Profile().Events
	stop := schema.RowFor(rows, schema.SubagentStop)
	for i := range cfg.Hooks {
		h := &cfg.Hooks[i]
		if stop == nil || h.Event != schema.Stop && (h.Event != schema.SubagentStop || h.Matcher != "") {
			continue
		}
		h.Event, h.Native = stop.Event, stop.Native
		h.Matcher, h.HasMatcher = name, true
	}
}
