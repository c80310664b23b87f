// Package plugin is the command plugin.
package plugin

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/adapter/plugin"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

//go:embed plugin.txt
var help string

// Command is the command plugin.
func Command() cli.Command { return cli.Documented[flags](help) }

type flags struct {
	common.RunFlags
	named         cli.ListFlag
	hosts         []adapter.Dialect // from --host
	from, missing string
	report        cli.Report
	fetch         string
	dry           bool
}

func (f *flags) Define(fs *cli.Flags) {
	fs.Many(&f.named, "host")
	fs.Text(&f.from, "from", "")
	fs.Text(&f.missing, "missing", "")
	fs.Text(&f.fetch, "fetch", "")
	fs.Row(&f.Call, "ask", "")
	fs.Row(&f.Call, "allow", "")
	fs.Yes(&f.dry, "dry-run")
	f.report.Define(fs)
}

func (f *flags) Run(_ *cli.Flags, rest []string, std cli.IO) (int, error) {
	verbs := map[string]func(*plugin.Plugin, cli.IO) (int, error){"show": f.show, "check": f.check, "write": f.write,
		"remove": f.remove}
	verb := "show"
	if len(rest) > 0 && verbs[rest[0]] != nil {
		verb, rest = rest[0], rest[1:]
	}

	dir := append(rest, ".")[0]
	switch {
	case len(rest) > 1:
		return 0, cli.Usage("unexpected argument " + strconv.Quote(rest[1]) +
			"; the command is hookbridge plugin [show|write|remove|check] [DIR]")
	case !discover.IsFolder(dir):
		return 0, cli.Usage("the folder " + strconv.Quote(dir) + " doesn't exist")
	}

	var owner adapter.Dialect
	var err error
	if f.hosts, err = common.DialectsNamed("--host", f.named); err == nil && f.from != "" {
		owner, err = cli.FindDialect("--from", f.from)
	}
	if err != nil {
		return 0, err
	}

	p, ok := plugin.Open(cli.Absolute(dir), owner)
	if !ok && verb != "remove" {
		return 0, errors.New(dir + ": no agent finds hooks of a plugin here: " +
			"there is no hooks/hooks.json, and no manifest that names hooks")
	}

	return verbs[verb](p, std)
}

// A pluginDoc is one hook under one agent.
type pluginDoc struct {
	Host     string   `json:"host"`
	Manifest string   `json:"manifest"`
	Files    []string `json:"files"`
	Hooks    string   `json:"hooks"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Event    string   `json:"event"`
	Command  string   `json:"command"`
	Does     string   `json:"does"`
	Problems []string `json:"problems"`
}

func (f *flags) show(p *plugin.Plugin, std cli.IO) (int, error) {
	hosts := f.hosts
	if len(hosts) == 0 {
		hosts = adapter.Dialects()
	}

	var docs []pluginDoc
	paint := cli.PainterFor(std.Out)
	if !f.report.Json {
		fmt.Fprintf(std.Out, "%s: %s, written for %s\n", schema.Printable(p.Name()),
			schema.Printable(strings.Join(p.Files, ", ")), p.Owner.Profile().Title)
	}

	readers := adapter.Where(func(d adapter.Dialect) bool {
		return adapter.Has(hosts, d) && len(p.Take(d).Files) > 0
	})
	hosts = adapter.With(readers, hosts...) // agents that read a part of the plugin come first
	for _, d := range hosts {
		t, found := examinedPlugin(p, d)
		if !f.report.Json {
			fmt.Fprintf(std.Out, "\n%s\n", paint.Paint(cli.Strong, d.Profile().Title)+taken(&t))
		}
		said := map[string]bool{}
		for i := range found {
			docs = append(docs, pluginDocOf(&t, &found[i], p))
			if !f.report.Json {
				printPluginHook(std.Out, paint, &found[i], &docs[len(docs)-1], said)
			}
		}
		if f.report.Json {
			continue
		}
		for _, fix := range fixesOf(found) {
			fmt.Fprintf(std.Out, "  %s %s\n", paint.Paint(cli.Faint, "fix:"), schema.Printable(fix))
		}
	}

	if f.report.Json {
		cli.PrintJSON(std.Out, cli.Array(docs))
	}

	return cli.OK, nil
}

// examinedPlugin returns the parts of a plugin that an agent reads, and the findings about each hook there, including
// those of Lint.
func examinedPlugin(p *plugin.Plugin, d adapter.Dialect) (plugin.Taken, []inspect.Finding) {
	m := common.Machine()
	places := schema.Places{OS: m.OS, Home: m.Home, Env: m.Env, Project: p.Root}
	t := p.Take(d)
	fix := "hookbridge plugin write --host " + d.Profile().Name
	others, stated := p.AuthorStates(d)
	t.Never = cmp.Or(others, t.Never)
	if _, err := p.Plan(plugin.Options{Hosts: []adapter.Dialect{d}}); stated || !p.Writable(d) || err != nil {
		fix = ""
	}
	found := inspect.ExaminePlugin(d, p.Owner, p.Hooks, t.Hooks, p.Found, t.Never, fix, places)
	for i := range found {
		for j := range found[i].Problems {
			if problem := &found[i].Problems[j]; others != "" && problem.Why == others { // the author's choice
				problem.Severity = schema.Note
			}
		}
	}

	for _, l := range p.Lint([]adapter.Dialect{d}) {
		for i := range found {
			f := &found[i]
			known := slices.ContainsFunc(f.Problems, func(p inspect.Problem) bool {
				return p.Status == inspect.Never || p.Code == schema.CodeNotStarted
			})
			if l.File == f.File && l.Path == f.Path && l.Severity >= schema.Weaker && !known {
				f.Problems = append(f.Problems, inspect.Problem{Status: inspect.Weaker, Code: l.Code,
					Severity: l.Severity, Why: l.Message, Fix: l.Fix})
			}
		}
	}
	return t, found
}

// taken describes what an agent reads.
func taken(t *plugin.Taken) string {
	switch {
	case t.Never != "" && len(t.Files) == 0:
		return "  reads no hooks"
	case len(t.Files) == 0 && t.Manifest != "":
		return "  reads " + schema.Printable(t.Manifest) + ", which has no hooks for it"
	case len(t.Files) == 0:
		return "  reads no hooks"
	}
	line := "  reads " + strings.Join(t.Files, ", ")
	if t.Manifest != "" && !slices.Contains(t.Files, t.Manifest) {
		line += ", by " + t.Manifest
	}
	return schema.Printable(line)
}

func pluginDocOf(t *plugin.Taken, found *inspect.Finding, p *plugin.Plugin) pluginDoc {
	file, _ := filepath.Rel(p.Root, found.File)
	doc := pluginDoc{Host: found.Host, Manifest: t.Manifest, Files: cli.Array(t.Files), Hooks: found.Hooks,
		File: filepath.ToSlash(file), Line: found.Line,
		Event: common.MatchedEvent(found), Command: common.CommandOf(found), Does: found.Word(), Problems: []string{}}
	for i := range found.Problems {
		problem := &found.Problems[i]
		doc.Problems = append(doc.Problems, string(problem.Code)+": "+problem.Why)
	}
	return doc
}

// fixesOf lists the fixes of hooks, each once.
func fixesOf(found []inspect.Finding) (fixes []string) {
	for i := range found {
		fixes = append(fixes, lists.Map(found[i].Problems, func(p inspect.Problem) string { return p.Fix })...)
	}
	return slices.DeleteFunc(lists.Unique(fixes), func(fix string) bool { return fix == "" })
}

// printPluginHook writes a line for a hook, and the problems that weren't printed before.
func printPluginHook(w io.Writer, p cli.Painter, found *inspect.Finding, doc *pluginDoc, said map[string]bool) {
	fmt.Fprintf(w, "  %s%*s  %s  %s\n", p.Paint(common.StatusColor(found.Status()), doc.Does), 7-len(doc.Does), "",
		schema.Printable(doc.Event), schema.Printable(doc.Command))
	for _, why := range doc.Problems {
		if !said[why] {
			fmt.Fprintf(w, "           %s\n", schema.Printable(why))
		}
		said[why] = true
	}
}

// options returns the options on the command line, completed with the options that the plugin was written with.
func (f *flags) options(p *plugin.Plugin) plugin.Options {
	was, _ := p.Written()
	o := plugin.Options{Hosts: f.hosts, Missing: f.missing, Fetch: f.fetch, Policy: f.Call.Policy()}
	return o.Else(was)
}

func (f *flags) write(p *plugin.Plugin, std cli.IO) (int, error) {
	switch {
	case f.missing != "" && f.missing != "closed" && f.missing != "open":
		return 0, cli.Usage("--missing is closed or open, not " + strconv.Quote(f.missing))
	case f.fetch != "" && (!strings.Contains(f.fetch[1:], "@") || strings.ContainsAny(f.fetch, " \t\r\n'\"")):
		return 0, cli.Usage("--fetch takes a package and its version, PACKAGE@VERSION, not " + strconv.Quote(f.fetch))
	}
	o := f.options(p)
	if len(o.Hosts) == 0 {
		return 0, cli.Usage("name the agents to write for with --host AGENT[,AGENT...]")
	}
	out, err := p.Plan(o)
	if err != nil {
		return 0, err
	}
	cli.PrintDiagnostics(std.Err, "", inPlugin(p.Root, out.Notes))
	return f.change(p, out.Changes, std)
}

func (f *flags) remove(p *plugin.Plugin, std cli.IO) (int, error) {
	was, ok := p.Written()
	left := adapter.Where(func(d adapter.Dialect) bool {
		return adapter.Has(was.Hosts, d) && !adapter.Has(f.hosts, d)
	})
	if !ok || len(f.hosts) == 0 || len(left) == 0 || p.Owner == nil {
		return f.change(p, p.Bare(), std)
	}
	was.Hosts = left
	out, err := p.Plan(was)
	if err != nil {
		return 0, err
	}
	return f.change(p, out.Changes, std)
}

// change makes the changes, or shows them.
func (f *flags) change(p *plugin.Plugin, changes []plugin.Change, std cli.IO) (int, error) {
	for _, c := range changes {
		file := filepath.Join(p.Root, filepath.FromSlash(c.Path))
		if f.dry {
			fmt.Fprint(std.Out, install.Diff(c.Path, c.Before, c.After))
			continue
		}
		if err := cmp.Or(jsonedit.Inside(p.Root, file), jsonedit.Replaceable(file, c.Before)); err != nil {
			return 0, install.InFile(file, err)
		}
	}

	if f.dry {
		return cli.OK, nil
	}

	for _, c := range changes {
		if err := makeChange(p.Root, c); err != nil {
			return 0, err
		}
		word := "wrote"
		if c.After == nil {
			word = "removed"
		}
		fmt.Fprintf(std.Out, "%s %s\n", word, schema.Printable(c.Path))
	}

	if len(changes) == 0 {
		fmt.Fprintln(std.Out, "nothing to change")
	}

	return cli.OK, nil
}

func makeChange(root string, c plugin.Change) error {
	file := filepath.Join(root, filepath.FromSlash(c.Path))
	if c.After == nil {
		err := os.Remove(file)
		if err == nil {
			jsonedit.RemoveFolders(file, root, "")
		}
		return err
	}
	err := jsonedit.MakeParent(file)
	if err == nil {
		err = jsonedit.WriteFile(file, c.Before, c.After)
	}
	if err == nil && c.Path == cmdline.LauncherFile {
		err = os.Chmod(file, 0o755)
	}
	return install.InFile(file, err)
}

// inPlugin returns findings with their files as paths relative to a folder.
func inPlugin(root string, ds schema.Diagnostics) (out schema.Diagnostics) {
	for _, d := range ds {
		if rel, err := filepath.Rel(root, d.File); err == nil && filepath.IsAbs(d.File) {
			d.File = filepath.ToSlash(rel)
		}
		out = append(out, d)
	}
	return out
}

// notLinted returns the problems of a plugin's hooks in an agent that Lint doesn't report, each once.
func notLinted(d adapter.Dialect, found []inspect.Finding, known schema.Diagnostics) (ds schema.Diagnostics) {
	for i := range found {
		f := &found[i]
		for j := range f.Problems {
			p := &f.Problems[j]
			same := func(k schema.Diagnostic) bool {
				script := p.Code == schema.CodeNotStarted && k.Code == schema.CodePluginScript
				there := k.Path == f.Path || k.Line == f.Line && k.Col == f.Col
				return k.File == f.File && there && (k.Code == p.Code || script)
			}
			if p.Status >= inspect.Weaker && p.Severity >= schema.Weaker && !slices.ContainsFunc(known, same) &&
				!slices.ContainsFunc(ds, same) {
				why := p.Why
				if title := d.Profile().Title; !strings.HasPrefix(why, title) {
					why = title + ": " + why
				}
				ds = append(ds, common.DiagnosticOf(f, p, why))
			}
		}
	}
	return ds
}

func (f *flags) check(p *plugin.Plugin, std cli.IO) (int, error) {
	hosts := f.hosts
	if len(hosts) == 0 {
		hosts = p.Meant()
	}

	ds := p.Lint(hosts)
	for _, d := range hosts {
		_, found := examinedPlugin(p, d)
		ds = append(ds, notLinted(d, found, ds)...)
	}

	was, ok := p.Written()
	if ok {
		out, err := p.Plan(was)
		if err != nil {
			return 0, err
		}
		for _, c := range out.Changes {
			d := ds.Add(schema.CodeStale, "", "hookbridge plugin write would change this file")
			d.File, d.Fix = c.Path, "hookbridge plugin write"
		}
	}

	ds = inPlugin(p.Root, ds)
	switch {
	case f.report.JSON():
		cli.PrintJSON(std.Out, cli.FindingDocs(ds))
	case cli.Formatted(std.Out, f.report.Format, ds):
	default:
		cli.PrintDiagnostics(std.Out, "", ds)
		fmt.Fprintf(std.Out, "%d finding%s\n", len(ds), map[bool]string{false: "s"}[len(ds) == 1])
	}

	return cli.FailIf(ds.Max() >= schema.Weaker), nil
}
