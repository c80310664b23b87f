package bridge

import (
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// decoded is the payload that the host has sent.
type decoded struct {
	call     *schema.Call    // nil: unreadable
	usable   bool            // hookbridge can go on with it
	blind    bool            // hooks can't see what its tool acts on
	host     dialect.Dialect // the agent that has sent it
	hooks    dialect.Dialect // the hooks' agent, in the version that the hooks were written for
	imported bool            // another agent than the entry's host sent it
	now      time.Time
	log      *log
}

// decode reads the payload.
func decode(b *Bridge, stdin []byte, native string, now time.Time) decoded {
	in := decoded{host: b.Host, hooks: adapter.AsWritten(b.Hooks, b.Host), now: now, log: &log{}}
	call, ds := decodeHost(b, stdin, native)
	var repeated []ordjson.Repeated
	if call == nil {
		if stdin, repeated = lastOfEach(stdin); repeated != nil {
			call, ds = decodeHost(b, stdin, native)
		}
	}
	if b.Own == nil && (call == nil || len(call.Extra) > 0) {
		if d, other, more := otherHost(b, stdin, call); d != nil {
			in.log.note(schema.CodeOwnImport, d.Profile().Title+" also loaded the entry of "+b.Host.Profile().Title+
				"; skipped here")
			in.host, in.imported, call, ds = d, true, other, more
		}
	}

	if in.call = call; call == nil {
		in.log.ds = append(in.log.ds, ds...)
		return in
	}

	broken := ds.Max() == schema.Error
	in.log.ds = append(in.log.ds, judgeable(b, call, ds)...)
	in.log.event = call.Native
	for _, r := range repeated {
		d := in.log.noteAs(schema.Weaker, schema.CodeOddInput,
			"the payload has this field twice; hooks see the last one")
		d.Path = r.Pointer
	}
	odd, readable := checkInput(in.host, call)
	in.log.ds = append(in.log.ds, odd...)
	whole := readable && repeated == nil && !broken
	if in.usable = usable(b, call, whole); !in.usable {
		return in
	}

	if b.Places.Project != "" {
		if call.Cwd == call.Project {
			call.Cwd = b.Places.Project
		}
		call.Project = b.Places.Project
	}

	for _, text := range []string{call.Str(schema.FieldSession), call.Project, call.Cwd} {
		if !schema.FitsInEnv(text) {
			in.log.note(schema.CodeMemberLost, "an environment variable can't hold this value; hooks get it on "+
				"stdin only")
		}
	}

	if in.host.Profile().Name == in.hooks.Profile().Name {
		return in
	}
	if call.Get(schema.FieldTime) == nil && in.hooks.Profile().Fields.Of(schema.FieldTime) != nil {
		call.SetStr(schema.FieldTime, now.UTC().Format(schema.TranscriptTime))
	}

	call, lacks := recognized(call, in.host.Profile())
	lacks.report(in.log)
	in.blind = lacks.blinds()
	in.call = wholePaths(inputAsText(call), in.host, in.hooks, b.Places.Home)
	addServer(b, &in)
	return in
}

// lastOfEach returns a payload without fields that a later field of the same name overrides, and lists the repeated
// ones. Clients, like most JSON readers, use the last one. Hooks must get the payload, or the call would run unguarded.
func lastOfEach(stdin []byte) (text []byte, repeated []ordjson.Repeated) {
	o, repeated, err := ordjson.ParseLast(stdin)
	if err != nil || repeated == nil {
		return stdin, nil
	}
	return o.Append(nil), repeated
}

// checkInput applies schema.CheckInput to what hooks see: to each part if the call has several.
func checkInput(host dialect.Dialect, c *schema.Call) (ds schema.Diagnostics, readable bool) {
	ds, readable = schema.CheckInput(c)
	s := host.Abilities().Splits
	if readable || s == nil {
		return ds, readable
	}
	parts := slices.Concat(s.Split(c)...)
	if len(parts) == 0 {
		return ds, false
	}
	ds, readable = nil, true
	for _, part := range parts {
		odd, ok := schema.CheckInput(part)
		ds, readable = append(ds, odd...), readable && ok
	}
	return ds, readable
}

// sendsTool reports whether the agent's payloads use the tool name of a call.
func sendsTool(d dialect.Dialect, c *schema.Call) bool {
	row := d.Profile().Tool(c.Tool.Name)
	return row != nil && row.Name == c.Tool.Name
}

// decodeHost reads the payload in the named host's format. The entry names the event if payloads don't.
func decodeHost(b *Bridge, stdin []byte, native string) (*schema.Call, schema.Diagnostics) {
	if d := b.Host.Abilities().Unnamed; d != nil && native != "" && b.Single == nil {
		return d.DecodeNamed(stdin, native, b.Places.Env)
	}
	return b.Host.DecodeCall(stdin, b.Places.Env)
}

// otherHost reads a payload that the named host never sends: another agent has imported the entry and gets an answer in
// its own format. It returns nil if there is no other agent. If the named host can read the payload too, only fields
// decide, because variables may come from the process that started the agent.
func otherHost(b *Bridge, stdin []byte, read *schema.Call) (dialect.Dialect, *schema.Call, schema.Diagnostics) {
	env := b.Places.Env
	var o ordjson.Object
	if read != nil {
		env = nil
		if o, _ = ordjson.Parse(stdin); b.Host.Profile().Claims(o) {
			return nil, nil, nil
		}
	}
	d := adapter.Detect(stdin, env)
	if d == nil || d.Profile().Name == b.Host.Profile().Name || read != nil && !d.Profile().Claims(o) {
		return nil, nil, nil
	}
	// Fields alone aren't enough to conclude that the other agent runs the hooks, and that none must run here.
	sure := read == nil || slices.ContainsFunc(b.Places.Env, func(v string) bool {
		name, value, _ := strings.Cut(v, "=")
		return value != "" && d.Profile().HostVariables.Has(name)
	})
	if !sure && d.Profile().Name == b.Hooks.Profile().Name {
		return nil, nil, nil
	}
	call, more := d.DecodeCall(stdin, b.Places.Env)
	if call == nil || read != nil && sendsTool(b.Host, read) && !sendsTool(d, call) {
		// a field of another agent's payloads counts less than a tool that only the named host has
		return nil, nil, nil
	}
	return d, call, more
}

// addServer adds the location of a call's MCP server for hooks that get it, if the host's payload lacks it. It ignores
// the files of a project that isn't trusted, which could name another server.
func addServer(b *Bridge, in *decoded) {
	lister := in.host.Abilities().Servers
	told := in.hooks.Profile().Fields.Of(schema.FieldServerURL) != nil
	t := &in.call.Tool
	if t.Kind() != schema.MCP || t.Server+t.Begins == "" || lister == nil || !told {
		return
	}
	places, names := b.Places, in.host.Profile().MCP
	places.Project = in.call.Project
	if b.RequireTrust {
		places.Project = ""
	}
	for _, x := range lister.Servers(places, discover.NewBudget(places).Read) {
		if names.Owns(t, x.Name) {
			dialect.SetServer(in.call, x)
			return
		}
	}
}
