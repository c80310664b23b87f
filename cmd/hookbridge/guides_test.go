package main

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/schema"
)

// TestGuides writes one page per direction. The text between an "own" mark and its
// end is written by hand and kept: "try" has commands with their output, "notes" what
// no table knows.
func TestGuides(t *testing.T) {
	const dir = "../../docs/guides/"
	index := "# Guides: hooks of one agent in another\n\n| your hooks | run them in |\n|---|---|\n"
	for _, hooks := range adapter.WithHooks() {
		var links []string
		for _, host := range adapter.Dialects() {
			if hooks.Profile().Name == host.Profile().Name {
				continue
			}
			name := hooks.Profile().Name + "-in-" + host.Profile().Name + ".md"
			links = append(links, "["+displayNames[host.Profile().Name]+"]("+name+")")
			old, _ := os.ReadFile(dir + name)
			golden(t, dir+name, guide(hooks, host, string(old)))
		}
		index += "| " + displayNames[hooks.Profile().Name] + " | " + strings.Join(links, ", ") + " |\n"
	}
	index += "\nCallbacks of the Qoder Agent SDK: [qoder-sdk.md](qoder-sdk.md). Every event of every direction at a " +
		"glance: [matrix.md](../matrix.md). What hooks read of a tool's result: [results.md](../results.md).\n"
	golden(t, dir+"README.md", index)
}

// guide is the page for hooks of one agent in another.
func guide(hooks, host adapter.Dialect, old string) string {
	var w strings.Builder
	from, to := hooks.Profile().Name, host.Profile().Name
	own, theirs := displayNames[from], displayNames[to]
	places := schema.Places{Project: "/p", Home: "/h"}
	place := func(d adapter.Dialect) string {
		return relative("/p", "/h", cmp.Or(install.FileOf(d, places, schema.ScopeProject),
			install.FileOf(d, places, schema.ScopeUser)))
	}
	file := func(d adapter.Dialect) string { return strings.TrimSuffix(place(d), "/"+install.OwnFile) }
	target, scope := place(host), ""
	ofUser := func(d adapter.Dialect) bool { return strings.HasPrefix(place(d), "~/") }
	if ofUser(hooks) || ofUser(host) {
		scope, target = " --scope user", relative("/p", "/h", install.FileOf(host, places, schema.ScopeUser))
	}
	input := ""
	if ofUser(hooks) {
		input = " " + place(hooks)
	}
	if title := own + " hooks in " + theirs; from == "claude" {
		fmt.Fprintf(&w, "# Use your %s\n\n", title)
	} else {
		fmt.Fprintf(&w, "# %s\n\n", title)
	}
	fmt.Fprintf(&w, "hookbridge runs the hooks in `%s` when %s sends an event. Scripts stay unchanged, and "+
		"everything that can't be\n"+
		"translated is reported.\n\n## Install\n\n", file(hooks), theirs)
	fmt.Fprintf(&w, "    hookbridge install --host %s --hooks %s%s\n    hookbridge doctor --host %s\n\n",
		to, from, scope, to)
	what := "adds entries to `%s` and leaves everything else in that file unchanged"
	merge := "`--merge FILE` adds the hooks to an existing file, "
	if host.Abilities().EntryFile != nil {
		merge = ""
	}
	if host.Profile().HostOnly != "" {
		what = "writes `%s`, a plugin that passes events to hookbridge, and changes no other file"
	}
	fmt.Fprintf(&w, "`install` "+what+". `--dry-run` shows the\n"+
		"entries without writing them. %s\n`doctor` shows for each hook whether it runs in %s.\n", target,
		scopeText(hooks, host, ofUser), theirs)
	for _, step := range steps(hooks, host) {
		fmt.Fprintf(&w, "\n%s\n", step)
	}
	fmt.Fprintf(&w, "\n## Try\n\n`fire` sends one event through hookbridge and shows each step:\n\n"+
		"    hookbridge fire --host %s --hooks %s --event pre-tool --input '{\"command\": \"rm -rf build\"}'\n\n%s",
		to, from, ownPart(old, "try"))
	fmt.Fprintf(&w, "## Differences\n\n%sThe table lists every event of %s, from the tables of both agents "+
		"(`hookbridge matrix --from %s --to %s`).\n"+
		"`hookbridge matrix --format json` has the details of each event.\n\n", ownPart(old, "notes"), own, from, to)
	pair := inspect.NewPair(hooks, host)
	pairMarkdown(&w, &pair)
	fmt.Fprintf(&w, "\nWhen a hook runs and something is lost or becomes stricter, hookbridge reports that on "+
		"stderr with a code, such as HB204.\n"+
		"`hookbridge explain HB204` says what it means. If a hook doesn't run, see "+
		"[troubleshooting](../troubleshooting.md).\n\n")
	fmt.Fprintf(&w, "## Generate a native file instead\n\n    hookbridge convert --from %s --to %s%s\n\n"+
		"prints a hook file for %s. Each command is wrapped in `hookbridge run`, so that the script still gets "+
		"payloads of %s.\n"+
		"`-o FILE` writes the file, "+merge+"and `--wrap never` copies the commands as they are.\n"+
		"Use either `install` or `convert`: with both, each hook runs twice.\n\n", from, to, input, theirs, own)
	fmt.Fprintf(&w, "## Undo\n\n    hookbridge uninstall --host %s --hooks %s%s\n", to, from, scope)
	return w.String()
}

// scopeText says what --scope user is for.
func scopeText(hooks, host adapter.Dialect, ofUser func(adapter.Dialect) bool) string {
	switch {
	case ofUser(hooks):
		return displayNames[hooks.Profile().Name] + " has hooks in your own file only, so `install` needs " +
			"`--scope user`."
	case ofUser(host):
		return displayNames[host.Profile().Name] + " reads no hook file of a project, so `install` needs " +
			"`--scope user`.\nThe entries run the hooks of each project that you allow with `hookbridge trust`."
	}
	return "`--scope user` installs for all projects that you allow with `hookbridge trust`."
}

// steps are what a user has to do besides install.
func steps(hooks, host adapter.Dialect) (list []string) {
	if keeper := host.Abilities().Trust; keeper != nil {
		list = append(list, "**One more step:** "+keeper.Review())
	}
	imports, own := host.Abilities().Imports, displayNames[hooks.Profile().Name]
	switch {
	case imports == nil || hooks.Profile().Name != "claude" || host.Profile().HostOnly != "":
	case host.Profile().VoidMember.Name != "":
		list = append(list, fmt.Sprintf("%[1]s reads %[2]s's settings by itself and would run each hook a second "+
			"time. No setting of %[1]s prevents that.\n"+
			"`install` therefore adds `%[3]q: %[4]s` to one hook in that file, which makes %[1]s skip the file. "+
			"%[2]s ignores\n"+
			"the field, and `uninstall` removes it.",
			displayNames[host.Profile().Name], own, host.Profile().VoidMember.Name, host.Profile().VoidMember.Ours()))
	default:
		list = append(list, fmt.Sprintf("%[1]s can import %[2]s's settings by itself. It then runs each hook a "+
			"second time, with a %[1]s payload, which\n"+
			"the script doesn't understand. Switch that off (%[3]s). hookbridge can't check the setting, so "+
			"state it in `hookbridge.yaml`:\n\n"+
			"    facts:\n      %[4]s: {third-party-imports: off}", displayNames[host.Profile().Name], own,
			imports.ImportSwitch(), host.Profile().Name))
	}
	return list
}

// ownPart is a part of a page that is written by hand, with its marks and a blank
// line; without the part it is empty.
func ownPart(page, name string) string {
	start, end := "<!-- own "+name+" -->\n", "<!-- /own "+name+" -->\n\n"
	_, rest, ok := strings.Cut(page, start)
	text, _, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return ""
	}
	return start + text + end
}
