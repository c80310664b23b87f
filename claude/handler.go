package claude

import (
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// handlerTypes are the values of type.
var handlerTypes = []struct {
	Native  string
	Handler schema.Handler
	Needs   []string // members that must be strings
}{
	{"command", schema.HandlerCommand, []string{"command"}},
	{"http", schema.HandlerHTTP, []string{"url"}},
	{"prompt", schema.HandlerPrompt, []string{"prompt"}},
	{"agent", schema.HandlerAgent, []string{"prompt"}},
	{"mcp_tool", schema.HandlerMCPTool, []string{"server", "tool"}},
}

func (p *parser) handler(row *schema.EventRow, h schema.Hook, m ordjson.Member, path string) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		p.bad(row, m, path, "the handler is no object")
		return
	}
	h.Path = path
	h.Line, h.Col = p.index.Position(m.Off)
	raw, ok := o.Get("type")
	kind, _ := ordjson.String(raw)
	if !ok && p.flat(o) {
		kind, ok = "command", true
	}
	if !ok {
		p.bad(row, m, path, "the handler has no type")
		return
	}
	for _, t := range handlerTypes {
		if t.Native != kind {
			continue
		}
		h.Handler = t.Handler
		for _, need := range t.Needs {
			raw, ok := o.Get(need)
			if _, isText := ordjson.String(raw); !ok || !isText {
				p.bad(row, m, ordjson.Pointer(path, need), schema.An(kind)+" handler needs the string "+need)
				return
			}
		}
	}
	if h.Handler == 0 {
		p.bad(row, m, path+"/type", "unknown handler type "+strconv.Quote(kind))
		return
	}
	flat := p.flat(o)
	for _, m := range o {
		if flat && m.Name == "matcher" { // its group's
			continue
		}
		if msg := p.member(&h, m, ordjson.Pointer(path, m.Name)); msg != "" {
			p.bad(row, m, ordjson.Pointer(path, m.Name), msg)
			return
		}
	}
	if h.Source.Scope != schema.ScopePlugin && !speaksOfPluginRoot(&h) {
		h.Source.Plugin = "" // a skill's folder, a path of this machine that the hook does without
	}
	p.advise(row, &h, m)
	p.cfg.Hooks = append(p.cfg.Hooks, h)
}

// memberTypes are the types that the client insists on, null not excepted, and
// the handlers that have the member; 0: all. What another handler has is
// ignored like any unknown member (observed 2.1.328).
var memberTypes = []struct {
	Name string
	Of   schema.Handler
	Kind ordjson.Kind
}{
	{"if", 0, ordjson.StringKind}, {"statusMessage", 0, ordjson.StringKind}, {"once", 0, ordjson.BoolKind}, {"timeout", 0, ordjson.Number},
	{"onFailure", 0, ordjson.StringKind},
	{"command", schema.HandlerCommand, ordjson.StringKind}, {"args", schema.HandlerCommand, ordjson.Array},
	{"shell", schema.HandlerCommand, ordjson.StringKind}, {"async", schema.HandlerCommand, ordjson.BoolKind},
	{"asyncRewake", schema.HandlerCommand, ordjson.BoolKind},
	{"url", schema.HandlerHTTP, ordjson.StringKind}, {"headers", schema.HandlerHTTP, ordjson.ObjectKind},
	{"allowedEnvVars", schema.HandlerHTTP, ordjson.Array},
	{"server", schema.HandlerMCPTool, ordjson.StringKind}, {"tool", schema.HandlerMCPTool, ordjson.StringKind},
	{"input", schema.HandlerMCPTool, ordjson.ObjectKind},
	{"prompt", schema.HandlerPrompt, ordjson.StringKind}, {"model", schema.HandlerPrompt, ordjson.StringKind},
	{"continueOnBlock", schema.HandlerPrompt, ordjson.BoolKind},
	{"prompt", schema.HandlerAgent, ordjson.StringKind}, {"model", schema.HandlerAgent, ordjson.StringKind},
}

// member reads one member of a handler; the result says why it is refused.
func (p *parser) member(h *schema.Hook, m ordjson.Member, path string) (bad string) {
	if m.Name == "type" {
		return ""
	}
	for _, t := range memberTypes {
		if t.Name != m.Name || t.Of != 0 && t.Of != h.Handler {
			continue
		}
		if k := ordjson.KindOf(m.Value); k != t.Kind {
			return m.Name + " is " + schema.An(k.String()) + ", not " + schema.An(t.Kind.String())
		}
		return p.known(h, m, path)
	}
	h.Extra = append(h.Extra, m)
	p.at(schema.CodeUnknownMember, m, path, "Claude Code ignores "+strconv.Quote(m.Name)+" here")
	return ""
}

// known reads a member whose type is right.
func (p *parser) known(h *schema.Hook, m ordjson.Member, path string) (bad string) {
	text, _ := ordjson.String(m.Value)
	flag, _ := ordjson.Bool(m.Value)
	switch m.Name {
	case "command":
		h.Command = text
	case "url":
		if h.URL = text; !isURL(text) {
			return "url is no URL"
		}
	case "prompt":
		h.Prompt = text
	case "server":
		h.Server = text
	case "tool":
		h.ToolRef = text
	case "input":
		h.Input = m.Value
	case "args":
		if h.Args = ordjson.Strings(m.Value); h.Args == nil {
			return "args is no array of strings"
		}
	case "shell":
		if h.Shell = text; text != "bash" && text != "powershell" {
			return "shell is neither bash nor powershell"
		}
	case "model":
		h.Model = text
	case "headers":
		var ok bool
		if h.Headers, ok = pairs(m.Value); !ok {
			return "headers has a value that is no string"
		}
	case "allowedEnvVars":
		if h.EnvAllow = ordjson.Strings(m.Value); h.EnvAllow == nil {
			return "allowedEnvVars is no array of strings"
		}
	case "continueOnBlock":
		h.OnBlock = flag
	case "async":
		h.Async = flag
	case "asyncRewake":
		h.Rewake = flag
	case "once":
		h.Once = flag
	case "statusMessage":
		h.Status = text
	case "if":
		h.Condition, h.HasCondition = text, true
	case "timeout":
		f, ok := ordjson.Float(m.Value)
		if !ok || f <= 0 {
			return "timeout must be a number of seconds above 0"
		}
		h.Timeout = max(1, time.Duration(min(f, maxTimeout)*float64(time.Second)))
		if f >= 1000 {
			p.at(schema.CodeMilliseconds, m, path, "timeout "+string(m.Value)+" is seconds").Fix = "divide by 1000 if milliseconds were meant"
		}
	case "onFailure":
		switch text {
		case "block":
			h.Fail = schema.FailClosed
		case "continue":
			h.Fail = schema.FailOpen
		default:
			return "onFailure is neither block nor continue"
		}
	}
	return ""
}

const maxTimeout = 1e9 // seconds; keeps the conversion to nanoseconds in range

// pairs reads an object of strings; ok is false if it is none.
func pairs(raw []byte) (out []schema.EnvVar, ok bool) {
	o, err := ordjson.Members(raw, 0)
	for _, m := range o {
		s, isText := ordjson.String(m.Value)
		if !isText {
			return nil, false
		}
		out = append(out, schema.EnvVar{Name: m.Name, Value: s})
	}
	return out, err == nil
}

// isURL reports whether s is an absolute URL: a scheme and something behind it.
func isURL(s string) bool {
	scheme, rest, ok := strings.Cut(strings.ToLower(strings.TrimSpace(s)), ":")
	const letters = "abcdefghijklmnopqrstuvwxyz"
	ok = ok && strings.Trim(scheme, letters+"0123456789+-.") == "" && strings.IndexAny(scheme, letters) == 0
	return ok && strings.Trim(rest, "/") != ""
}
