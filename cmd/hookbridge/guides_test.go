package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/matrix"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// TestGuides writes one page for each host. The text between an "own" mark and its end is written by hand and kept:
// "try" has commands with their output, "notes" what isn't in any table.
func TestGuides(t *testing.T) {
	for _, host := range adapter.Dialects() {
		page := "../../docs/guides/" + host.Profile().Name + ".md"
		old, _ := os.ReadFile(page)
		golden.File(t, page, guide(t, host, string(old)))
	}
}

// guide returns the page about hooks of other agents in a host.
func guide(t *testing.T, host adapter.Dialect, old string) string {
	var w strings.Builder
	to, title := host.Profile().Name, host.Profile().Title
	fmt.Fprintf(&w, "# Hooks of other agents in %s\n\nhookbridge runs them when %s sends an event. Scripts stay "+
		"unchanged, and everything that can't be translated is\nreported.\n\n", title, title)
	if proviso := host.Profile().Proviso(); proviso != "" {
		fmt.Fprintf(&w, "%s\n\n", proviso)
	}
	w.WriteString("## Install\n\n")

	scope, target := "", fileIn(host, schema.ScopeProject)
	if target == "" {
		scope, target = " --scope user", fileIn(host, schema.ScopeUser)
	}
	fmt.Fprintf(&w, "    hookbridge install --host %s%s\n    hookbridge doctor --host %s\n\n", to, scope, to)
	what := "adds entries to `%s` and leaves everything else in that file unchanged"
	if host.Profile().HostOnly != "" {
		what = "writes `%s`, a plugin that passes events to hookbridge, and changes no other file"
	}
	fmt.Fprintf(&w, "`install` "+what+".\n`--hooks AGENT` takes the hooks of one agent, `--dry-run` shows the entries "+
		"without writing them, and `doctor` shows\nfor each hook whether it runs in %s. %s\n", target, title,
		scopeText(host))
	for _, step := range steps(host) {
		fmt.Fprintf(&w, "\n%s\n", step)
	}

	hooks := adapter.Without(adapter.WithHooks(), host)[0].Profile().Name
	fmt.Fprintf(&w, "\n## Try\n\n`fire` sends one event through hookbridge and shows each step:\n\n"+
		"    hookbridge fire --host %s --hooks %s --event pre-tool --input '{\"command\": \"rm -rf build\"}'\n\n%s",
		to, hooks, ownPart(old, "try"))
	fmt.Fprintf(&w, "## Differences\n\n%sWhat hooks of each agent can do in %s: ● at every event where their own "+
		"agent lets them, 2/3 at two of three\nevents, ○ nowhere. The [matrix](../matrix.md#hooks-in-%s) has the "+
		"events. `hookbridge matrix --from AGENT --to %s`\nhas every detail of a pair.\n\n",
		ownPart(old, "notes"), title, strings.ReplaceAll(strings.ToLower(title), " ", "-"), to)
	effectsMarkdown(t, &w, host)
	fmt.Fprintf(&w, "\nWhen a hook runs and something is lost or becomes stricter, hookbridge reports that on "+
		"stderr with a code, such as HB204.\n"+
		"`hookbridge explain HB204` says what it means. If a hook doesn't run, see "+
		"[troubleshooting](../troubleshooting.md).\n\n")

	merge := "`--merge FILE` adds the hooks to an existing file, "
	if host.Abilities().EntryFile != nil {
		merge = ""
	}
	fmt.Fprintf(&w, "## Write the entries by convert\n\n    hookbridge convert --from %s --to %s\n\n"+
		"prints a hook file for %s. Its entries still call hookbridge, so that each script gets its own agent's "+
		"payloads.\n"+
		"`-o FILE` writes the file, "+merge+"and `--wrap never` copies the commands as they are.\n"+
		"Use either `install` or `convert`: with both, each hook runs twice.\n\n", hooks, to, title)
	fmt.Fprintf(&w, "## Undo\n\n    hookbridge uninstall --host %s%s\n", to, scope)
	return w.String()
}

// fileIn returns the file that install changes for a host, or "" if the scope has none.
func fileIn(d adapter.Dialect, scope schema.Scope) string {
	places := schema.Places{Project: "/p", Home: "/h"}
	return cli.Relative("/p", "/h", install.FileOf(d, places, scope))
}

// effectsMarkdown counts, for each effect and the hooks of each agent, the events at which their own agent allows it.
// The host's count is among these.
func effectsMarkdown(t *testing.T, w io.Writer, host adapter.Dialect) {
	t.Helper()
	pairs, err := matrix.ChoosePairs("", host.Profile().Name)
	if err != nil {
		t.Fatal(err)
	}
	names := lists.Map(pairs, func(p inspect.Pair) string { return p.From })
	fmt.Fprintf(w, "| effect | %s |\n|---%s|\n", strings.Join(names, " | "), strings.Repeat("|:-:", len(names)))
	for bit := schema.Feature(1); bit != 0; bit <<= 1 {
		cells := lists.Map(pairs, func(p inspect.Pair) string { return effectCell(&p, bit) })
		if strings.Join(cells, "") != "" {
			fmt.Fprintf(w, "| %s | %s |\n", bit.Name(), strings.Join(cells, " | "))
		}
	}
}

func effectCell(pair *inspect.Pair, bit schema.Feature) string {
	able, of := 0, 0
	for i := range pair.Rows {
		r := &pair.Rows[i]
		if supported := (r.Supported|r.Passed)&bit != 0; supported || r.Lost&bit != 0 {
			of++
			if supported {
				able++
			}
		}
	}
	switch {
	case of == 0:
		return ""
	case able == of:
		return "●"
	case able == 0:
		return "○"
	}
	return fmt.Sprintf("%d/%d", able, of)
}

// scopeText explains --scope user.
func scopeText(host adapter.Dialect) string {
	if fileIn(host, schema.ScopeProject) == "" {
		return host.Profile().Title + " reads no hook file of a project, so `install` needs " +
			"`--scope user`.\nThe entries run the hooks of each project that you allow with `hookbridge trust`."
	}
	return "`--scope user` installs for\nall projects that you allow with `hookbridge trust`."
}

// steps returns what a user has to do in addition to install.
func steps(host adapter.Dialect) (list []string) {
	p, title := host.Profile(), host.Profile().Title
	if keeper := host.Abilities().Trust; keeper != nil {
		list = append(list, "**One more step:** "+keeper.Review())
	}
	if what := p.Unseen.OnlyIf; what != "" {
		list = append(list, title+" runs hooks only if "+what+". hookbridge can't check that.")
	}
	imports := host.Abilities().Imports
	switch {
	case imports == nil || p.HostOnly != "":
	case p.VoidMember.Name != "":
		list = append(list, fmt.Sprintf("%[1]s reads Claude Code's settings by itself and would run each hook a "+
			"second time. No setting in a project prevents that.\n"+
			"`install` therefore adds `%[2]q: %[3]s` to one hook in that file, which makes %[1]s skip the file. "+
			"Claude Code ignores\nthe field, and `uninstall` removes it.", title, p.VoidMember.Name,
			p.VoidMember.Ours()))
	default:
		list = append(list, fmt.Sprintf("%[1]s can import Claude Code's settings by itself. It then runs each hook a "+
			"second time, with a %[1]s payload, which\n"+
			"the script doesn't understand. Switch that off (%[2]s). hookbridge can't check the setting, so "+
			"state it in `hookbridge.yaml`:\n\n"+
			"    facts:\n      %[3]s: {third-party-imports: off}", title, imports.ImportSwitch(), p.Name))
	}
	return list
}

// ownPart returns the handwritten part of a page, with its marks and a blank line, or "" without the part.
func ownPart(page, name string) string {
	start, end := "<!-- own "+name+" -->\n", "<!-- /own "+name+" -->\n\n"
	_, rest, ok := strings.Cut(page, start)
	text, _, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return ""
	}
	return start + text + end
}
