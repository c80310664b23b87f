package convert

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Document writes the entries as a separate file, one entry per line.
func (c *Conversion) Document(to dialect.Dialect) []byte {
	if c.Module != nil {
		return c.Module
	}
	return c.Under(to.Profile().EventsAt, to.Profile().Skeleton)
}

// Under writes the entries into a file that starts out as skeleton. events is the JSON Pointer of the object for the
// events.
func (c *Conversion) Under(events, skeleton string) []byte {
	doc := document{hooks: events, byArray: map[string][]Placed{}}
	for _, e := range c.Entries {
		if doc.byArray[e.Pointer] == nil {
			doc.arrays = append(doc.arrays, e.Pointer)
		}
		doc.byArray[e.Pointer] = append(doc.byArray[e.Pointer], e)
	}
	o, _ := ordjson.Parse([]byte(skeleton))
	return append(doc.object(nil, o, "", "\n"), '\n')
}

type document struct {
	hooks   string // JSON Pointer of the object for the events
	arrays  []string
	byArray map[string][]Placed
}

// object writes o, the object at the pointer at, with the events if they belong there. indent starts its lines.
func (doc *document) object(out []byte, o ordjson.Object, at, indent string) []byte {
	out = append(out, '{')
	empty := true
	name := func(s string) {
		if !empty {
			out = append(out, ',')
		}
		empty = false
		out = append(ordjson.AppendString(append(out, indent+"  "...), s), ": "...)
	}

	for _, m := range o {
		name(m.Name)
		path := ordjson.Pointer(at, m.Name)
		if inner, err := ordjson.Members(m.Value, 0); err == nil && strings.HasPrefix(doc.hooks+"/", path+"/") {
			out = doc.object(out, inner, path, indent+"  ")
		} else {
			out = append(out, m.Value...)
		}
	}

	if at == doc.hooks {
		for _, a := range doc.arrays {
			name(strings.TrimPrefix(a, doc.hooks+"/"))
			out = append(out, '[')
			for k, e := range doc.byArray[a] {
				if k > 0 {
					out = append(out, ',')
				}
				out = append(append(out, indent+"    "...), e.Value...)
			}
			out = append(out, indent+"  ]"...)
		}
	}

	if !empty {
		out = append(out, indent...)
	}

	return append(out, '}')
}

// File returns a document in the form of the host's file; see dialect.EntryFile.
func File(host dialect.Dialect, document []byte) []byte {
	if w := host.Abilities().EntryFile; w != nil {
		return w.WriteEntries(document)
	}
	return document
}

// An OwnEntry is a handler in a host's file whose command calls hookbridge.
type OwnEntry struct {
	Pointer string // JSON Pointer of the handler
	Array   string // JSON Pointer of the event's array
	Value   []byte // the element of the array that holds the handler
	Alone   bool   // the element holds no other handler
	Call    cmdline.Call
}

// Element returns the JSON Pointer of the array's element that holds the handler.
func (e *OwnEntry) Element() string {
	index, _, _ := strings.Cut(strings.TrimPrefix(e.Pointer, e.Array+"/"), "/")
	return e.Array + "/" + index
}

// Blank reports whether a file has no content. Entries are written into it as into a new one.
func Blank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// OwnEntries lists the calls to hookbridge in the text of a host's file, in order, even if the host couldn't load that
// file.
func OwnEntries(host dialect.Dialect, text []byte) ([]OwnEntry, error) {
	if Blank(text) {
		return nil, nil
	}

	at := host.Profile().EventsAt
	if _, err := jsonedit.Absent(text, at+"/"+host.Profile().Events[0].Native); err != nil {
		return nil, err // with its place
	}

	standard, err := jsonedit.Standard(text)
	if err != nil {
		return nil, err
	}
	if err := ordjson.Check(standard); err != nil {
		return nil, err
	}

	events, _ := ordjson.Members(ordjson.At(standard, at), 0)
	var out []OwnEntry
	for _, event := range events {
		array, shape := ordjson.Pointer(at, event.Name), handlerShape(host, event.Name)
		elements, _ := ordjson.Elements(event.Value, 0)
		for i, e := range elements {
			element := Placed{Pointer: array}.Element(i)
			handlers := handlersAt(e.Value, element, shape[:len(shape)-1])
			for _, h := range handlers {
				o, _ := ordjson.Members(h.Value, 0)
				// an entry with args needs no shell
				if call, ok := cmdline.Parse(o.Str(shape[len(shape)-1]), o.Strings("args")); ok {
					out = append(out, OwnEntry{h.Pointer, array, e.Value, len(handlers) == 1, call})
				}
			}
		}
	}

	return out, nil
}

// NewOwnEntry returns hookbridge's only entry at an event of a host, for a text that isn't JSON.
func NewOwnEntry(host dialect.Dialect, native string, value []byte) OwnEntry {
	array := ordjson.Pointer(host.Profile().EventsAt, native)
	e := OwnEntry{Pointer: array + "/0", Array: array, Value: value, Alone: true}
	shape := handlerShape(host, native)
	for _, h := range handlersAt(value, e.Pointer, shape[:len(shape)-1]) {
		o, _ := ordjson.Members(h.Value, 0)
		e.Pointer = h.Pointer
		e.Call, _ = cmdline.Parse(o.Str(shape[len(shape)-1]), o.Strings("args"))
	}
	return e
}

// handlerShape lists the names that lead from an element of an event's array to a handler's command, with "*" for array
// elements. They come from the output of the host's writer. An unknown event gets the shape of the host's first one.
func handlerShape(host dialect.Dialect, native string) []string {
	const mark = "command of a hook"
	row := cmp.Or(host.Profile().Row(native), &host.Profile().Events[0])
	e := schema.Entry{Native: row.Native, Pointer: host.Profile().EventsAt + "/" + row.Native}
	value, _ := host.WriteHook(e, &schema.Hook{Event: row.Event, Native: row.Native, Handler: schema.HandlerCommand,
		Command: mark})
	return pathTo(value, mark)
}

func pathTo(value []byte, mark string) []string {
	if s, ok := ordjson.String(value); ok {
		if s == mark {
			return []string{}
		}
		return nil
	}
	if list, err := ordjson.Elements(value, 0); err == nil {
		for _, m := range list {
			if path := pathTo(m.Value, mark); path != nil {
				return append([]string{"*"}, path...)
			}
		}
		return nil
	}
	o, _ := ordjson.Members(value, 0)
	for _, m := range o {
		if path := pathTo(m.Value, mark); path != nil {
			return append([]string{m.Name}, path...)
		}
	}
	return nil
}

// handlersAt lists the handlers in an element of an event's array.
func handlersAt(value []byte, pointer string, shape []string) []Placed {
	if len(shape) == 0 {
		return []Placed{{Pointer: pointer, Value: value}}
	}
	if shape[0] != "*" {
		o, _ := ordjson.Members(value, 0)
		raw, ok := o.Get(shape[0])
		if !ok {
			return nil
		}
		return handlersAt(raw, ordjson.Pointer(pointer, shape[0]), shape[1:])
	}
	var out []Placed
	list, _ := ordjson.Elements(value, 0)
	for i, m := range list {
		out = append(out, handlersAt(m.Value, Placed{Pointer: pointer}.Element(i), shape[1:])...)
	}
	return out
}

// ConvertModule writes one dialect's hooks as a module of callbacks for another: one callback for each event and
// matcher, which calls hookbridge. A dialect without modules gets only a diagnostic. Every hook of cfg is in the module
// or in the path of a diagnostic. The head of the module lists everything that was lost, including read, the findings
// from reading cfg.
func ConvertModule(from, to dialect.Dialect, cfg *schema.Config, read schema.Diagnostics, script bool,
	p cmdline.Policy) *Conversion {
	w := to.Abilities().Modules
	if w == nil {
		c := &Conversion{In: len(cfg.Hooks)}
		c.Diagnostics.AddSeverity(schema.CodeModule, schema.Error, "", to.Profile().TitleChecked()+
			" has no modules of callbacks; no hook is converted")
		return c
	}
	x := &moduleConverter{types: w, converter: converter{Conversion: &Conversion{In: len(cfg.Hooks)}, from: from,
		to: to, policy: p, plan: plan.New(from, to)}}
	for i := range cfg.Hooks {
		x.hook(&cfg.Hooks[i])
	}
	x.Diagnostics = append(x.Diagnostics, hookfile.LeftBehind(cfg, len(cfg.Hooks) > 0)...)
	m := schema.Module{From: from.Profile().Full(), Script: script}
	m.Groups = lists.Map(x.groups, func(g moduleGroup) schema.ModuleGroup { return g.module(from, to, p) })
	for _, d := range slices.Concat(read, x.Diagnostics) {
		d.File, d.Line = "", 0
		m.Lost = append(m.Lost, d.String())
	}
	x.Out = len(m.Groups)
	x.Module = w.WriteModule(&m)
	return x.Conversion
}

type moduleConverter struct {
	converter
	types  dialect.ModuleWriter
	groups []moduleGroup
}

// A moduleGroup has the hooks of one callback.
type moduleGroup struct {
	native, matcher string
	source          schema.Source // its scope and plugin matter, not its file
	hooks           Conversion    // in their own dialect
	wait            plan.Wait
	closed          bool
}

func (x *moduleConverter) hook(h *schema.Hook) {
	becomes := x.plan.Outcome(h, true)
	entries := becomes.Entries()
	if cmdline.FindsHooks(h.Command, h.Args) {
		x.report(schema.CodeAlreadyRun, schema.Note, h, "",
			"this entry calls hookbridge, which finds its hooks itself; convert those hooks instead")
		return
	}

	reportAll(&x.Diagnostics, x.from, h, becomes.Found)
	switch {
	case len(entries) == 0:
		return
	case h.Handler != schema.HandlerCommand && h.Handler != schema.HandlerHTTP:
		x.report(schema.CodeNoHandler, plan.GuardSeverity(x.from, h), h, "", schema.An(h.Handler.String())+
			" hook can't run outside its own agent, so it was left out")
		return
	}

	own := schema.Entry{Native: h.Native, Pointer: x.from.Profile().EventsAt + "/" + h.Native, Matcher: h.Matcher,
		Exact: true}
	value, says := x.from.WriteHook(own, h)
	x.lost(h, h.Uses()&^says)
	for _, m := range h.Extra {
		x.report(schema.CodeMemberLost, schema.Note, h, m.Name,
			"hookbridge doesn't know this setting, so it was left out")
	}

	for _, e := range entries {
		g := x.group(e, h)
		g.hooks.Entries = append(g.hooks.Entries, Placed{Pointer: own.Pointer, Value: value, From: []string{h.Path}})
		g.wait.Add(x.from.Profile(), h, x.from.Profile().Timeout(h))
		g.closed = g.closed || h.Fail == schema.FailClosed
		if !x.types.Typed(e.Native) {
			x.report(schema.CodeUntyped, schema.Note, h, "", "the types of "+x.to.Profile().Title+" don't have "+
				e.Native+", so the module adds a cast")
		}
	}
}

func (x *moduleConverter) group(e schema.Entry, h *schema.Hook) *moduleGroup {
	src := h.Source
	src.File = ""
	if src.Scope != schema.ScopeUser && src.Plugin == "" {
		src.Scope = schema.ScopeGiven
	}
	for i := range x.groups {
		if g := &x.groups[i]; g.native == e.Native && g.matcher == e.Matcher && g.source == src {
			return g
		}
	}
	x.groups = append(x.groups, moduleGroup{native: e.Native, matcher: e.Matcher, source: src})
	return &x.groups[len(x.groups)-1]
}

func (g *moduleGroup) module(from, to dialect.Dialect, p cmdline.Policy) schema.ModuleGroup {
	m := schema.ModuleGroup{Native: g.native, Matcher: g.matcher, Config: g.hooks.Document(from)}
	m.Timeout = time.Duration(math.Ceil((g.wait.Total() + plan.Margin).Seconds())) * time.Second
	var c cmdline.Call
	if g.source.Plugin != "" {
		c.Set("plugin-root", g.source.Plugin)
	}
	if g.source.Scope == schema.ScopeUser {
		c.Set(cmdline.ScopeFlag, schema.ScopeUser.String())
	}
	c.Flags = append(c.Flags, p.Flags()...)
	if g.closed {
		c.Set("fail-closed", "")
		m.Refusal = to.Refuse(nil, g.native, "hookbridge failed and couldn't run the hooks for this call")
	}
	m.Flags = c.Words()
	return m
}

// WroteModule reports whether a text is a module that ConvertModule made for to.
func WroteModule(to dialect.Dialect, text []byte) bool {
	w := to.Abilities().Modules
	return w != nil && w.WroteModule(text)
}

// fromModule makes the entries through which another agent calls a module's callbacks: one for each of its events that
// a callback needs, because the module's own matchers choose among the callbacks.
func (c *converter) fromModule(cfg *schema.Config) {
	if c.wrap == WrapNever {
		for i := range cfg.Hooks {
			c.report(schema.CodeNoHandler, plan.GuardSeverity(c.from, &cfg.Hooks[i]), &cfg.Hooks[i], "",
				"a callback can't be copied; it needs hookbridge")
		}
		return
	}
	in := Installation{Host: c.to, Hooks: []dialect.Dialect{c.from}, Policy: c.policy, Module: cfg.Hooks[0].Command}
	entries, ds := in.Entries(cfg.Hooks)
	c.Entries, c.Diagnostics = entries, append(c.Diagnostics, ds...)
}

// Original recovers the hooks from a module that ConvertModule made for d. ok is false for any other text, if the hooks
// are not of the dialect to, or if converting the hooks again gives another module: then someone has edited the module
// since, and only its code shows its behavior.
func Original(d, to dialect.Dialect, text []byte) (c *Conversion, cfg *schema.Config, ok bool) {
	w := d.Abilities().Modules
	if w == nil {
		return nil, nil, false
	}

	from, configs := w.ModuleConfigs(text)
	if from != to.Profile().Full() || len(configs) == 0 {
		return nil, nil, false
	}

	c, cfg = &Conversion{}, &schema.Config{}
	have := map[string]int{}
	for _, config := range configs { // a hook for several events is in each of their groups
		one, _ := to.ParseConfig(config, schema.Source{})
		here := map[string]int{}
		for _, h := range one.Hooks {
			e := schema.Entry{Native: h.Native, Pointer: to.Profile().EventsAt + "/" + h.Native, Matcher: h.Matcher,
				Exact: true}
			value, _ := to.WriteHook(e, &h)
			key := e.Pointer + string(value)
			if here[key]++; here[key] <= have[key] {
				continue
			}
			have[key]++
			c.Entries = append(c.Entries, Placed{Pointer: e.Pointer, Value: value, From: []string{h.Path}})
			cfg.Hooks = append(cfg.Hooks, h)
		}
	}

	c.In, c.Out = len(cfg.Hooks), len(cfg.Hooks)
	for _, script := range []bool{false, true} {
		for _, p := range []cmdline.Policy{{}, {Allow: cmdline.AllowApprove}} {
			if bytes.Equal(code(ConvertModule(to, d, cfg, nil, script, p).Module), code(text)) {
				return c, cfg, true
			}
		}
	}

	return nil, nil, false
}

// code returns a module without the head that lists what was lost.
func code(module []byte) []byte { return module[max(bytes.Index(module, []byte("\nimport ")), 0):] }
