package codex

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/tomljson"
	"github.com/hookbridge/hookbridge/schema"
)

// ApprovalFile is the config.toml in which the review dialog keeps what it knows.
func (Dialect) ApprovalFile(p schema.Places) string {
	if home := homeOf(p); home != "" {
		return filepath.Join(home, configFile)
	}
	return ""
}

// Approve writes for each hook the table that the review dialog writes (observed 0.169.0):
//
//	[hooks.state."/p/.codex/hooks.json:pre_tool_use:0:0"]
//	trusted_hash = "sha256:.."
//
// A table that is there gets the new hash. A file that has the record in another form is left alone.
func (d Dialect) Approve(text []byte, hooks []schema.Hook) []byte {
	if _, _, err := tomljson.Document(text); err != nil {
		return nil
	}
	for i := range hooks {
		h := &hooks[i]
		head := "[hooks.state." + string(ordjson.AppendString(nil, d.trustKey(h))) + "]"
		line := `trusted_hash = "` + d.trustHash(h) + `"`
		if after, ok := replaceHash(text, head, line); ok {
			text = after
			continue
		}
		if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
			text = append(bytes.Clone(text), '\n')
		}
		if len(text) > 0 {
			text = append(bytes.Clone(text), '\n')
		}
		text = append(bytes.Clone(text), head+"\n"+line+"\n"...)
	}
	if _, _, err := tomljson.Document(text); err != nil { // a record in another form
		return nil
	}
	return text
}

// replaceHash puts a line in the place of the hash in a table; ok is false if there is no such table.
func replaceHash(text []byte, head, line string) (after []byte, ok bool) {
	lines := strings.SplitAfter(string(text), "\n")
	for i := range lines {
		if strings.TrimSpace(lines[i]) != head {
			continue
		}
		for j := i + 1; j < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[j]), "["); j++ {
			if name, _, is := strings.Cut(lines[j], "="); is && strings.TrimSpace(name) == "trusted_hash" {
				lines[j] = line + "\n"
				return []byte(strings.Join(lines, "")), true
			}
		}
		lines[i] = strings.TrimRight(lines[i], "\r\n") + "\n" + line + "\n"
		return []byte(strings.Join(lines, "")), true
	}
	return text, false
}
