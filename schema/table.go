package schema

import (
	"cmp"
	"slices"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// MatchOn says what a matcher of an event is compared with.
type MatchOn uint8

const (
	MatchNothing MatchOn = iota // matchers are not looked at
	MatchTool                   // the tool's name
	MatchField                  // the field EventRow.MatchField
	MatchConst                  // the constant EventRow.MatchConst, which may be empty
)

// An EventRow is one native event of a dialect: everything about the event
// that differs between dialects.
type EventRow struct {
	Native     string
	Event      Event
	Also       []Event // what else it may be: a stop that failed, a result that is an error
	AlsoFor    []Kind  // the tools of which it may; nil: all
	AlsoAs     Likeness
	Gate       *Gate // nil: it is about tools of any kind, or about none
	Match      MatchOn
	MatchField Field
	MatchConst string
	Grammar    Grammar // how its matchers are read; 0: as the agent reads others
	// Idle are values of MatchField with which the agent raises the event although
	// nothing of the kind happens: hooks of other agents do not run then.
	Idle []string
	// EndDenies: the end of the turn also keeps the call from running, or its result from the model.
	EndDenies bool
	// InAgents: the agent raises the event for the turns of its sub-agents too, of which
	// hooks hear only if their own agent does the same.
	InAgents bool
	// Continued: the agent raises the event for the message of a stop hook too, which hooks see only if
	// their own agent does the same.
	Continued bool
	// Beside: the agent raises the next event before the hooks of this one have ended.
	Beside bool
	// Asked: the agent raises the event only for the calls that it asks its user about,
	// which its own rules and its mode decide.
	Asked bool
	// Never are the tools for whose calls the agent never raises the event.
	Never []Kind
	// Only is the one moment at which the agent raises the event, and More a moment at which it does so beside the
	// one that the event is for; 0: neither. Hooks whose own agent does the same lose and gain nothing.
	Only, More Moment
	// Races: the agent's user may answer before the hook has, and the first answer counts.
	Races bool

	Fields []Field   // payload fields beside the common ones, in the agent's order
	Honors Feature   // effects that the agent honors on this event
	Blocks Feature   // the effect of a hook that blocks (exit status 2, or a block decision); 0: none
	Text   Feature   // the effect of plain text on stdout; 0: none
	Allow  Allowance // what an allow means, where Honors has EffectAllow
	// Preview is the longest context that the agent shows its model whole, in UTF-16 units: of a longer one the
	// model sees a part, and the path of a file with all of it. 0: any length.
	Preview int
	Since   string // version that introduced it, "" if always there
	Source  string // evidence: doc page section or observed client version
}

// A Likeness says what hooks hear of the events that a row may also be.
type Likeness uint8

const (
	AlsoNamed   Likeness = iota // the payload says which one it is
	AlsoAlike                   // the payload doesn't say
	AlsoForeign                 // only hooks of other agents run as at that event, whose calls happen here as well
	AlsoBoth                    // the agent raises that event too, and hooks of both run
)

// A Gate makes an event one about a single kind of tool, whose name its payload doesn't say.
type Gate struct {
	Kinds  []Kind // the likeliest first
	Inline bool   // about inline completions, which other agents don't have
}

// Kinds are the kinds of tool of a gate, nil if the event is none.
func (row *EventRow) Kinds() []Kind {
	if row.Gate == nil {
		return nil
	}
	return row.Gate.Kinds
}

// Inline reports whether the event is about inline completions.
func (row *EventRow) Inline() bool { return row.Gate != nil && row.Gate.Inline }

// An Allowance says what an agent understands by a hook's allow.
type Allowance uint8

const (
	// AllowUnknown is treated as the stricter one on either side: a hook has no
	// objection, a host would skip its prompt.
	AllowUnknown  Allowance = iota
	AllowPasses             // no objection: the user's own permission rules still decide
	AllowApproves           // approval: the agent skips the prompt that its rules ask for
)

// Follows reports whether an agent sends the event after its generic one for the same call, before the tool runs.
func (row *EventRow) Follows() bool {
	return row.Gate != nil && row.Event == PreTool || row.Event == PermissionRequest
}

// Decides is what a hook of the event can decide: the effect of one that blocks, or
// else what only its answer can refuse. 0: the event has no guards.
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

// RowNamed is the row of the native event, nil if rows has none.
func RowNamed(rows []EventRow, native string) *EventRow {
	return lists.Find(rows, func(row *EventRow) bool { return row.Native == native })
}

// RowFor is the first row for e, nil if rows has none.
func RowFor(rows []EventRow, e Event) *EventRow {
	return lists.Find(rows, func(row *EventRow) bool { return row.Event == e })
}

// A MemberRow gives the native name of a payload field. Of several rows for a field the
// first one that fits is written, and the names of all versions are read: a field that is
// renamed gets one more row, in front of the old one.
type MemberRow struct {
	Name  string
	Field Field
	On    []Event // events that have the field under this name; nil: all. Those of single events come first.
	Since string  // version that introduced it, "" if always there
	Until string  // version that dropped it, or calls it otherwise
}

// Covers reports whether the row is for an event.
func (r *MemberRow) Covers(e Event) bool { return r.On == nil || slices.Contains(r.On, e) }

// A MemberTable names the fields of payloads. A nil one names none.
type MemberTable struct {
	Shared *MemberTable // rows of other agents too, which come first, but for the name of a field
	Rows   []MemberRow
}

// An ArgRow gives the native name of a field of a tool's input or result.
type ArgRow struct {
	Name  string
	Role  Role
	Words *Vocabulary // how its values are spelled; nil: no difference
	Lines Lines       // how it says lines of a file; 0: as its role does
	Scale float64     // how many of its role's units one of its own is; 0: one
}

// A ToolRow is one tool of a dialect.
type ToolRow struct {
	Name    string
	Aliases []string  // further names that matchers accept for it
	Before  []Renamed // names that older versions gave it, the oldest first
	// Programs are the only ones of the agent's that have the tool; nil: all have it.
	Programs []string
	Since    string // version that introduced it, "" if always there
	Until    string // version that dropped it
	Kinds    []Kind // what a call by this name may be, the likeliest first
	// Also are kinds that the tool does the work of under its own name: before it
	// runs, hooks on tools of such a kind are shown the call too.
	Also     []Kind
	Input    []ArgRow
	Output   []ArgRow
	Replaces Roles // input fields that the agent takes from a rewritten input
	// More are further names of its input. The agent drops any other from a rewritten input; nil: not known.
	More []string
	// Parts are the kinds of calls that hooks of other agents may be shown a call as,
	// beside its own: see dialect.Splitter.
	Parts []Kind
	Path  PathRules
}

// A Renamed is a name that a tool had until a version.
type Renamed struct{ Name, Until, Source string }

// Renamed returns the table with other names for some fields.
func (t *MemberTable) Renamed(names map[Field]string) *MemberTable {
	out := MemberTable{Rows: slices.Clone(t.All())}
	for i, row := range out.Rows {
		out.Rows[i].Name = cmp.Or(names[row.Field], row.Name)
	}
	return &out
}

// NameAt is what a version calls the tool.
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

// Of returns the first row for a field that the newest version has on every event, nil
// if there is none.
func (t *MemberTable) Of(f Field) *MemberRow { return t.At(f, 0, "") }

// At returns the first row for a field on an event of a version, nil if it has none. A nil table has no rows.
func (t *MemberTable) At(f Field, e Event, version string) *MemberRow {
	if t == nil {
		return nil
	}
	fits := func(r *MemberRow) bool { return r.Field == f && r.Covers(e) && between(version, r.Since, r.Until) }
	return cmp.Or(lists.Find(t.Rows, fits), t.Shared.find(fits))
}

// Text is the text of a field in a payload, by any of its names; "" if there is none.
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

// Decode sorts the fields of a payload of an event into fields and the rest.
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

// DecodeArgs gives the fields of an input or result their roles.
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

// NativeArg returns a with the names of rows; ok is false if rows has no name for it.
// Members without a role keep their own names.
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

// InputRows are the fields of the tool's input, none of no tool.
func (t *ToolRow) InputRows() []ArgRow {
	if t == nil {
		return nil
	}
	return t.Input
}

// AppendArgs writes as as a JSON object in the names of rows. Members that the
// rows cannot say are left out, and so are those of [Args.Shadowed].
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

// Shadowed reports whether another field comes first in what the name of as[i] means
// in rows. A model may add fields that its tool ignores, such as file_path beside path.
// Written under the other agent's names there would be two of one name, and readers of
// JSON take the last.
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

// AppendOwn writes as under the names that they came with, those given twice
// included: they were read from the dialect of rows.
func AppendOwn(dst []byte, as Args, rows []ArgRow) []byte {
	w := ordjson.NewWriter(dst)
	for _, a := range WriteLines(as, rows) {
		if n, ok := NativeArg(rows, a); ok {
			a.Raw = n.Raw
			if a.Name == "" { // not read from a field
				a.Name = n.Name
			}
		}
		if a.Name != "" || a.Role == Rest {
			w.Raw(a.Name, a.Raw)
		}
	}
	return w.Bytes()
}

// AppendNamed writes as as a JSON object in their own names: the input of a tool
// that an agent does not have stays as it is.
func AppendNamed(dst []byte, as Args) []byte {
	w := ordjson.NewWriter(dst)
	for _, a := range as {
		if a.Name != "" || a.Role == Rest {
			w.Raw(a.Name, a.Raw)
		}
	}
	return w.Bytes()
}
