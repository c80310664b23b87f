package inspect

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/launcher"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/plugin"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

// shorter is the shorter of two limits, of which 0 is none.
func shorter(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// entryProblem finds what keeps one of the host's entries, as it is written, from running a hook of d or from
// applying its answer: its flags, its time limit, its matcher and its condition.
func (x *examination) entryProblem(d dialect.Dialect, h, own *schema.Hook, call *cmdline.Call) *Problem {
	host, at := x.host.Profile(), x.placeOf(own)
	never := func(why, fix string) *Problem {
		return &Problem{Never, schema.CodeNotCalled, schema.Weaker, "the entry at " + at + " " + why, fix}
	}
	limit, needs := host.Timeout(own), d.Profile().Timeout(h)
	runs := x.runsAt(d, h, own.Native)
	if !runs || h.Handler == schema.HandlerCallback { // the entry only records, or the hook's module says
		needs = 0
	}

	given := time.Duration(call.Number("timeout") * float64(time.Second))
	if given > 0 {
		needs = min(needs, given)
	}

	project := call.Text("project")
	info, err := os.Stat(project)
	tooOld := cmdline.TooOld(call.Value("requires"), x.what.Version)
	unstarted := x.launcherProblem(own, call)
	switch mistake := flagMistake(call); {
	case mistake != nil:
		return never("fails: "+mistake.Error(), "correct its flags, or run hookbridge install again")
	case tooOld != "":
		return &Problem{Weaker, schema.CodeTooOld, plan.GuardSeverity(d, h), "for the entry at " + at + ", " + tooOld,
			""}
	case x.leftOut(d, h, own, call) != nil:
		p := x.leftOut(d, h, own, call)
		p.Fix = x.install(d, h)
		return p
	case unstarted != nil:
		return unstarted
	case call.Text("host") != "" && dialect.BaseName(call.Text("host")) != host.Name:
		return never("is written for "+call.Text("host"), "set --host "+host.Name)
	case project != "" && (err != nil || !info.IsDir()):
		return never("names a project that doesn't exist: "+project, "remove --project")
	case filepath.IsAbs(project) && x.ofProject(h) && dialect.RealPath(project) != dialect.RealPath(x.places.Project):
		return never("is for another project, "+project+", and runs no hooks of this one", "remove --project")
	case call.FindsHooks() && call.Has("home") && !x.ofProject(h) && call.Text("home") != x.places.Home &&
		dialect.Within(x.places.Home, h.Source.File):
		return never("looks for the user's hooks in "+call.Text("home"), "remove --home")
	case runs && (own.Async || own.Rewake) && plan.GuardSeverity(d, h) >= schema.Weaker:
		return never("runs in the background, so "+host.Title+" doesn't wait for its decision",
			"make the entry synchronous")
	case host.LongestTimeout > 0 && own.Timeout > host.LongestTimeout:
		return never("has a timeout of "+own.Timeout.String()+", and "+host.Title+" can wait for at most "+
			host.LongestTimeout.String(), "lower its timeout")
	case limit > 0 && limit < simulate.Startup || given > 0 && given < simulate.Startup:
		return never("is ended after "+shorter(limit, given).String()+", before a hook can answer", "raise its timeout")
	case limit > 0 && limit < needs && (own.Timeout > 0 || h.Timeout > 0):
		return &Problem{Weaker, schema.CodeTimedOut, plan.GuardSeverity(d, h), "the entry at " + at +
			" is ended after " + limit.String() +
			", and the hook may take " + needs.String(), "raise the entry's timeout"}
	}

	switch accepted, tried := x.accepts(d, h, own); {
	case !runs:
	case tried > 0 && accepted == 0:
		return never("doesn't get the calls that the hook needs: "+entryFilter(own), "correct its matcher")
	case accepted < tried:
		return &Problem{Weaker, schema.CodeNotCalled, plan.GuardSeverity(d, h), "the entry at " + at +
			" doesn't get all calls that the hook needs: " + entryFilter(own), "correct its matcher"}
	case h.Event == schema.PreTool && x.lacksCompanion(own) != "":
		return &Problem{Weaker, schema.CodeNotCalled, plan.GuardSeverity(d, h), "the entry at " + at + " lacks " +
			x.lacksCompanion(own) + ", which refuses calls that " + host.Title + " shows its hooks in part only",
			x.install(d, h)}
	}

	return nil
}

// runsAt reports whether an entry at an event of the host runs a hook; others only record what a later call needs.
func (x *examination) runsAt(d dialect.Dialect, h *schema.Hook, native string) bool {
	return slices.ContainsFunc(x.outcome(d, h).Own, func(e schema.Entry) bool { return e.Native == native })
}

// lacksCompanion is the file of hookbridge's that the host needs next to an entry, if it isn't there as it is written.
func (x *examination) lacksCompanion(own *schema.Hook) string {
	companion := x.host.Abilities().Companion
	if companion == nil {
		return ""
	}
	name, text := companion.Companion()
	file := filepath.Join(filepath.Dir(own.Source.File), filepath.FromSlash(name))
	if found, err := discover.Read(file); err == nil && bytes.Equal(found, text) {
		return ""
	}
	return x.short(file)
}

// flagMistake is why an entry fails by its flags, nil if it doesn't.
func flagMistake(call *cmdline.Call) error {
	if unknown := call.Unknown(); len(unknown) > 0 {
		name := cmdline.Dashed(unknown[0])
		known := lists.Map(cmdline.FlagRows(), func(r cmdline.FlagRow) string { return cmdline.Dashed(r.Name) })
		return &cmdline.Mistake{Text: "hookbridge run has no flag " + name + suggest.Question(name, known)}
	}
	return call.Check()
}

func entryFilter(own *schema.Hook) string {
	if own.Condition != "" {
		return "its matcher is " + plan.QuoteOr(own.Matcher, "none") + ", its condition " +
			plan.QuoteOr(own.Condition, "none")
	}
	return "its matcher is " + plan.QuoteOr(own.Matcher, "none")
}

// accepts counts the calls of the host for the hook, one for each kind of tool that its matcher selects, and
// those that the host's own matcher and condition of the entry accept. A matcher that install writes accepts all.
func (x *examination) accepts(d dialect.Dialect, h, own *schema.Hook) (accepted, tried int) {
	p := x.host.Profile()
	row := p.Row(own.Native)
	planned := slices.ContainsFunc(x.host.Plan(&schema.Hook{Event: h.Event}, schema.Selection{All: true, Exact: true}),
		func(e schema.Entry) bool {
			return e.Native == own.Native && e.Matcher == own.Matcher
		})
	if row == nil || row.Match == schema.MatchNothing || own.Condition == "" && (own.Matcher == "" || planned) {
		return 0, 0
	}

	m, err := p.Matcher(own)
	if err != nil {
		return 0, 0
	}

	for _, e := range x.samples(d, h, row) {
		payload, err := sample.Payload(x.host, sample.ForHost(x.host, e))
		if err != nil { // the event isn't raised for such a tool
			continue
		}
		c, _ := x.host.DecodeCall(payload, nil)
		// a field is what only a call knows
		if c == nil || row.Event.IsTool() && row.Match == schema.MatchField {
			continue
		}
		if !slices.ContainsFunc(x.amounts(c), func(part *schema.Call) bool { return selects(d, h, part) }) {
			continue
		}
		views := slices.DeleteFunc(x.host.Views(c), func(v schema.View) bool { return v.Event != own.Native })
		if len(views) == 0 {
			continue
		}
		tried++
		if slices.ContainsFunc(views, func(v schema.View) bool { return x.lets(own, m, c, v) }) {
			accepted++
		}
	}

	return accepted, tried
}

// amounts lists a call and the calls that it amounts to, such as the reading of a file by a command.
func (x *examination) amounts(c *schema.Call) []*schema.Call {
	all := []*schema.Call{c}
	if s := x.host.Abilities().Splits; s != nil {
		all = append(all, slices.Concat(s.Split(c)...)...)
	}
	return all
}

// selects reports whether the hook's own agent runs it for a call.
func selects(d dialect.Dialect, h *schema.Hook, c *schema.Call) bool {
	m, err := d.Profile().Matcher(h)
	return err != nil || slices.ContainsFunc(d.Views(c), func(v schema.View) bool {
		return v.Event == h.Native && (len(v.Target) == 0 || m.Match(v.Target...))
	})
}

// lets reports whether the host calls an entry for a view of a call.
func (x *examination) lets(own *schema.Hook, m *matcher.Matcher, c *schema.Call, v schema.View) bool {
	if len(v.Target) > 0 && !m.Match(v.Target...) {
		return false
	}
	conditions := x.host.Abilities().Conditions
	if own.Condition == "" || conditions == nil {
		return true
	}
	holds, err := conditions.Holds(own, c, v, x.places.Home)
	return holds || err != nil
}

// samples are events of the host for what a hook's matcher selects.
func (x *examination) samples(d dialect.Dialect, h *schema.Hook, row *schema.EventRow) (events []sample.Event) {
	add := func(e sample.Event) {
		e.Event, e.Project, e.Session = row.Native, x.places.Project, "doctor"
		events = append(events, e)
	}
	tool := func(k schema.Kind) {
		add(sample.Event{Tool: k.String()})
		if k == schema.Read { // by a command, where the agent's model reads so
			add(sample.Event{Tool: k.String(), Input: []byte(`{"path":"example.txt"}`)})
		}
	}
	sel := d.Select(h)
	if !row.Event.IsTool() {
		add(sample.Event{})
		return events
	}

	for k := schema.Shell; k < schema.NumKinds; k++ {
		if usual := k <= schema.Write; sel.All && usual || sel.Search != "" && k != schema.MCP {
			tool(k)
		}
	}
	for _, k := range sel.Picks {
		switch {
		case sel.All:
		case k.Kind == schema.MCP:
			add(sample.Event{Tool: cmp.Or(k.Name, "search"), Server: cmp.Or(k.Server, "example"), Input: []byte("{}")})
		case k.Kind != schema.Other:
			tool(k.Kind)
		}
	}
	for _, name := range matcher.Examples(h.Matcher, "x") { // of a tool that no table has
		if ownerOfTool(name) == "" && isWord(name) {
			add(sample.Event{Tool: name, Input: []byte("{}")})
		}
	}
	return events
}

// launcherProblem says why an entry that starts a launcher doesn't reach hookbridge by it, nil if it does or starts
// none. What the launcher does is known only if it is what hookbridge writes, as a whole.
func (x *examination) launcherProblem(own *schema.Hook, call *cmdline.Call) *Problem {
	never := func(file, fault, fix string) *Problem {
		return &Problem{Never, schema.CodeNotStarted, schema.Weaker, "the entry at " + x.placeOf(own) + " starts " +
			file + ", " + fault, fix}
	}
	older := func(file, fix string) *Problem {
		return &Problem{Weaker, schema.CodeStale, schema.Weaker, "the entry at " + x.placeOf(own) + " starts " +
			file + ", which an older hookbridge wrote", fix}
	}
	switch {
	case x.what.Assumed:
		return nil
	case x.places.OS == "windows" && x.host.Profile().Starts.Windows == dialect.NotThere:
		return never(own.Source.File, "which "+x.host.Profile().Title+" doesn't start on Windows",
			"start "+x.host.Profile().Title+" in WSL, or use an agent that hookbridge has an entry for on Windows")
	case call.Launcher != "" && own.Source.Plugin != "":
		p, _ := plugin.Open(own.Source.Plugin, nil)
		again := "hookbridge plugin write " + shell.Quote(own.Source.Plugin)
		fix := cmp.Or(x.fix, again+", or a new version of the plugin")
		file, fault, old := p.Fault()
		if old {
			return older(file, fix)
		}
		if fault != "" {
			return never(file, fault, fix)
		}
		return nil
	case call.ProjectLauncher == "":
		return nil
	}

	from := x.own.Places.Project
	if x.host.Profile().Starts.Below {
		from = x.places.Project
	}
	started := call.LaunchedFile(from, func(string) string { return x.own.Places.Project })
	fix := x.command("install") + " --launcher"
	if started == "" {
		return never(cmdline.ProjectLauncher, "which isn't in "+from, fix)
	}
	if info, err := os.Stat(started); err == nil && info.Mode()&0o111 == 0 && x.places.OS != "windows" {
		return never(started, "which isn't executable", "chmod +x "+shell.Quote(started))
	}

	text := launcher.Project()
	for _, f := range launcher.ProjectFiles() {
		file := started + strings.TrimPrefix(f.Path, cmdline.ProjectLauncher)
		found, err := discover.Read(file)
		switch fault, old := f.Fault(text, found); {
		case errors.Is(err, fs.ErrNotExist) && x.places.OS != "windows": // its twin
		case err != nil:
			return never(file, "which can't be read: "+err.Error(), fix)
		case old:
			return older(file, fix)
		case fault != "":
			if _, ours := f.Written(found, launcher.ByInstall); !ours {
				fix = "move it away, then " + fix
			}
			return never(file, fault, fix)
		}
	}
	return nil
}
