package schema

import (
	"cmp"
	"slices"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// MatchOn is what a matcher of an event is compared with.
type MatchOn uint8

const (
	MatchNothing MatchOn = iota // nothing: the matcher is ignored
	MatchTool                   // the tool's name
	MatchField                  // the field EventRow.MatchField
	MatchConst                  // the constant EventRow.MatchConst, which may be empty
)

// An EventRow is one native event of a dialect: everything about the event
// that differs between dialects.
type EventRow struct {
	Native     string
	Event      Event
	Also       []Event // other possible events: a failed stop, a result that is an error
	AlsoFor    []Kind  // tools for which Also applies; nil: all
	AlsoAs     Likeness
	Gate       *Gate // nil: it is about tools of any kind, or not about tools
	Match      MatchOn
	MatchField Field
	MatchConst string
	Grammar    Grammar // grammar of its matchers; 0: the agent's default
	// Idle are values of MatchField for which the agent raises the event although nothing like it happens. Hooks of
	// other agents then don't run.
	Idle []string
	// EndDenies: ending the turn also keeps the call from running, or its result from the model.
	EndDenies bool
	// InAgents: the agent also raises the event for the turns of its sub-agents. Hooks see these turns only if their
	// own agent raises it too.
	InAgents bool
	// Continued: the agent also raises the event for the message of a stop hook, which hooks see only if their own
	// agent raises it too.
	Continued bool
	// Beside: the agent raises the next event before the hooks of this one have ended.
	Beside bool
	// Asked: the agent raises the event only for calls about which it asks the user. Its own rules and its mode decide
	// that.
	Asked bool
	// Never are the tools for whose calls the agent never raises the event.
	Never []Kind
	// Only is the single moment at which the agent raises the event, and More an additional moment; 0: neither. Hooks
	// whose own agent does the same lose and gain nothing.
	Only, More Moment
	// Races: the agent's user may answer before the hook has, and the first answer counts.
	Races bool

	Fields []Field   // payload fields in addition to the common ones, in the agent's order
	Honors Feature   // effects that the agent honors on this event
	Blocks Feature   // the effect of a blocking hook (exit status 2, or a block decision); 0: none
	Text   Feature   // the effect of plain text on stdout; 0: none
	Allow  Allowance // the meaning of an allow, if Honors has EffectAllow
	// Preview is the longest context that the agent shows the model whole, in UTF-16 units. Of a longer one, the model
	// sees a part and the path of a file with all of it. 0: no limit.
	Preview int
	Since   string // version that introduced it, "" if it was always there
	Source  string // evidence: doc page section or observed client version
}

// A Likeness is how hooks see the other possible events of a row.
type Likeness uint8

const (
	AlsoNamed   Likeness = iota // the payload names the event
	AlsoAlike                   // the payload doesn't distinguish them
	AlsoForeign                 // the agent raises only this event; to hooks of other agents it may be that one
	AlsoBoth                    // the agent also raises that event, and hooks of both run
)

// A Gate makes an event about a single kind of tool, whose name isn't in the payload.
type Gate struct {
	Kinds  []Kind // the likeliest first
	Inline bool   // about inline completions, which other agents don't have
}

// Kinds returns the tool kinds of a gate, nil if the event isn't a gate.
func (row *EventRow) Kinds() []Kind {
	if row.Gate == nil {
		return nil
	}
	return row.Gate.Kinds
}

// Inline reports whether the event is about inline completions.
func (row *EventRow) Inline() bool { return row.Gate != nil && row.Gate.Inline }

// An Allowance is how an agent treats a hook's allow.
type Allowance uint8

const (
	// AllowUnknown is treated as the stricter one on either side: a hook only has no objection, a host would skip its
	// prompt.
	AllowUnknown  Allowance = iota
	AllowPasses             // no objection: the user's own permission rules still decide
	AllowApproves           // approval: the agent skips the prompt that its rules ask for
)

// Follows reports whether an agent sends the event after its generic one for the same call, before the tool runs.
func (row *EventRow) Follows() bool {
	return row.Gate != nil && row.Event == PreTool || row.Event == PermissionRequest
}

// Decides returns what a hook of the event can decide. This is the effect of blocking, or else an effect that only its
// answer can deny. 0: the event has no guards.
func (row *EventRow) Decides() Feature {
	if row.Blocks != 0 {
		return row.Blocks
	}
	return row.Honors & (EffectDeny | EffectKeepGoing | EffectEndTurn)
}

// At reports whether a version has the event.
func (row *EventRow) At(version string) bool { return Since(version, row.Since) }

// RaisesOf reports whether the native event can represent e of a tool of kind k.
func (row *EventRow) RaisesOf(e Event, k Kind) bool {
	return row.Event == e || row.Raises(e) && (row.AlsoFor == nil || slices.Contains(row.AlsoFor, k))
}

// Spares reports whether the agent never raises the event for a tool of these kinds.
func (row *EventRow) Spares(kinds []Kind) bool {
	return len(kinds) > 0 && !slices.ContainsFunc(kinds, func(k Kind) bool { return !slices.Contains(row.Never, k) })
}

// Raises reports whether the native event can represent e.
func (row *EventRow) Raises(e Event) bool {
	return row.Event == e || row.AlsoAs != AlsoForeign && slices.Contains(row.Also, e)
}

// RowNamed returns the row of the native event, nil if rows has none.
func RowNamed(rows []EventRow, native string) *EventRow {
	return lists.Find(rows, func(row *EventRow) bool { return row.Native == native })
}

// RowFor returns the first row for e, nil if rows has none.
func RowFor(rows []EventRow, e Event) *EventRow {
	return lists.Find(rows, func(row *EventRow) bool { return row.Event == e })
}

// A MemberRow is the native name of a payload field. Of several rows for a field, the first that fits is written, and
// the names of all versions are read. A renamed field gets one more row, before the old one.
type MemberRow struct {
	Name  string
	Field Field
	On    []Event // events that have the field under this name; nil: all. Rows for single events come first.
	Since string  // version that introduced it, "" if it was always there
	Until string  // version that dropped or renamed it
}

// Covers reports whether the row is for an event.
func (r *MemberRow) Covers(e Event) bool { return r.On == nil || slices.Contains(r.On, e) }

// A MemberTable names the fields of payloads. A nil one names none.
type MemberTable struct {
	Shared *MemberTable // rows of other agents too; they come first, except in naming a field
	Rows   []MemberRow
}

// An ArgRow gives the native name of a field of a tool's input or result.
type ArgRow struct {
	Name  string
	Role  Role
	Words *Vocabulary // spelling of its values; nil: unchanged
	Lines Lines       // how it selects lines of a file; 0: as its role does
	Scale float64     // number of the role's units in one of its own; 0: one
}

// A ToolRow is one tool of a dialect.
type ToolRow struct {
	Name    string
	Aliases []string  // further names for it in matchers
	Before  []Renamed // names in older versions, the oldest first
	// Programs are the only programs of the agent that have the tool; nil: all have it.
	Programs []string
	Since    string // version that introduced it, "" if it was always there
	Until    string // version that dropped it
	Kinds    []Kind // possible kinds of a call by this name, the likeliest first
	// Also are other kinds of work that the tool does under its own name. Before it runs, hooks on tools of such a kind
	// see the call too.
	Also     []Kind
	Input    []ArgRow
	Output   []ArgRow
	Replaces Roles // input fields that the agent takes from a rewritten input
	// More are further names of its input. The agent drops all others from a rewritten input; nil: not known.
	More []string
	// Parts are the kinds of calls as which hooks of other agents may also see a call: see dialect.Splitter.
	Parts []Kind
	Path  PathRules
}

// A Renamed is a tool's name until a version.
type Renamed struct{ Name, Until, Source string }

// Renamed returns the table with other names for some fields.
func (t *MemberTable) Renamed(names map[Field]string) *MemberTable {
	out := MemberTable{Rows: slices.Clone(t.All())}
	for i, row := range out.Rows {
		out.Rows[i].Name = cmp.Or(names[row.Field], row.Name)
	}
	return &out
}

// NameAt returns a version's name of the tool.
func (t *ToolRow) NameAt(version string) string {
	for _, was := range t.Before {
		if !Since(version, was.Until) {
			return was.Name
		}
	}
	return t.Name
}

// At reports whether a version has the tool.
func (t *ToolRow) At(version string) bool { return between(version, t.Since, t.Until) }

// Named returns the first row for a native field name on an event, nil if none.
func (t *MemberTable) Named(name string, e Event) *MemberRow {
	return t.find(func(row *MemberRow) bool { return row.Name == name && row.Covers(e) })
}

// Of returns the first row for a field that the newest version has on every event, nil if there is none.
func (t *MemberTable) Of(f Field) *MemberRow { return t.At(f, 0, "") }

// At returns the first row for a field on an event of a version, nil if it has none. A nil table has no rows.
func (t *MemberTable) At(f Field, e Event, version string) *MemberRow {
	if t == nil {
		return nil
	}
	fits := func(r *MemberRow) bool { return r.Field == f && r.Covers(e) && between(version, r.Since, r.Until) }
	return cmp.Or(lists.Find(t.Rows, fits), t.Shared.find(fits))
}

// Text returns the text of a field in a payload, by any of its names; "" if there is none.
func (t *MemberTable) Text(o ordjson.Object, f Field) (text string) {
	t.find(func(row *MemberRow) bool {
		if row.Field == f {
			text, _ = o.Text(row.Name)
		}
		return text != ""
	})
	return text
}

func (t *MemberTable) find(fits func(*MemberRow) bool) *MemberRow {
	if t == nil {
		return nil
	}
	if r := t.Shared.find(fits); r != nil {
		return r
	}
	return lists.Find(t.Rows, fits)
}

// All returns the rows.
func (t *MemberTable) All() []MemberRow {
	if t == nil {
		return nil
	}
	return append(t.Shared.All(), t.Rows...)
}

// Decode divides an event's payload into known fields and the rest.
func (t *MemberTable) Decode(o ordjson.Object, e Event) (vs []Value, extra ordjson.Object) {
	vs = make([]Value, 0, len(o))
	for _, m := range o {
		r := t.Named(m.Name, e)
		if r == nil || slices.ContainsFunc(vs, func(v Value) bool { return v.Field == r.Field }) {
			extra = append(extra, m)
			continue
		}
		vs = append(vs, Value{r.Field, m.Value, m.Name})
	}
	return vs, extra
}

// DecodeArgs assigns roles to the fields of an input or result.
func DecodeArgs(o ordjson.Object, rows []ArgRow) Args {
	if len(o) == 0 {
		return nil
	}
	as := make(Args, len(o))
	for i, m := range o {
		as[i] = Arg{Name: m.Name, Raw: m.Value}
		for _, r := range rows {
			if r.Name == m.Name {
				as[i].Role, as[i].Raw = r.Role, r.Words.In(ordjson.Scaled(m.Value, r.Scale, false))
				break
			}
		}
	}
	return ReadLines(as, rows)
}

// NativeArg returns a with the names of rows; ok is false if rows has no name for it. Fields without a role keep their
// names.
func NativeArg(rows []ArgRow, a Arg) (Arg, bool) {
	if a.Role == Rest {
		return a, true
	}
	for _, r := range rows {
		if r.Role == a.Role {
			return Arg{a.Role, r.Name, r.Words.Out(ordjson.Scaled(a.Raw, r.Scale, true))}, true
		}
	}
	return a, false
}

// Drops reports whether the agent drops a field of that name from an input of the tool.
func (t *ToolRow) Drops(name string) bool {
	return t != nil && t.More != nil && !slices.Contains(t.More, name) &&
		!slices.ContainsFunc(t.Input, func(a ArgRow) bool { return a.Name == name })
}

// InputRows lists the fields of the tool's input, none for a nil tool.
func (t *ToolRow) InputRows() []ArgRow {
	if t == nil {
		return nil
	}
	return t.Input
}

// AppendArgs writes as as a JSON object with the names of rows. It leaves out fields without a name in rows, and those
// that are [Args.Shadowed].
func AppendArgs(dst []byte, as Args, rows []ArgRow) []byte {
	w := ordjson.NewWriter(dst)
	as = WriteLines(as, rows)
	for i := range as {
		if a, ok := NativeArg(rows, as[i]); ok && !as.Shadowed(i, rows) {
			w.Raw(a.Name, a.Raw)
		}
	}
	return w.Bytes()
}

// Shadowed reports whether an earlier field has the meaning of as[i]'s name in rows. A model may add fields that its
// tool ignores, such as file_path in addition to path. Under the other agent's names, the object would have two fields
// of one name, and JSON readers use the last.
func (as Args) Shadowed(i int, rows []ArgRow) bool {
	if i >= len(as) {
		return false
	}
	role := as[i].Role
	if role == Rest {
		row := lists.Find(rows, func(r *ArgRow) bool { return r.Name == as[i].Name })
		if row == nil {
			return false
		}
		role = row.Role
	}
	first := slices.IndexFunc(as, func(a Arg) bool { return a.Role == role })
	return first >= 0 && first != i
}

// AppendOwn writes as with the original names, duplicates included: they were read from the dialect of rows.
func AppendOwn(dst []byte, as Args, rows []ArgRow) []byte {
	w := ordjson.NewWriter(dst)
	for _, a := range WriteLines(as, rows) {
		if n, ok := NativeArg(rows, a); ok {
			a.Raw = n.Raw
			if a.Name == "" { // wasn't read from a field
				a.Name = n.Name
			}
		}
		if a.Name != "" || a.Role == Rest {
			w.Raw(a.Name, a.Raw)
		}
	}
	return w.Bytes()
}

// AppendNamed writes as as a JSON object with the original names: the input of a tool that an agent doesn't have is
// unchanged.
func AppendNamed(dst []byte, as Args) []byte {
	w := ordjson.NewWriter(dst)
	for _, a := range as {
		if a.Name != "" || a.Role == Rest {
			w.Raw(a.Name, a.Raw)
		}
	}
	return w.Bytes()
}
