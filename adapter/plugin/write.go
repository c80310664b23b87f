package plugin

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/launcher"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// usual is the file that many agents read without a manifest.
const usual = "hooks/hooks.json"

// Options are the author's choices for the agents of a plugin.
type Options struct {
	Hosts   []adapter.Dialect
	Missing string // without hookbridge: "closed" denies calls, "open" lets them proceed
	Fetch   string // package and version that the launcher fetches if hookbridge is missing; "": none
	cmdline.Policy
}

// A Change is one file that Write or Remove changes.
type Change struct {
	Path          string // from the root, with "/"
	Before, After []byte // nil: there is no such file
}

// An Outcome is what is to be written.
type Outcome struct {
	Changes []Change
	Notes   schema.Diagnostics // hooks that an agent can't run, and hooks that the author states another way
}

// Plan returns what makes the plugin's hooks run under the hosts, and under no other that an earlier Plan was for. The
// error contains why a host can't have them.
func (p *Plugin) Plan(o Options) (out Outcome, err error) {
	t := p.own
	hosts := adapter.Without(slices.Clone(o.Hosts), p.Owner)
	w := writer{p: p, o: o}
	var shared []adapter.Dialect
	for _, d := range hosts {
		if rules := rulesOf(d); rules != nil && rules.Fixed() {
			shared = append(shared, d)
		}
	}

	if len(shared) > 0 {
		if t, err = w.share(t, shared); err != nil {
			return out, err
		}
	}

	for _, d := range hosts {
		if t, err = w.host(t, d); err != nil {
			return out, err
		}
		if file := t.authors(d); file != "" && t.calls(d) {
			return out, fmt.Errorf("%s reads %s whatever its manifest says, and would run its hooks twice; "+
				"leave %s out", d.Profile().Title, file, d.Profile().Title)
		}
		if file := p.own.authors(p.Owner); file != "" && t.authors(p.Owner) == "" {
			return out, fmt.Errorf("%s would read what is written for %s in place of %s; leave %s out",
				p.Owner.Profile().Title, d.Profile().Title, file, d.Profile().Title)
		}
	}
	if others := t.strangers(); len(hosts) > 0 && others != nil {
		return out, fmt.Errorf("%s exists, and is not hookbridge's", strings.Join(others, " and "))
	}

	if len(hosts) > 0 {
		text := p.Launcher(&o)
		for _, f := range launcher.PluginFiles() {
			t = t.with(f.Path, f.Text(text))
		}
		t = t.withAttributes(lists.Map(launcher.PluginFiles(), func(f launcher.File) string { return f.Path })...)
	}
	out.Changes, out.Notes = changes(p.now, t), w.notes
	return out, nil
}

// authors returns a file with the author's own hooks for an agent, or "".
func (t tree) authors(d adapter.Dialect) string {
	_, hooks, _ := t.hooks(d)
	h := lists.Find(hooks, func(h *schema.Hook) bool { return !launched([]schema.Hook{*h}) })
	if h == nil {
		return ""
	}
	return t.short(h.Source.File)
}

// calls reports whether an agent reads an entry that starts the launcher.
func (t tree) calls(d adapter.Dialect) bool {
	_, hooks, _ := t.hooks(d)
	return slices.ContainsFunc(hooks, func(h schema.Hook) bool { return launched([]schema.Hook{h}) })
}

// withAttributes returns the tree with Git attributes for the line ends of the launcher's wanted files, and of no
// others.
func (t tree) withAttributes(want ...string) tree {
	before := t.text(launcher.AttributesFile)
	after := launcher.Attributes(before, want, func(path string) bool {
		return slices.ContainsFunc(launcher.PluginFiles(), func(f launcher.File) bool { return f.Path == path })
	})
	if string(before) == string(after) && (before == nil) == (after == nil) {
		return t
	}
	return t.with(launcher.AttributesFile, after)
}

// Bare returns the changes that remove everything that Plan has added.
func (p *Plugin) Bare() []Change { return changes(p.now, p.own) }

// changes lists the files that differ.
func changes(from, to tree) (list []Change) {
	for path := range to.changed {
		before, after := from.text(path), to.text(path)
		if (before == nil) != (after == nil) || string(before) != string(after) {
			list = append(list, Change{path, before, after})
		}
	}
	slices.SortFunc(list, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// Name returns the plugin's name, from its author's manifest.
func (p *Plugin) Name() string {
	if p.Owner == nil {
		return ""
	}
	_, text := p.Owner.Profile().Plugins.Manifest(p.Root, p.own.read)
	o, _ := ordjson.Parse(text)
	if name := o.Str("name"); name != "" {
		return name
	}
	return filepath.Base(p.Root)
}

type writer struct {
	p     *Plugin
	o     Options
	notes schema.Diagnostics
}

// host adds what one host needs.
func (w *writer) host(t tree, d adapter.Dialect) (tree, error) {
	rules := rulesOf(d)
	if rules == nil {
		why := d.Profile().Title + " has its own plugin format; use hookbridge install in projects"
		if never := d.Profile().Plugins.Never; never != "" {
			why = never
		}
		return t, errors.New(why)
	}

	manifest := manifestOf(t, d, rules)
	before := t.text(manifest)
	if rules.Fixed() { // its entries are in the shared file
		if before == nil && rules.Use == dialect.ManifestNeeded {
			t = t.with(manifest, w.manifest(ordjson.AppendString(nil, "./"+usual))) // which the agent reads anyway
		}
		return t, nil
	}

	entries := w.entries(d, &convert.Launch{Word: cmdline.Launcher(rules.Root), Closed: w.o.Missing == "closed",
		Say: w.o.says()})
	if len(entries) == 0 {
		w.note(schema.CodeNoEvent, manifest, "no hook of the plugin can run in "+d.Profile().Title)
		return t, nil
	}
	if o, _ := ordjson.Parse(before); o.Has("hooks") {
		w.note(schema.CodeMemberLost, manifest, "the manifest has hooks of the author's, so none are written for "+
			d.Profile().Title)
		return t, nil
	}

	document := (&convert.Conversion{Entries: entries}).Document(d)
	value := ordjson.AppendString(nil, "./"+fileOf(d))
	if rules.Inline {
		value = inline(rules, entries)
	} else {
		if t.text(fileOf(d)) != nil {
			return t, fmt.Errorf("%s exists, and is not hookbridge's", fileOf(d))
		}
		t = t.with(fileOf(d), document)
	}
	if before == nil {
		return t.with(manifest, w.manifest(value)), nil
	}

	after, err := jsonedit.Set(before, "/hooks", value)
	if err != nil {
		return t, fmt.Errorf("%s:%w", manifest, err)
	}
	return t.with(manifest, after), nil
}

// inline returns entries in the form for a manifest.
func inline(rules *dialect.Plugins, entries []convert.Placed) []byte {
	if rules.Forms&dialect.RowForm == 0 {
		o, _ := ordjson.Parse((&convert.Conversion{Entries: entries}).Under("/hooks", `{"hooks":{}}`))
		return ordjson.AppendCompact(nil, o.Value("hooks"))
	}
	return ordjson.AppendArray(nil, entries, func(out []byte, e convert.Placed) []byte {
		o, _ := ordjson.Members(e.Value, 0)
		event := ordjson.Member{Name: rules.Event, Value: ordjson.AppendString(nil, path.Base(e.Pointer))}
		return append(ordjson.Object{event}, o...).Append(out)
	})
}

func (w *writer) note(code schema.Code, file, text string) {
	w.notes.AddSeverity(code, schema.Note, "", text).File = file
}

// entries returns the calls of the launcher that a host makes.
func (w *writer) entries(d adapter.Dialect, launch *convert.Launch) []convert.Placed {
	in := convert.Installation{Host: d, Hooks: []dialect.Dialect{w.p.Owner}, Policy: w.o.Policy, Launch: launch}
	entries, ds := in.Entries(w.p.Hooks)
	for _, f := range ds {
		if !slices.ContainsFunc(w.notes, func(n schema.Diagnostic) bool {
			return n.Code == f.Code && n.File == f.File && n.Path == f.Path && n.Message == f.Message
		}) {
			w.notes = append(w.notes, f)
		}
	}
	return entries
}

// share writes the one file that some agents read, with entries for all of them. The author's hooks move out of it, and
// the manifest of their agent points to them.
func (w *writer) share(t tree, hosts []adapter.Dialect) (tree, error) {
	owner, moved := w.p.Owner, fileOf(w.p.Owner)
	if text := t.text(usual); text != nil {
		rules := &owner.Profile().Plugins
		manifest := manifestOf(t, owner, rules)
		before := t.text(manifest)
		o, _ := ordjson.Parse(before)
		titles := lists.Map(hosts, func(d adapter.Dialect) string { return d.Profile().Title })
		files, _, _ := t.hooks(owner)
		switch names := strings.Join(titles, " and "); {
		case !slices.Contains(files, usual):
			return t, fmt.Errorf("%s reads %s alone, which is a file of another agent's", names, usual)
		case o.Has("hooks"):
			return t, fmt.Errorf("%s reads %s alone, and %s has hooks too, so the file can't move; leave %s out",
				names, usual, manifest, names)
		case t.text(moved) != nil:
			return t, fmt.Errorf("%s exists, so %s can't move there", moved, usual)
		}
		after := w.manifest(ordjson.AppendString(nil, "./"+moved))
		if before != nil {
			var err error
			if after, err = jsonedit.Set(before, "/hooks", ordjson.AppendString(nil, "./"+moved)); err != nil {
				return t, fmt.Errorf("%s:%w", manifest, err)
			}
		}
		t = t.with(moved, text).with(manifest, after)
	}

	var roots string
	for _, d := range hosts {
		roots += d.Profile().Plugins.Root
	}
	launch := &convert.Launch{Word: cmdline.Launcher(roots), Closed: w.o.Missing == "closed", Say: w.o.says(),
		Shared: true}

	var doc convert.Conversion
	for _, d := range hosts {
		for _, e := range w.entries(d, launch) {
			e.Pointer = "/hooks/" + path.Base(e.Pointer)
			same := func(other convert.Placed) bool { return other.Pointer == e.Pointer }
			if !slices.ContainsFunc(doc.Entries, same) {
				doc.Entries = append(doc.Entries, e)
			}
		}
	}

	return t.with(usual, doc.Under("/hooks", `{"hooks":{}}`)), nil
}

// fileOf returns the file of an agent's entries.
func fileOf(d adapter.Dialect) string { return dialect.PluginFileOf(d.Profile().Name) }

// manifestOf returns the manifest for an agent's hooks: one that no other agent reads, and that takes precedence over
// all others.
func manifestOf(t tree, d adapter.Dialect, rules *dialect.Plugins) string {
	private := func(name string) bool {
		return name == rules.Own || !slices.ContainsFunc(adapter.Without(adapter.Dialects(), d),
			func(other adapter.Dialect) bool {
				return slices.Contains(other.Profile().Plugins.Manifests, name)
			})
	}
	first := ""
	for _, name := range rules.Manifests {
		switch {
		case private(name) && t.text(name) != nil:
			return name
		case private(name) && first == "":
			first = name
		case t.text(name) != nil && first != "" && slices.Index(rules.Manifests, name) < slices.Index(rules.Manifests,
			rules.Own):
			return first
		}
	}
	return rules.Own
}

// manifest returns a new manifest for an agent that has none: the hooks, and the author's description of the plugin. No
// author writes the hooks first.
func (w *writer) manifest(hooks []byte) []byte {
	_, text := w.p.Owner.Profile().Plugins.Manifest(w.p.Root, w.p.own.read)
	from, _ := ordjson.Parse(text)
	out := []byte("{")
	add := func(name string, value []byte) {
		if value == nil {
			return
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(ordjson.AppendString(append(out, "\n  "...), name), ": "...)
		out = append(out, value...)
	}
	add("hooks", hooks)
	add("name", ordjson.AppendString(nil, w.p.Name()))
	for _, name := range []string{"version", "description"} {
		add(name, from.Value(name))
	}
	return append(out, "\n}\n"...)
}
