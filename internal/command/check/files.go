package check

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/plugin"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

type fileChecker struct {
	given   adapter.Dialect // nil: detect it
	hosts   []adapter.Dialect
	places  schema.Places
	named   bool // the project was named on the command line
	stdin   io.Reader
	files   []checked
	assumed []string // files whose agent only the text shows
	fix     bool     // make the edits of findings
	changes []change
	scripts bool // read the hooks' scripts
	found   []foundScript

	readScripts, allScripts int
	unread                  []string // unread scripts

	survey *survey.Survey // of the project; nil: only files were named
}

// A change is the result of the findings' edits in a file.
type change struct {
	name          string
	before, after []byte
	gone          schema.Diagnostics
}

func (c *fileChecker) fail(name string, code schema.Code, msg, fix string) {
	found := schema.Diagnostics{{Code: code, Severity: code.Severity(), Message: msg, File: name, Fix: fix}}
	c.files = append(c.files, checked{name: name, found: found})
}

func (c *fileChecker) path(name string) {
	switch {
	case name != "-" && discover.IsFolder(name):
		c.project(name)
	case filepath.Base(name) == projectfile.Name:
		c.projectFile(name)
	default:
		if text, err := common.ReadInput(name, c.stdin); err != nil {
			c.unreadable(name, err)
		} else {
			c.text(name, text)
		}
		if m := survey.MisplacedAt(cli.Absolute(name), c.places); name != "-" && m != nil {
			dir := cli.Desk().Dir
			c.fail(name, schema.CodeUnreadable, m.Message(dir), m.Fix(dir))
		}
	}
}

func (c *fileChecker) unreadable(name string, err error) {
	c.files = append(c.files, checked{name: name, found: hookfile.Unreadable(name, err)})
}

// project checks every file that a known agent would load from a project.
func (c *fileChecker) project(dir string) {
	before := len(c.files)
	p := c.places
	p.Project = dir
	for _, d := range adapter.Dialects() {
		if c.given != nil && !adapter.SameAgent(c.given, d) {
			continue
		}
		d = cmp.Or(c.given, d)
		for _, s := range survey.Files(d, p, schema.Source.OfProject) {
			if text, err := discover.Read(s.File); err == nil {
				c.textOf(d, cli.Shown(s.File), text)
			} else if hookfile.BrokenLink(s.File) {
				c.fail(cli.Shown(s.File), schema.CodeUnreadable, "broken symbolic link", "")
			} else if !errors.Is(err, os.ErrNotExist) {
				c.unreadable(cli.Shown(s.File), err)
			}
		}
		for _, file := range survey.MarkdownFiles(d, p) { // skills and agents with hooks
			if text, err := discover.Read(file); err == nil {
				c.textOf(d, cli.Shown(file), text)
			}
		}
		if own := d.Profile().Plugins.Own; own != "" {
			if manifest := filepath.Join(dir, filepath.FromSlash(own)); discover.IsFile(manifest) {
				c.path(cli.Shown(manifest))
			}
		}
	}

	for _, d := range adapter.Dialects() { // a plugin may have no manifest
		if file := hookfile.PluginFile(d, dir); len(c.files) == before && file != "" {
			c.path(cli.Shown(file))
		}
	}

	c.plugin(dir)
	unread := survey.Unread(p)
	for _, m := range unread {
		c.fail(cli.Shown(m.File), schema.CodeUnreadable, m.Message(dir), m.Fix(dir))
	}

	if len(c.files) == before {
		fix := "name a hook file, or the root of a project: hookbridge check PATH"
		if below := survey.Below(p); len(below) > 0 {
			fix = "there are hooks in folders below: hookbridge check " +
				strings.Join(lists.Map(below, shell.Quote), " ")
		}
		c.fail(dir, schema.CodeUnreadable, "found no hook file of a known agent here", fix)
	}

	c.ownFiles(dir)
	if dir == c.places.Project {
		c.survey, _, _ = common.SurveyOf(p) // a mistake in hookbridge.yaml is reported with the file
	}
}

// plugin reports problems that keep hooks of a plugin in the folder from running and that are visible only in the whole
// plugin.
func (c *fileChecker) plugin(dir string) {
	var p *plugin.Plugin
	if !slices.ContainsFunc(c.files, func(f checked) (ok bool) {
		if f.dialect == nil {
			return false
		}
		p, ok = plugin.Open(cli.Absolute(dir), f.dialect)
		return ok && slices.ContainsFunc(p.Files, func(file string) bool {
			return cli.Absolute(f.name) == filepath.Join(p.Root, filepath.FromSlash(file))
		})
	}) {
		return
	}
	for _, l := range p.Lint([]adapter.Dialect{p.Owner}) {
		if l.Code == schema.CodePluginFolder {
			l.File = cli.Shown(l.File)
			c.files = append(c.files, checked{name: dir, found: schema.Diagnostics{l}})
		}
	}
}

// entries reports which agents of the project don't run its hooks as installed, and why, except for mistakes in the
// files themselves.
func (c *fileChecker) entries(trusted trust.Records) []string {
	if c.survey == nil || c.given != nil {
		return nil
	}
	known := map[[2]string]bool{} // by code and file
	for _, f := range c.files {
		for _, d := range f.found {
			known[[2]string{string(d.Code), d.File}] = true
		}
	}
	return common.NotRun(c.places, c.survey.Hosts(), trusted, func(f *inspect.Finding, p *inspect.Problem) bool {
		return known[[2]string{string(p.Code), cli.Shown(f.File)}]
	})
}

func (c *fileChecker) text(name string, text []byte) {
	if agent := adapter.OwnerByName(filepath.ToSlash(cli.Absolute(name))); agent != nil && c.given == nil {
		f := hookfile.NamedAt(agent, cli.Absolute(name), text)
		c.fail(name, schema.CodeShape, f.Message(filepath.Dir(f.File)), "")
		return
	}

	if agent := hookfile.OtherAgent(cli.Desk().Inside(name), text); agent != "" && c.given == nil {
		c.fail(name, schema.CodeShape, "this is a file of "+agent+", which hookbridge can't read", "")
		return
	}

	for _, family := range adapter.Names() {
		if d, err := adapter.Find(family); err == nil && d.Profile().IsModule(name) {
			c.fail(name, schema.CodeShape, "this is a module of callbacks; check reads files and doesn't run modules",
				"hookbridge convert --from "+family+" reads it")
			return
		}
	}

	d, sure := c.given, true
	if d == nil {
		d, sure = common.OwnerOf(name, text)
	}

	switch {
	case d != nil:
		if !sure {
			c.assumed = append(c.assumed, name+" is read as a file of "+d.Profile().Title+
				"; --dialect names another agent")
		}
		c.textOf(d, name, text)
	case !c.brokenJSON(name, text):
		c.fail(name, schema.CodeShape, "can't detect the agent from the path or the events",
			"name the agent with --dialect AGENT: "+cli.Either(adapter.Names()))
	}
}

// brokenJSON reports a text that is not JSON, at its place.
func (c *fileChecker) brokenJSON(name string, text []byte) bool {
	_, _, err := ordjson.ParseLast(text)
	if err == nil || hookfile.IsMarkdown(name) {
		return false
	}
	f := checked{name: name}
	schema.SyntaxDiagnostic(&f.found, err).Place(name)
	c.files = append(c.files, f)
	return true
}

func (c *fileChecker) textOf(d adapter.Dialect, name string, text []byte) {
	f := checked{name: name, dialect: d}
	at := schema.Source{File: name}
	if name != "-" {
		at = cli.Desk().Source(d, cli.Absolute(name))
		at.File = name
	}
	files, root, more, plugin := hookfile.PluginFiles(d, name)
	own := !plugin // a manifest is read only for the hooks in it
	for _, p := range files {
		if p.File == name && p.Text != nil {
			own, at.Scope, at.Plugin = true, schema.ScopePlugin, cli.Absolute(root)
		}
	}
	f.found = append(f.found, more...)
	if own {
		c.hooksIn(d, &f, at, text)
	}
	c.files = append(c.files, f)
	for _, p := range files {
		if p.File != name {
			c.pluginFile(d, schema.Source{File: p.File, Scope: schema.ScopePlugin, Plugin: cli.Absolute(root)})
		}
	}
}

// pluginFile checks a file of hooks that a plugin's manifest lists, or that an agent finds without a listing.
func (c *fileChecker) pluginFile(d adapter.Dialect, at schema.Source) {
	name := at.File
	text, err := discover.Read(name)
	if err != nil {
		c.unreadable(name, err)
		return
	}
	f := checked{name: name, dialect: d}
	c.hooksIn(d, &f, at, text)
	c.files = append(c.files, f)
}

func (c *fileChecker) hooksIn(d adapter.Dialect, f *checked, at schema.Source, text []byte) {
	whole := text
	text, more := hookfile.HooksOf(d, f.name, text)
	f.found = append(f.found, more...)
	if text == nil {
		return
	}

	p := c.places
	ofUser := at.Scope == schema.ScopeUser // its hooks run in each project
	if root := hookfile.ProjectOf(d, cli.Absolute(f.name)); !c.named && !ofUser && root != "" {
		p.Project = root
	}
	if c.fix && f.name != "-" && bytes.Equal(text, whole) {
		if fixed, gone := inspect.Fixed(d, at, text, p); len(gone) > 0 {
			c.changes = append(c.changes, change{f.name, text, fixed, gone})
			text = fixed
		}
	}

	cfg, ds := parseAll(d, at, text)
	for i := range ds { // a finding about the whole text also has a place
		ds[i].File = f.name
	}

	f.hooks = len(cfg.Hooks)

	for _, s := range survey.Files(d, p, func(schema.Source) bool { return true }) {
		for _, x := range discover.Refused(d, s) {
			if s.File == cli.Absolute(f.name) {
				x.File = f.name
				ds = append(ds, x)
			}
		}
	}

	f.found = append(f.found, inspect.Check(d, cfg, text, ds, p)...)
	hookfile.OfAgent(d, cfg, cli.Absolute(f.name), whole)
	if c.scripts {
		c.read(d, f, p, cfg.Hooks)
	}

	for _, host := range c.hosts {
		if adapter.NameOf(host) == adapter.NameOf(d) {
			continue
		}
		in := convert.Installation{Host: host, Hooks: []adapter.Dialect{d}}
		_, lost := in.Entries(cfg.Hooks)
		for _, x := range ds {
			if x.Code == schema.CodeNoHandler { // the file's own agent runs that hook
				lost = append(lost, x)
			}
		}
		lost = append(lost, inspect.Effects(d, host, p, cfg.Hooks)...)
		if adapter.OtherVersion(d, host) { // such a host loads the file unchanged
			lost = append(lost, inspect.Idle(host, cfg.Hooks, append(f.found, lost...))...)
		}
		inspect.Place(lost, f.name, text)
		f.found = append(f.found, lost...)
	}
}

// parseAll reads a text, and again without each entry for which its agent rejects the whole file, so that all of it is
// checked.
func parseAll(d adapter.Dialect, at schema.Source, text []byte) (*schema.Config, schema.Diagnostics) {
	cfg, ds := d.ParseConfig(text, at)
	for range 100 {
		void := ""
		for _, x := range ds {
			if _, there := inspect.Without(text, x.Path); x.Code == schema.CodeVoidFile && x.Path != "" && there {
				void = x.Path
			}
		}
		if void == "" {
			break
		}
		text, _ = inspect.Without(text, void)
		more := schema.Diagnostics(nil)
		cfg, more = d.ParseConfig(text, at)
		for _, x := range more {
			found := func(d schema.Diagnostic) bool {
				return d.Code == x.Code && d.Line == x.Line && d.Col == x.Col && d.Message == x.Message
			}
			// findings about the gap come from the removal
			if !slices.ContainsFunc(ds, found) && (x.Path == "" || !strings.HasPrefix(void+"/", x.Path+"/")) {
				ds = append(ds, x)
			}
		}
	}

	if cfg == nil {
		cfg = &schema.Config{}
	}

	return cfg, ds
}
