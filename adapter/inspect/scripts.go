package inspect

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/scriptread"
	"github.com/hookbridge/hookbridge/schema"
)

// A Sends describes how a field reaches a hook's script. In the zero Sends it doesn't.
type Sends struct {
	Native  bool // the agent's own payloads contain it
	Through bool // hookbridge's payloads for the hook contain it
	Unknown bool // the tables don't show whether the agent's own payloads contain it
}

// A ScriptField is a field that a hook's script reads.
type ScriptField struct {
	scriptread.Field
	Agents map[string]Sends // by the agent's name
}

// A HookScript describes what one hook's script reads. The zero HookScript has no hook.
type HookScript struct {
	Hook   *schema.Hook
	File   string // "": the command itself is the script
	Fields []ScriptField
	Found  schema.Diagnostics

	missed []string // the subject of each finding: the same in two hooks of one script
}

// Scripts reads the scripts of hooks of d, and compares the fields in them with the payloads of d and the hosts. read
// counts the hooks with a readable script. unread lists the other scripts: missing ones, or in an unsupported language.
func Scripts(d dialect.Dialect, hosts []adapter.Dialect, p schema.Places, hooks []schema.Hook) (list []HookScript,
	read int, unread []string) {

	for i := range hooks {
		h := &hooks[i]
		if h.Handler != schema.HandlerCommand {
			continue
		}
		file, text := script(d, h, p)
		name := file
		if file == "" {
			name, text = "command.sh", []byte(h.Command)
		}
		s, ok := scriptread.Read(name, string(text))
		if ok = ok && text != nil; !ok {
			unread = append(unread, cmp.Or(file, h.Command))
			continue
		}
		read++
		one := judge(d, hosts, p, h, file, string(text), &s)
		if len(s.Fields)+len(s.Words)+len(s.Exits)+len(one.Found) > 0 {
			list = append(list, one)
		}
	}
	return missedByAll(list), read, unread
}

// missedByAll keeps a finding about a script that several hooks start only for the first of them, and only if all of
// them have it: the script may read a field for just one hook.
func missedByAll(list []HookScript) []HookScript {
	for i := range list {
		s := &list[i]
		if s.File == "" {
			continue
		}
		first := slices.IndexFunc(list, func(o HookScript) bool { return o.File == s.File })
		var found schema.Diagnostics
		for k, about := range s.missed {
			spared := slices.ContainsFunc(list, func(o HookScript) bool {
				return o.File == s.File && !slices.Contains(o.missed, about)
			})
			if first == i && !spared {
				found = append(found, s.Found[k])
			}
		}
		s.Found = found
	}
	return list
}

// A judgment compares one script with payloads.
type judgment struct {
	d     dialect.Dialect
	hook  *schema.Hook
	own   []ordjson.Object // payloads of the hook's own agent
	known []string         // the fields that it may send at the hook's event
	out   HookScript
}

func judge(d dialect.Dialect, hosts []adapter.Dialect, p schema.Places, h *schema.Hook, file, text string,
	s *scriptread.Script) HookScript {

	j := &judgment{d: d, hook: h, out: HookScript{Hook: h, File: file}}
	row := d.Profile().Row(h.Native)
	if row == nil {
		return j.out
	}
	x := &examination{host: d, places: p}
	j.own = payloads(x, d, h, row)
	j.known = fieldsAt(d, h.Native)
	for _, f := range s.Fields {
		j.out.Fields = append(j.out.Fields, ScriptField{f, map[string]Sends{d.Profile().Name: j.sends(f.Path)}})
	}
	j.ownFields()
	for _, line := range s.Starved {
		j.add(schema.CodeScriptField, plan.GuardSeverity(d, h), line, "input", "the script reads a program from a "+
			"here-document, so the program finds its own text on its standard input in place of the call",
			"put the program into a file, or behind -c")
	}
	j.toolNames(s)
	j.exits(row, s)
	j.denials(row, text, s)
	lost := map[string][]string{}
	for _, host := range hosts {
		if !adapter.SameAgent(host, d) {
			for _, field := range j.through(host, p) {
				lost[field] = append(lost[field], host.Profile().TitleChecked())
			}
		}
	}
	for _, f := range j.out.Fields {
		if titles := lost[f.Name()]; titles != nil {
			j.add(schema.CodeScriptLost, plan.GuardSeverity(d, h), f.Line, f.Name(),
				"the script reads "+f.Name()+" at "+h.Native+", which is in no payload of "+plan.Listed(titles, "and")+
					", and in none that hookbridge makes of those", "")
		}
	}
	return j.out
}

// payloads returns example payloads of a host at an event, for the tools that the hook selects.
func payloads(x *examination, d dialect.Dialect, h *schema.Hook, row *schema.EventRow) (list []ordjson.Object) {
	for _, e := range x.bridged(d, h).samples(row) {
		payload, err := sample.Payload(x.host, sample.ForHost(x.host, e))
		if o, bad := ordjson.Parse(payload); err == nil && bad == nil {
			list = append(list, o)
		}
	}
	return list
}

// has reports whether one of the payloads has a field. Inside an array any field may exist.
func has(list []ordjson.Object, path []string) bool {
	return slices.ContainsFunc(list, func(o ordjson.Object) bool {
		for i, name := range path {
			value, ok := o.Get(name)
			if !ok {
				return false
			}
			if ordjson.KindOf(value) != ordjson.ObjectKind {
				return i == len(path)-1 || ordjson.KindOf(value) == ordjson.Array
			}
			o, _ = ordjson.Parse(value)
		}
		return true
	})
}

// fieldsAt returns the top-level fields that an agent may send at an event, according to its JSON Schema.
func fieldsAt(d dialect.Dialect, native string) (names []string) {
	text, err := schema.Document(d.Profile().Agent()+"-payload", "")
	if err != nil {
		return nil
	}
	all, _ := ordjson.Parse(ordjson.At(text, "/properties"))
	at, _ := ordjson.Parse(ordjson.At(text, ordjson.Pointer("/$defs", native, "properties")))
	return lists.Map(slices.Concat(all, at), func(m ordjson.Member) string { return m.Name })
}

// sends returns whether the hook's own agent sends a field. Within a field, only the arguments of tools are known, and
// only those that another agent also has count as missing.
func (j *judgment) sends(path []string) Sends {
	first := Sends{Native: slices.Contains(j.known, path[0]) || has(j.own, path[:1])}
	switch {
	case len(path) == 1 || !first.Native:
		return first
	case has(j.own, path[:2]) || j.optional(path):
		return Sends{Native: true}
	case j.knowsWithin(path[0]):
		return Sends{Unknown: !isArgument(adapter.Dialects(), path[1])}
	}
	own := j.d.Select(j.hook).All && isArgument([]adapter.Dialect{j.d}, path[1])
	return Sends{Native: own, Unknown: !own}
}

// optional reports whether a second-level field may be missing in the example of a call: the row of a tool that the
// hook selects has it, and has every field of the example.
func (j *judgment) optional(path []string) bool {
	for _, o := range j.own {
		value, _ := o.Get(path[0])
		example, _ := ordjson.Parse(value)
		for _, m := range o {
			t := j.d.Profile().Tool(o.Str(m.Name))
			if t == nil {
				continue
			}
			for _, args := range [][]schema.ArgRow{t.Input, t.Output} {
				other := func(m ordjson.Member) bool { return !hasArgument(args, m.Name) }
				if hasArgument(args, path[1]) && !slices.ContainsFunc(example, other) {
					return true
				}
			}
		}
	}
	return false
}

// knowsWithin reports whether the tables have all fields inside a field of the payload, because its tools have rows.
func (j *judgment) knowsWithin(field string) bool {
	sel := j.d.Select(j.hook)
	if sel.All || sel.Search != "" || len(sel.Picks) == 0 || !has(j.own, []string{field}) {
		return false
	}
	for _, o := range j.own {
		if value, ok := o.Get(field); ok && ordjson.KindOf(value) != ordjson.ObjectKind {
			return false
		}
	}
	return !slices.ContainsFunc(sel.Picks, func(p schema.Pick) bool {
		return p.Kind == schema.Other || p.Kind == schema.MCP || p.Kind >= schema.NumKinds
	})
}

// isArgument reports whether a tool of one of the agents has an argument or a result with the name.
func isArgument(agents []adapter.Dialect, name string) bool {
	return slices.ContainsFunc(agents, func(d adapter.Dialect) bool {
		return slices.ContainsFunc(d.Profile().Tools, func(t schema.ToolRow) bool {
			return hasArgument(t.Input, name) || hasArgument(t.Output, name)
		})
	})
}

func hasArgument(args []schema.ArgRow, name string) bool {
	return slices.ContainsFunc(args, func(a schema.ArgRow) bool { return a.Name == name })
}

// isField reports whether some agent's payloads have a field with the name.
func isField(name string) bool {
	return slices.ContainsFunc(adapter.Dialects(), func(d adapter.Dialect) bool {
		return slices.ContainsFunc(d.Profile().Events, func(row schema.EventRow) bool {
			return slices.Contains(fieldsAt(d, row.Native), name)
		})
	})
}

// stoodIn reports whether the script reads another field if one is missing, and the agent sends that other field.
func (j *judgment) stoodIn(f *ScriptField, sent func(*ScriptField) bool) bool {
	return slices.ContainsFunc(j.out.Fields, func(o ScriptField) bool {
		n := min(len(o.Path), len(f.Path))
		return o.Group == f.Group && !slices.Equal(o.Path[:n], f.Path[:n]) && sent(&o)
	})
}

// reported reports whether f is inside another field of the script that is also missing.
func (j *judgment) reported(f *ScriptField, sent func(*ScriptField) bool) bool {
	return slices.ContainsFunc(j.out.Fields, func(o ScriptField) bool {
		return len(o.Path) < len(f.Path) && slices.Equal(o.Path, f.Path[:len(o.Path)]) && !sent(&o)
	})
}

// within returns a nested field in the agent's own payloads that has the name of a top-level field, "" if there is
// none.
func (j *judgment) within(path []string) string {
	for _, o := range j.own {
		for _, m := range o {
			if deep := append([]string{m.Name}, path...); has([]ordjson.Object{o}, deep) &&
				ordjson.KindOf(m.Value) == ordjson.ObjectKind {
				return (&scriptread.Field{Path: deep}).Name()
			}
		}
	}
	return ""
}

// add reports a finding about a script, once.
func (j *judgment) add(code schema.Code, severity schema.Severity, line int, about, message, fix string) {
	if about = string(code) + " " + about; slices.Contains(j.out.missed, about) {
		return
	}
	j.out.missed = append(j.out.missed, about)
	d := j.out.Found.AddSeverity(code, severity, j.hook.Path, message)
	d.File, d.Line, d.Col, d.Event, d.Fix = j.out.File, line, 1, j.hook.Native, fix
	if j.out.File == "" {
		d.File, d.Line, d.Col = j.hook.Source.File, j.hook.Line, j.hook.Col
	}
}

// ownFields reports fields that the hook's own agent never sends, and as notes those that no agent is known to send.
func (j *judgment) ownFields() {
	own := j.d.Profile()
	sent := func(f *ScriptField) bool {
		s := f.Agents[own.Name]
		return s.Native || s.Unknown && !j.knowsWithin(f.Path[0])
	}
	for i := range j.out.Fields {
		f := &j.out.Fields[i]
		if sent(f) || j.stoodIn(f, sent) || j.reported(f, sent) {
			continue
		}
		unknown := f.Agents[own.Name].Unknown || len(f.Path) == 1 && !isField(f.Path[0])
		severity, what := plan.GuardSeverity(j.d, j.hook), " never sends at "+j.hook.Native
		if unknown {
			severity, what = schema.Note, " isn't known to send at "+j.hook.Native+", nor is any other agent"
		}
		fix := ""
		if deep := j.within(f.Path); deep != "" {
			fix = "read " + deep
		}
		j.add(schema.CodeScriptField, severity, f.Line, f.Name(),
			"the script reads "+f.Name()+", which "+own.TitleChecked()+what, fix)
	}
}

// toolNames reports a script that compares the tool's name only with names of other agents.
func (j *judgment) toolNames(s *scriptread.Script) {
	own := j.d.Profile()
	var foreign []scriptread.Word
	for _, w := range s.Words {
		switch {
		case !j.isToolName(w.Of) || !isWord(w.Text):
		case own.Tool(w.Text) != nil || slices.Contains(own.PlainTools, w.Text):
			return
		case ownerOfTool(w.Text) != "":
			foreign = append(foreign, w)
		}
	}
	for _, w := range foreign {
		j.add(schema.CodeScriptField, plan.GuardSeverity(j.d, j.hook), w.Line, w.Text,
			"the script compares the tool with "+w.Text+", a tool of "+ownerOfTool(w.Text)+"; "+
				own.TitleChecked()+" has none of that name", "")
	}
}

// isToolName reports whether a field contains the name of the call's tool.
func (j *judgment) isToolName(path []string) bool {
	return len(path) == 1 && slices.ContainsFunc(j.own, func(o ordjson.Object) bool {
		return j.d.Profile().Tool(o.Str(path[0])) != nil
	})
}

func isWord(text string) bool {
	return text != "" && strings.Trim(strings.ToLower(text), "abcdefghijklmnopqrstuvwxyz_0123456789") == ""
}

// ownerOfTool returns the title of the first agent with a tool of that name, "" if there is none.
func ownerOfTool(name string) string {
	for _, d := range adapter.Dialects() {
		if d.Profile().Tool(name) != nil {
			return d.Profile().Title
		}
	}
	return ""
}

// exits reports an exit code that blocks at other events, or in a synchronous hook, but not in this hook.
func (j *judgment) exits(row *schema.EventRow, s *scriptread.Script) {
	where := "at " + j.hook.Native + " in " + j.d.Profile().Title
	switch {
	case j.background():
		where = inBackground
	case row.Blocks != 0 || row.Decides() != 0:
		return
	}
	for _, e := range s.Exits {
		if isRefusal(e.Status) {
			j.add(schema.CodeScriptExit, plan.GuardSeverity(j.d, j.hook), e.Line, "", "the script exits with "+
				strconv.Itoa(e.Status)+", which refuses nothing "+where, "")
		}
	}
}

// inBackground describes where an answer decides nothing.
const inBackground = "from a hook that its agent doesn't wait for"

// background reports whether the hook's agent doesn't wait for the hook.
func (j *judgment) background() bool { return j.hook.Async && !j.hook.Rewake }

// isRefusal reports whether some agent's hooks deny with an exit code.
func isRefusal(status int) bool {
	return status != 0 && slices.ContainsFunc(adapter.WithHooks(), func(d adapter.Dialect) bool {
		return d.Profile().RefusalStatus == status
	})
}

// through compares the script with a host's payloads, direct and through hookbridge, and lists the fields that don't
// reach the script.
func (j *judgment) through(host adapter.Dialect, p schema.Places) (lost []string) {
	x := &examination{host: host, places: p}
	var native, shown []ordjson.Object
	for _, e := range plan.New(j.d, host).Outcome(j.hook, true).Own {
		row := host.Profile().Row(e.Native)
		if row == nil {
			continue
		}
		payloads := payloads(x, j.d, j.hook, row)
		native = append(native, payloads...)
		for _, payload := range payloads {
			shown = append(shown, j.shown(x, payload)...)
		}
	}

	if len(shown) == 0 { // the host has no such event; other findings report that
		return nil
	}

	name := host.Profile().Name
	sent := func(f *ScriptField) bool { return f.Agents[name].Through }
	for i := range j.out.Fields {
		f := &j.out.Fields[i]
		f.Agents[name] = Sends{Native: has(native, f.Path), Through: has(shown, f.Path)}
	}

	for i := range j.out.Fields {
		f := &j.out.Fields[i]
		if sent(f) || !has(j.own, f.Path) || j.stoodIn(f, sent) || j.reported(f, sent) {
			continue
		}
		lost = lists.With(lost, f.Name())
	}

	return lost
}

// shown returns the payloads for the hook that hookbridge makes from a host's payload.
func (j *judgment) shown(x *examination, payload ordjson.Object) (list []ordjson.Object) {
	c, _ := x.host.DecodeCall(payload.Append(nil), nil)
	if c == nil {
		return nil
	}
	parts := []*schema.Call{c}
	if s := x.host.Abilities().Splits; s != nil { // such as a command that reads a file
		parts = append(parts, slices.Concat(s.Split(c)...)...)
	}
	for _, part := range parts {
		for _, v := range j.d.Views(part) {
			if v.Event != j.hook.Native {
				continue
			}
			if o, err := ordjson.Parse(j.d.AppendCall(nil, part, v)); err == nil {
				list = append(list, o)
			}
		}
	}
	return list
}
