package qoder

import (
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// handlerTypes are the values of type, and the member that a handler cannot do
// without.
var handlerTypes = []struct {
	Native  string
	Handler schema.Handler
	Needs   string
}{
	{"command", schema.HandlerCommand, "command"},
	{"http", schema.HandlerHTTP, "url"},
	{"prompt", schema.HandlerPrompt, "prompt"},
	{"agent", schema.HandlerAgent, "prompt"},
}

// memberTypes are the types that Qoder insists on, null not excepted, whatever
// the handler (observed 1.1.52). Nobody looks at those of other members: a prompt
// that is no string makes the client fail, and refuse, whenever it is asked.
var memberTypes = []struct {
	Name string
	Kind ordjson.Kind
	Each ordjson.Kind // kind of the elements; Invalid: any
}{
	{Name: "type", Kind: ordjson.StringKind},
	{Name: "command", Kind: ordjson.StringKind},
	{Name: "args", Kind: ordjson.Array, Each: ordjson.StringKind},
	{Name: "shell", Kind: ordjson.StringKind},
	{Name: "timeout", Kind: ordjson.Number},
	{Name: "if", Kind: ordjson.StringKind},
	{Name: "async", Kind: ordjson.BoolKind},
	{Name: "asyncRewake", Kind: ordjson.BoolKind},
	{Name: "rewakeMessage", Kind: ordjson.StringKind},
	{Name: "rewakeSummary", Kind: ordjson.StringKind},
	{Name: "once", Kind: ordjson.BoolKind},
	{Name: "statusMessage", Kind: ordjson.StringKind},
	{Name: "name", Kind: ordjson.StringKind},
}

// wrongType returns the first value of a handler whose type voids the group, nil
// if there is none.
func (p *parser) wrongType(m ordjson.Member, path string) (bad *ordjson.Member, msg, at string) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		return &m, "the handler is no object", path
	}
	for _, m := range o {
		for _, t := range memberTypes {
			if t.Name != m.Name {
				continue
			}
			if k := ordjson.KindOf(m.Value); k != t.Kind {
				return &m, m.Name + " is " + schema.An(k.String()) + ", not " + schema.An(t.Kind.String()), ordjson.Pointer(path, m.Name)
			}
			for _, e := range inside(m) {
				if t.Each != ordjson.Invalid && ordjson.KindOf(e.Value) != t.Each {
					return &e, m.Name + " holds " + schema.An(ordjson.KindOf(e.Value).String()) + ", not " + schema.An(t.Each.String()), ordjson.Pointer(path, m.Name)
				}
			}
		}
	}
	return nil, "", ""
}

func inside(m ordjson.Member) []ordjson.Member {
	if list, err := ordjson.Elements(m.Value, m.Off); err == nil {
		return list
	}
	o, _ := ordjson.Members(m.Value, m.Off)
	return o
}

func (p *parser) handler(row *schema.EventRow, h schema.Hook, m ordjson.Member, path string) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		return // reported by wrongType
	}
	h.Path = path
	h.Line, h.Col = p.index.Position(m.Off)
	raw, _ := o.Get("type")
	kind, _ := ordjson.String(raw)
	for _, t := range handlerTypes {
		if t.Native != kind {
			continue
		}
		h.Handler = t.Handler
		raw, _ := o.Get(t.Needs)
		if s, _ := ordjson.String(raw); s == "" {
			p.void(row, m, ordjson.Pointer(path, t.Needs), schema.An(kind)+" handler needs "+t.Needs+"; Qoder discards it")
			return
		}
	}
	if h.Handler == 0 {
		p.void(row, m, ordjson.Pointer(path, "type"), "unknown handler type "+strconv.Quote(kind)+"; Qoder discards the handler")
		return
	}
	for _, m := range o {
		p.member(row, &h, m, ordjson.Pointer(path, m.Name))
	}
	if h.EnvAllow == nil {
		h.EnvAllow = sent(h.Headers)
	}
	p.advise(row, &h, m)
	p.cfg.Hooks = append(p.cfg.Hooks, h)
}

// member reads one member of a handler; its type is right.
func (p *parser) member(row *schema.EventRow, h *schema.Hook, m ordjson.Member, path string) {
	text, _ := ordjson.String(m.Value)
	flag, _ := ordjson.Bool(m.Value)
	switch m.Name {
	case "type":
	case "command":
		h.Command = text
	case "args":
		h.Args = ordjson.Strings(m.Value)
	case "shell":
		h.Shell = text
	case "url":
		h.URL = text
	case "headers":
		h.Headers = pairs(m.Value)
	case "allowedEnvVars":
		h.EnvAllow = ordjson.Strings(m.Value)
	case "prompt":
		h.Prompt = text
	case "model":
		h.Model = text
	case "env":
		h.Env = pairs(m.Value)
	case "async":
		h.Async = flag
	case "asyncRewake":
		h.Rewake = flag
	case "once":
		h.Once = flag
	case "statusMessage":
		h.Status = text
	case "if":
		p.condition(row, h, m, path, text)
	case "timeout":
		p.timeout(h, m, path)
	default:
		if _, known := profile.IgnoredMember(m.Name); known {
			h.Extra = append(h.Extra, m)
			return
		}
		h.Extra = append(h.Extra, m)
		p.ignored(m, path, strconv.Quote(m.Name)+" is not known here")
	}
}

// condition reads `if`. Where nothing is matched Qoder does not look at it, and
// the hook always runs (observed 1.1.52 for Stop and UserPromptSubmit).
func (p *parser) condition(row *schema.EventRow, h *schema.Hook, m ordjson.Member, path, text string) {
	if row.Match == schema.MatchNothing {
		h.Extra = append(h.Extra, m)
		p.ignored(m, path, "a condition means nothing on "+row.Native)
		return
	}
	h.Condition, h.HasCondition = text, true
}

// timeout reads seconds. What is not above 0 ends a hook before it can answer.
func (p *parser) timeout(h *schema.Hook, m ordjson.Member, path string) {
	f, ok := ordjson.Float(m.Value)
	if !ok {
		f = maxTimeout
	}
	h.Timeout = max(1, time.Duration(min(f, maxTimeout)*float64(time.Second)))
	if f <= 0 {
		p.at(schema.CodeVoidHook, m, path, "timeout "+string(m.Value)+": the hook is ended before it can answer").Fix = "write a number of seconds above 0"
	}
	if f >= 1000 {
		p.at(schema.CodeMilliseconds, m, path, "timeout "+string(m.Value)+" is seconds").Fix = "divide by 1000 if milliseconds were meant"
	}
}

const maxTimeout = 2147483 // seconds; a JavaScript timer takes no more

// advise reports what is accepted and has no or another effect than it seems.
func (p *parser) advise(row *schema.EventRow, h *schema.Hook, m ordjson.Member) {
	if h.HasMatcher && h.Matcher != "" && h.Matcher != "*" && row.Match == schema.MatchNothing {
		p.at(schema.CodeIgnoredMatcher, m, h.Path, row.Native+" has nothing to match; the hook always runs").Event = row.Native
	}
	if h.Condition != "" && !asTool(row) {
		p.at(schema.CodeDeadCondition, m, ordjson.Pointer(h.Path, "if"), "a handler with `if` on "+row.Native+" never runs").Event = row.Native
	} else if strings.TrimSpace(h.Condition) == "*" {
		p.at(schema.CodeDeadCondition, m, ordjson.Pointer(h.Path, "if"), "the condition * never holds").Event = row.Native
	}
	if h.Once {
		p.at(schema.CodeIgnoredOnce, m, ordjson.Pointer(h.Path, "once"), "Qoder honours once in skills and agents only")
	}
}

// pairs reads an object of strings. Other plain values become text, as
// JavaScript makes them.
func pairs(raw []byte) (out []schema.EnvVar) {
	o, _ := ordjson.Members(raw, 0)
	for _, m := range o {
		s, ok := ordjson.String(m.Value)
		if !ok {
			s = string(m.Value)
		}
		out = append(out, schema.EnvVar{Name: m.Name, Value: s})
	}
	return out
}
