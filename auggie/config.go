package auggie

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// files are the hook files, whose hooks all run.
var files = []family.FileRow{
	{Scope: schema.ScopeManaged, Path: "/etc/augment/settings.json"},
	{Scope: schema.ScopeManaged, OS: "windows", Path: `C:\ProgramData\Augment\settings.json`},
	{Scope: schema.ScopeUser, Path: "settings.json"},
	{Scope: schema.ScopeProject, Path: "settings.json"},
	{Scope: schema.ScopeLocal, Path: "settings.local.json"},
}

// file is how a settings.json is read: one bad entry silently drops all hooks of its event in the file.
var file = family.FileRules{
	Comments: true, LastComma: true, LastCounts: true,
	BadHooks: family.VoidsFile, BadEvent: family.DropsEvent, WrongType: family.DropsEvent, Missing: family.DropsEvent,
	NoType: family.DropsEvent, BadMatcher: family.DropsEvent, NoText: family.DropsEvent, BadGroup: family.DropsEvent,
	Empty:    family.DropsEvent,
	Handlers: []family.HandlerRow{{Type: "command", Handler: schema.HandlerCommand, Needs: []string{"command"}}},
	Entries: []family.EntryRow{
		{Name: "command", Of: schema.HandlerCommand, Text: family.CommandOf, Write: family.WriteCommand},
		{Name: "args", Of: schema.HandlerCommand, Feature: schema.HookArgs, List: family.ArgsOf},
		{Name: "timeout", Feature: schema.HookTimeout, Kind: ordjson.Number, Read: readTimeout, Write: writeTimeout},
	},
	Groups: []family.EntryRow{{Name: "metadata", Kind: ordjson.ObjectKind}},
}

// readTimeout reads milliseconds, which must be above 0.
func readTimeout(h *schema.Hook, raw []byte) string {
	ms, ok := ordjson.Float(raw)
	if !ok || ms <= 0 {
		return "timeout is not a number of milliseconds above 0"
	}
	h.Timeout = max(1, time.Duration(min(ms, 1e12)*float64(time.Millisecond)))
	return ""
}

func writeTimeout(h *schema.Hook) []byte {
	if h.Timeout <= 0 {
		return nil
	}
	return strconv.AppendInt(nil, max(1, min(h.Timeout, dialect.LongestTimer).Milliseconds()), 10)
}

// Servers reads the MCP servers of the user's settings (docs).
func (a Dialect) Servers(p schema.Places, read func(string) ([]byte, error)) []schema.Server {
	return dialect.ServersIn([]string{filepath.Join(a.Names.UserFolder(p), "settings.json")}, read, "mcpServers")
}

// NameServer splits the name of an MCP tool before the name of a configured server.
func (Dialect) NameServer(c *schema.Call, servers []schema.Server) {
	dialect.NameServerLast(c, servers, profile.MCP)
}

// Select returns the selection of a hook's matcher: tools of MCP servers only after "mcp:".
func (a Dialect) Select(h *schema.Hook) schema.Selection {
	row := a.Row(h.Native)
	if row == nil || row.Match != schema.MatchTool {
		return schema.Selection{All: true, Exact: true}
	}
	if of, ok := strings.CutPrefix(h.Matcher, serverMark); ok {
		return schema.Selection{Picks: []schema.Pick{{Kind: schema.MCP}}, Exact: of == "*"}
	}
	sel := a.Agent.Select(h)
	sel.Picks = slices.DeleteFunc(sel.Picks, func(p schema.Pick) bool { return p.Kind == schema.MCP })
	return sel
}

// Plan lists the possible places of a hook: for tools of MCP servers in a separate entry, whose matcher begins with
// "mcp:".
func (a Dialect) Plan(h *schema.Hook, sel schema.Selection) []schema.Entry {
	var servers, others []schema.Pick
	for _, p := range sel.Picks {
		if p.Kind == schema.MCP {
			servers = append(servers, p)
		} else {
			others = append(others, p)
		}
	}
	if sel.All || servers == nil {
		return a.Agent.Plan(h, sel)
	}

	entries := a.Agent.Plan(h, schema.Selection{Picks: servers, Exact: sel.Exact})
	for i := range entries {
		any := slices.ContainsFunc(servers, func(p schema.Pick) bool { return p.Server == "" && p.Name == "" })
		if entries[i].Matcher = serverMark + entries[i].Matcher; any || sel.Search != "" {
			entries[i].Matcher, entries[i].Exact = serverMark+"*", sel.Exact && sel.Search == ""
		}
	}
	if others == nil && sel.Search == "" {
		return entries
	}
	return append(a.Agent.Plan(h, schema.Selection{Picks: others, Search: sel.Search, Exact: sel.Exact}), entries...)
}
