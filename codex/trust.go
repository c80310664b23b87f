package codex

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/tomljson"
	"github.com/hookbridge/hookbridge/schema"
)

// Review describes how hooks are reviewed.
func (Dialect) Review() string {
	return "Start Codex in the project and review the new hooks with /hooks: Codex runs none of them before that " +
		"and doesn't warn you."
}

// Trust looks a hook up in the record that Codex's review dialog keeps in the user's config.toml (observed 0.169.0).
func (d Dialect) Trust(h *schema.Hook, p schema.Places, read func(string) ([]byte, error)) dialect.TrustState {
	switch {
	case isRequirements(h.Source):
		return dialect.TrustNotNeeded
	case h.Source.Plugin != "": // its key includes the marketplace
		return dialect.TrustUnknown
	}
	text, err := read(filepath.Join(homeOf(p), configFile))
	if err != nil {
		return dialect.Untrusted
	}
	json, _, err := tomljson.Document(text)
	if err != nil {
		return dialect.TrustUnknown
	}

	level, _ := ordjson.String(ordjson.At(json, ordjson.Pointer("", "projects", p.Project, "trust_level")))
	if level == "untrusted" && h.Source.Scope == schema.ScopeProject {
		return dialect.FolderUntrusted
	}
	state, _ := ordjson.Members(ordjson.At(json, ordjson.Pointer("", "hooks", "state", d.trustKey(h))), 0)
	if on, ok := state.Bool("enabled"); ok && !on {
		return dialect.TrustOff
	}

	switch state.Str("trusted_hash") {
	case "":
		return dialect.Untrusted
	case d.trustHash(h):
		return dialect.Trusted
	}
	return dialect.TrustModified
}

func (d Dialect) trustKey(h *schema.Hook) string {
	group, handler := 0, 0
	parts := strings.Split(h.Path, "/") // /hooks/EVENT/GROUP/hooks/HANDLER
	if len(parts) == 6 {
		group, _ = strconv.Atoi(parts[3])
		handler, _ = strconv.Atoi(parts[5])
	}
	return h.Source.File + ":" + snakeCase(h.Native) + ":" + strconv.Itoa(group) + ":" + strconv.Itoa(handler)
}

func snakeCase(native string) string {
	var out []byte
	for i, c := range []byte(native) {
		if i > 0 && c >= 'A' && c <= 'Z' {
			out = append(out, '_')
		}
		out = append(out, c)
	}
	return strings.ToLower(string(out))
}

// trustHash returns the hash that Codex stores for a hook: of its fields in alphabetical order, with defaults filled
// in. A matcher is left out on events that ignore it.
func (d Dialect) trustHash(h *schema.Hook) string {
	handler := ordjson.NewWriter(nil)
	if h.Handler == schema.HandlerCommand {
		if limit, ok := h.Extra.Get("additionalContextLimit"); ok {
			handler.Raw("additionalContextLimit", limit)
		}
		handler.Bool("async", h.Async)
		handler.String("command", h.Command)
	}
	if h.Handler == schema.HandlerMCPTool && h.Input != nil {
		handler.Raw("input", h.Input)
	}

	given := func(name, s string) {
		if s != "" {
			handler.String(name, s)
		}
	}

	given("server", h.Server)
	given("statusMessage", h.Status)
	handler.Int("timeout", int64(d.Profile().Timeout(h).Seconds()))
	given("tool", h.ToolRef)
	handler.String("type", map[schema.Handler]string{schema.HandlerCommand: "command",
		schema.HandlerMCPTool: "mcp_tool"}[h.Handler])

	w := ordjson.NewWriter(nil)
	w.String("event_name", snakeCase(h.Native))
	w.Raw("hooks", append(append([]byte{'['}, handler.Bytes()...), ']'))
	if row := d.Row(h.Native); h.HasMatcher && row != nil && row.Match != schema.MatchNothing {
		w.String("matcher", h.Matcher)
	}
	sum := sha256.Sum256(w.Bytes())
	return "sha256:" + hex.EncodeToString(sum[:])
}

// ApprovalFile is the config.toml in which the review dialog keeps its record.
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
// An existing table gets the new hash. A file with the record in another form is left unchanged.
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

// replaceHash replaces the hash in a table with a line; ok is false if there is no such table.
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
