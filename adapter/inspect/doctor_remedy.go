package inspect

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// install returns the command that makes the host call the hook.
func (b *bridged) install() string {
	if b.fix != "" {
		return b.fix
	}
	if b.host.Profile().Modules != nil {
		return "hookbridge convert --from " + b.d.Profile().Full() + " --to " + b.host.Profile().Full() +
			" -o hooks.ts"
	}
	install := b.command("install") + " --hooks " + b.d.Profile().Full()
	if b.elsewhere != "" && b.own.Places.Project != "" && b.ofProject(b.h) {
		return plan.Command("install", b.host) + " --hooks " + b.d.Profile().Full() + " --project " +
			shell.Quote(b.own.Places.Project)
	}
	if b.h.Handler == schema.HandlerCallback { // install finds it only in a module given by --module
		install += " --module " + shell.Quote(b.h.Command)
	} else if b.h.Source.Scope == schema.ScopeManaged {
		install += " --scope managed"
	} else if !b.ofProject(b.h) || b.h.Source.Scope == schema.ScopeLocal { // it isn't in a shared file
		install += " --scope user"
	}
	return install
}

// command returns a command line of hookbridge for the host and the project.
func (x *examination) command(name string) string {
	line := plan.Command(name, x.host)
	if x.what.From != "" && !dialect.Inside(x.places.Project, x.what.From) {
		line += " --project " + shell.Quote(x.places.Project)
	}
	return line
}

// moveTo returns where to put an entry or a hook of the project for a host that doesn't load the project's files.
func (b *bridged) moveTo() string {
	if b.host.Profile().Layers == dialect.RootAlone {
		return "move the hooks to " + b.own.Places.Project
	}
	return b.install()
}

// convert returns the command that adds a hook to the host's file, next to other converted hooks of its agent.
func (b *bridged) convert() string {
	target := b.convertedIn()
	if target == "" {
		for _, s := range b.host.Locate(b.places) {
			if s.Scope == schema.ScopeProject && !s.Folder && target == "" {
				target = s.File
			}
		}
	}
	return "hookbridge convert --from " + b.d.Profile().Full() + " --to " + b.host.Profile().Full() + " " +
		shell.Quote(b.short(b.h.Source.File)) + " --merge " + shell.Quote(b.short(target))
}

// short returns a file's path relative to the user's working directory, for use in commands.
func (x *examination) short(file string) string {
	return filepath.ToSlash(trust.InProject(cmp.Or(x.what.From, x.places.Project), file))
}

func (x *examination) placeOf(h *schema.Hook) string {
	place := filepath.ToSlash(trust.InProject(x.places.Project, h.Source.File))
	if h.Line > 0 {
		place += ":" + strconv.Itoa(h.Line)
	}
	return place
}

func (x *examination) placesOf(list []*schema.Hook) string {
	var out []string
	for _, h := range list {
		if p := x.placeOf(h); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return plan.Listed(out, "and")
}

// oneEntry returns the fix for several entries at the same event.
func (b *bridged) oneEntry(r *reach) string {
	var scopes []string
	above := func(c *caller) bool {
		return c.entry.Source.OfProject() && !dialect.Within(b.places.Project, c.entry.Source.File)
	}
	if i := slices.IndexFunc(r.calls, above); i >= 0 {
		return "remove the entry at " + b.placeOf(r.calls[0].entry) + "; that at " + b.placeOf(r.calls[i].entry) +
			" runs the hook too"
	}

	again := func(c *caller) bool {
		return slices.ContainsFunc(r.calls, func(o *caller) bool {
			return c.entry != o.entry && c.entry.Path == o.entry.Path && c.entry.Source.File == o.entry.Source.File
		})
	}
	if slices.ContainsFunc(r.calls, again) {
		return "start " + b.host.Profile().Title +
			" in another folder: it loads the hook files of your home folder twice here"
	}

	for _, c := range r.calls {
		h := c.entry
		if !c.installed() || !h.Source.OfProject() && h.Source.Scope != schema.ScopeUser {
			return "remove the entry at " + b.placeOf(h)
		}
		line := b.command("install") + " --hooks " + b.d.Profile().Full()
		if !h.Source.OfProject() {
			line += " --scope user"
		}
		if !slices.Contains(scopes, line) {
			scopes = append(scopes, line)
		}
	}

	return strings.Join(scopes, " && ")
}

// keepOne returns the fix for hooks that are both converted and run by hookbridge. It removes hookbridge if all hooks
// are converted, otherwise the copies.
func (b *bridged) keepOne(r *reach) string {
	res, _ := survey.LoadScope(b.d, b.places, schema.ScopeProject)
	needed := slices.ContainsFunc(res.Hooks, func(h schema.Hook) bool {
		other := b.examination.bridged(b.d, &h)
		return slices.ContainsFunc(other.Entries(), func(e schema.Entry) bool {
			have, _ := other.copies(e.Native)
			return len(have) == 0
		})
	})
	if !needed {
		return b.command("uninstall") + " --hooks " + b.d.Profile().Full()
	}
	return "remove the entry at " + b.placesOf(entriesOf(r.copies)) + "; hookbridge runs the hook"
}

// convertedIn returns the host's last file with converted hooks of d, "" if there is none. Installing hookbridge there
// would run those hooks twice.
func (b *bridged) convertedIn() (file string) {
	for i := range b.own.Hooks {
		if of := cmdline.Unwrap(b.own.Hooks[i].Command, b.own.Hooks[i].Args); len(of) > 0 &&
			dialect.BaseName(of[0].Hooks) == b.d.Profile().Name {
			file = b.own.Hooks[i].Source.File
		}
	}
	return file
}
