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

	"github.com/hookbridge/hookbridge/adapter/bridge"
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

// shorter returns the shorter of two limits; 0 means no limit.
func shorter(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// A caller is one of the host's entries that may run the hook.
type caller struct {
	*bridged
	entry *schema.Hook
	call  cmdline.Call
}

// installed reports whether install wrote the entry.
func (c *caller) installed() bool { return c.call.Installed(c.host.Profile().Name, c.d.Profile().Name) }

// never returns a problem that keeps the entry from ever running the hook.
func (c *caller) never(why, fix string) *Problem {
	return &Problem{Never, schema.CodeNotCalled, schema.Weaker, "the entry at " + c.placeOf(c.entry) + " " + why, fix}
}

// weaker returns a problem that keeps the hook from working in full.
func (c *caller) weaker(code schema.Code, why, fix string) *Problem {
	return &Problem{Weaker, code, plan.GuardSeverity(c.d, c.h), why, fix}
}

// problem finds what keeps the entry, as it is written, from running the hook or applying its answer. The simulated
// host decides whether the entry runs the hook.
func (c *caller) problem() *Problem {
	host, at := c.host.Profile(), "the entry at "+c.placeOf(c.entry)
	runs := c.RunsAt(c.entry.Native)
	limit, needs := c.limits()
	if !runs || c.h.Handler == schema.HandlerCallback { // the entry only records, or the module sets the time
		needs = 0
	}

	ran, tried := c.judged(c.entry.Native, c.ranAt)
	tooShort := needs > 0 && needs < cmdline.Startup && needs < c.d.Profile().Timeout(c.h)
	tooOld := cmdline.TooOld(c.call.Value("requires"), c.what.Version)
	unstarted := c.launcherProblem()
	switch {
	case tooOld != "":
		return c.weaker(schema.CodeTooOld, "for "+at+", "+tooOld, "")
	case c.leftOut() != nil:
		return c.leftOut()
	case unstarted != nil:
		return unstarted
	case tried > 0 && ran == 0 || flagMistake(&c.call) != nil || tooShort:
		return c.never(c.cause())
	case runs && (c.entry.Async || c.entry.Rewake) && plan.GuardSeverity(c.d, c.h) >= schema.Weaker:
		return c.never("runs in the background, so "+host.Title+" doesn't wait for its decision",
			"make the entry synchronous")
	case host.LongestTimeout > 0 && c.entry.Timeout > host.LongestTimeout:
		return c.never("has a timeout of "+c.entry.Timeout.String()+", and "+host.Title+" can wait for at most "+
			host.LongestTimeout.String(), "lower its timeout")
	case limit > 0 && limit < needs && (c.entry.Timeout > 0 || c.h.Timeout > 0):
		return c.weaker(schema.CodeTimedOut, at+" is ended after "+limit.String()+", and the hook may take "+
			needs.String(), "raise the entry's timeout")
	case ran < tried:
		return c.weaker(schema.CodeNotCalled, at+" doesn't get all calls that the hook needs: "+entryFilter(c.entry),
			"correct its matcher")
	case runs && c.h.Event == schema.PreTool && c.lacksCompanion() != "":
		return c.weaker(schema.CodeNotCalled, at+" lacks "+c.lacksCompanion()+", which refuses calls that "+
			host.Title+" shows its hooks in part only", c.install())
	}

	return nil
}

// limits returns the time that the host gives the entry, 0 for no limit, and the time that the hook may take in it.
func (c *caller) limits() (limit, needs time.Duration) {
	limit, needs = c.host.Profile().Timeout(c.entry), c.d.Profile().Timeout(c.h)
	if given := time.Duration(c.call.Number("timeout") * float64(time.Second)); given > 0 {
		needs = min(needs, given)
	}
	return limit, needs
}

// cause returns why an entry doesn't run the hook, and the fix.
func (c *caller) cause() (why, fix string) {
	project, home := c.call.Text("project"), c.call.Text("home")
	limit, _ := c.limits()
	given := time.Duration(c.call.Number("timeout") * float64(time.Second))
	mistake, missing := flagMistake(&c.call), bridge.CheckProject(project)
	switch {
	case mistake != nil:
		return "fails: " + mistake.Error(), "correct its flags, or run hookbridge install again"
	case c.call.Text("host") != "" && dialect.BaseName(c.call.Text("host")) != c.host.Profile().Name:
		return "is written for " + c.call.Text("host"), "set --host " + c.host.Profile().Name
	case missing != nil:
		return "names a project that doesn't exist: " + project, "remove --project"
	case filepath.IsAbs(project) && c.ofProject(c.h) && dialect.RealPath(project) != dialect.RealPath(c.places.Project):
		return "is for another project, " + project + ", and runs no hooks of this one", "remove --project"
	case home != "" && home != c.places.Home && !c.ofProject(c.h):
		return "looks for the user's hooks in " + home, "remove --home"
	case limit > 0 && limit < cmdline.Startup || given > 0 && given < cmdline.Startup:
		return "is ended after " + shorter(limit, given).String() + ", before a hook can answer", "raise its timeout"
	}
	if why := c.idle(); why != "" {
		return why, c.install()
	}
	return "doesn't get the calls that the hook needs: " + entryFilter(c.entry), "correct its matcher"
}

// idle returns why the entry, which the host calls, doesn't run the hook; "" if the host doesn't call it.
func (c *caller) idle() string {
	for _, s := range c.sampled(c.entry.Native).steps {
		i := slices.IndexFunc(s.Runs, func(r simulate.Run) bool { return r.Hook.SamePlace(c.entry) })
		switch {
		case i < 0:
		case s.Runs[i].Inside == nil && s.Runs[i].Result.Exit != 0:
			return "fails: " + schema.FailureText(s.Runs[i].Result.Exit, "", s.Runs[i].Result.Stderr)
		case s.Runs[i].Inside != nil && s.Runs[i].Inside.Err != nil:
			return "fails: " + s.Runs[i].Inside.Err.Error()
		default:
			return "is called and doesn't run the hook"
		}
	}
	return ""
}

// lacksCompanion returns hookbridge's file that the host needs next to an entry, if it is missing or differs.
func (c *caller) lacksCompanion() string {
	companion := c.host.Abilities().Companion
	if companion == nil {
		return ""
	}
	name, text := companion.Companion()
	file := filepath.Join(filepath.Dir(c.entry.Source.File), filepath.FromSlash(name))
	if found, err := discover.Read(file); err == nil && bytes.Equal(found, text) {
		return ""
	}
	return c.short(file)
}

// flagMistake returns why an entry's flags make it fail, nil if they don't.
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

// samples returns events of the host for the tools that a hook's matcher selects.
func (b *bridged) samples(row *schema.EventRow) (events []sample.Event) {
	add := func(e sample.Event) {
		e.Event, e.Project, e.Session = row.Native, b.places.Project, "doctor"
		events = append(events, e)
	}
	tool := func(k schema.Kind) {
		add(sample.Event{Tool: k.String()})
		if k == schema.Read { // for agents whose models read by a command
			add(sample.Event{Tool: k.String(), Input: []byte(`{"path":"example.txt"}`)})
		}
	}
	sel := b.d.Select(b.h)
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
	for _, name := range matcher.Examples(b.h.Matcher, "x") { // a tool that is in no table
		if ownerOfTool(name) == "" && isWord(name) {
			add(sample.Event{Tool: name, Input: []byte("{}")})
		}
	}
	return events
}

// launcherProblem returns why an entry that starts a launcher doesn't reach hookbridge through it, nil if it does or
// has no launcher. The launcher's behavior is known only if it is exactly as hookbridge writes it.
func (c *caller) launcherProblem() *Problem {
	never := func(file, fault, fix string) *Problem {
		return &Problem{Never, schema.CodeNotStarted, schema.Weaker, "the entry at " + c.placeOf(c.entry) + " starts " +
			file + ", " + fault, fix}
	}
	older := func(file, fix string) *Problem {
		return &Problem{Weaker, schema.CodeStale, schema.Weaker, "the entry at " + c.placeOf(c.entry) + " starts " +
			file + ", which an older hookbridge wrote", fix}
	}
	switch {
	case c.what.Assumed:
		return nil
	case c.places.OS == "windows" && c.host.Profile().Starts.Windows == dialect.NotThere:
		return never(c.entry.Source.File, "which "+c.host.Profile().Title+" doesn't start on Windows",
			"start "+c.host.Profile().Title+" in WSL, or use an agent that hookbridge has an entry for on Windows")
	case c.call.Launcher != "" && c.entry.Source.Plugin != "":
		p, _ := plugin.Open(c.entry.Source.Plugin, nil)
		again := "hookbridge plugin write " + shell.Quote(c.entry.Source.Plugin)
		fix := cmp.Or(c.fix, again+", or a new version of the plugin")
		file, fault, old := p.Fault()
		if old {
			return older(file, fix)
		}
		if fault != "" {
			return never(file, fault, fix)
		}
		return nil
	case c.call.ProjectLauncher == "":
		return nil
	}

	from := c.own.Places.Project
	if c.host.Profile().Starts.Below {
		from = c.places.Project
	}
	started := c.call.LaunchedFile(from, func(string) string { return c.own.Places.Project })
	fix := c.command("install") + " --launcher"
	if started == "" {
		return never(cmdline.ProjectLauncher, "which isn't in "+from, fix)
	}
	if info, err := os.Stat(started); err == nil && info.Mode()&0o111 == 0 && c.places.OS != "windows" {
		return never(started, "which isn't executable", "chmod +x "+shell.Quote(started))
	}

	text := launcher.Project()
	for _, f := range launcher.ProjectFiles() {
		file := started + strings.TrimPrefix(f.Path, cmdline.ProjectLauncher)
		found, err := discover.Read(file)
		switch fault, old := f.Fault(text, found); {
		case errors.Is(err, fs.ErrNotExist) && c.places.OS != "windows": // the other system's launcher
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
