package copilot

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Select returns the selection of a hook. Copilot raises permissionRequest before every call that isn't a read, even if
// it wouldn't ask the user. Other agents raise theirs only before they ask, so Copilot's hooks need the event before
// each tool. Its tools have other names there, so a matcher narrows nothing.
func (d Dialect) Select(h *schema.Hook) schema.Selection {
	switch row := d.Row(h.Native); {
	case row != nil && row.Event == schema.PermissionRequest:
		return schema.Selection{Event: schema.PreTool, All: true, Exact: h.Matcher == ""}
	case row != nil && !d.readsMatcher(row):
		return schema.Selection{All: true, Exact: true}
	}
	return d.Agent.Select(h)
}

// Plan lists the possible places of a hook for its event. Tools have other names at permissionRequest, so a hook is
// written there without a matcher.
func (d Dialect) Plan(h *schema.Hook, sel schema.Selection) []schema.Entry {
	if h.Event == schema.PermissionRequest && !sel.All {
		sel = schema.Selection{Event: sel.Event, All: true}
	}
	if d.onCode() { // VS Code ignores matchers
		sel = schema.Selection{Event: sel.Event, All: true, Exact: sel.All && sel.Exact}
	}
	return d.Agent.Plan(h, sel)
}

const written = schema.HookMatcher | schema.HookTimeout | schema.HookEnv | schema.HookArgs | schema.HookShell |
	schema.HookHTTP | schema.HookSequential

// WriteHook writes a flat entry, and returns the features that it expresses. A command of plain words is written for
// both shells, any other for its own.
func (d Dialect) WriteHook(e schema.Entry, h *schema.Hook) (value []byte, says schema.Feature) {
	w := ordjson.NewWriter(nil)
	if e.Matcher != "" {
		w.String("matcher", e.Matcher)
	}

	switch {
	case h.Handler == schema.HandlerHTTP:
		w.String("type", "http")
		w.String("url", h.URL)
		if len(h.Headers) > 0 {
			w.Raw("headers", family.AppendVars(h.Headers))
		}
		if len(h.EnvAllow) > 0 {
			w.Strings("allowedEnvVars", h.EnvAllow)
		}
	case h.Args != nil:
		w.String("type", "command")
		w.String("exec", h.Command)
		w.Strings("args", h.Args)
	default:
		w.String("type", "command")
		d.writeCommand(&w, h)
	}

	if len(h.Env) > 0 {
		w.Raw("env", family.AppendVars(h.Env))
	}
	if h.Timeout > 0 {
		w.Raw("timeoutSec", strconv.AppendFloat(nil, float64(h.Timeout)/float64(time.Second), 'f', -1, 64))
	}

	if d.onCode() {
		return w.Bytes(), written &^ schema.HookHTTP
	}
	return w.Bytes(), written
}

func (d Dialect) writeCommand(w *ordjson.Writer, h *schema.Hook) {
	switch {
	case h.Shell == "powershell":
		w.String("powershell", h.Command)
	case d.onCode():
		w.String("command", h.Command)
	default:
		w.String("bash", h.Command)
		if onWindows := cmp.Or(h.Windows, h.Command); h.Windows != "" || plain(onWindows) {
			w.String("powershell", onWindows)
		}
	}
}

// plain reports whether every shell reads a command the same way.
func plain(s string) bool {
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_=@./:") == "" &&
		(strings.HasPrefix(s, "hookbridge ") || strings.HasPrefix(s, ".hookbridge/run "))
}
