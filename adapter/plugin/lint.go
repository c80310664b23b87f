package plugin

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// Lint finds what keeps the author's hooks from running unchanged in the agents of hosts that read them, and in the
// author's own.
func (p *Plugin) Lint(hosts []adapter.Dialect) (ds schema.Diagnostics) {
	l := linter{p: p}
	for _, d := range hosts {
		rules := rulesOf(d)
		if rules == nil {
			continue
		}
		if file, _ := rules.Manifest(p.Root, p.now.read); file != "" || rules.Use == dialect.ManifestOptional {
			l.manifest(d, rules)
			l.reader(d, rules)
		}
	}
	for i := range p.Hooks {
		l.quotes(&p.Hooks[i])
		l.script(&p.Hooks[i])
	}
	l.versions()
	return l.found
}

type linter struct {
	p     *Plugin
	found schema.Diagnostics
}

// add notes a finding once, for any number of agents.
func (l *linter) add(code schema.Code, h *schema.Hook, file, path, message string) {
	if h != nil {
		file = h.Source.File
		path = h.Path + path
	}
	i := slices.IndexFunc(l.found, func(d schema.Diagnostic) bool {
		return d.Code == code && d.File == file && d.Path == path
	})
	if i >= 0 {
		if !strings.Contains(l.found[i].Message, message) {
			l.found[i].Message += "; " + message
		}
		return
	}
	d := l.found.Add(code, path, message)
	d.File = file
	if h != nil {
		d.Line, d.Col, d.Event = h.Line, h.Col, h.Native
	}
}

// manifest checks what an agent's manifest states about hooks.
func (l *linter) manifest(d adapter.Dialect, rules *dialect.Plugins) {
	t, title := l.p.now, d.Profile().Title
	file, text := rules.Manifest(t.root, t.read)
	o, err := ordjson.Parse(text)
	if err != nil && file != "" {
		schema.SyntaxDiagnostic(&l.found, err).Place(file)
		return
	}

	value := o.Value("hooks")
	path, isPath := ordjson.String(value)
	files, hooks, _ := t.hooks(d)
	empty := ordjson.KindOf(value) == ordjson.ObjectKind && string(ordjson.AppendCompact(nil, value)) == "{}"
	switch {
	case value == nil:
	case isPath && slices.Contains(rules.Hooks, strings.TrimPrefix(path, "./")) && rules.Beside:
		l.add(schema.CodePluginPointer, nil, file, "/hooks",
			title+" reads "+path+" anyway; if the manifest names it, some versions reject the plugin's hooks")
	case string(ordjson.AppendCompact(nil, value)) == "[]" && !rules.Fixed():
		l.add(schema.CodePluginPointer, nil, file, "/hooks",
			title+" ignores [] here and reads "+strings.Join(files, ", "))
	case !empty && len(hooks) == 0 && !rules.Fixed():
		l.add(schema.CodePluginPointer, nil, file, "/hooks", title+" finds no hooks there")
	}

	_, stated := l.p.Owner.Profile().Plugins.Manifest(t.root, t.read)
	from, _ := ordjson.Parse(stated)
	unread := value == nil && file != "" && len(files) == 0
	if unread && from.Has("hooks") && !rules.Fixed() && rules.Forms&dialect.RowForm == 0 {
		l.add(schema.CodePluginHidden, nil, file, "",
			title+" reads this manifest, which doesn't say where the hooks are")
	}
}

// reader checks the author's hooks as another agent reads them in the same file.
func (l *linter) reader(d adapter.Dialect, rules *dialect.Plugins) {
	files, own, ds := l.p.now.hooks(d)
	title := d.Profile().Title
	for i := range l.p.Hooks {
		h := &l.p.Hooks[i]
		if !slices.Contains(files, l.p.now.short(h.Source.File)) {
			continue
		}
		l.folder(d, rules, h)
		raw := lists.Find(own, func(o *schema.Hook) bool { return o.SamePlace(h) })
		if raw == nil || adapter.SameAgent(d, l.p.Owner) {
			continue
		}

		switch granted := d.Profile().Timeout(raw); {
		case raw.Timeout != h.Timeout:
			l.add(schema.CodePluginTimeout, h, "", "", "for "+title+" the timeout is "+raw.Timeout.String()+
				", and not "+h.Timeout.String())
		case h.Timeout > 0 && granted > 0 && granted < h.Timeout:
			l.add(schema.CodePluginTooLong, h, "", "", title+" ends it after "+granted.String())
		}
		if h.Args != nil && raw.Args == nil {
			l.add(schema.CodePluginArgs, h, "", "", title+" runs "+h.Command+" without its arguments")
		}
	}
	if adapter.SameAgent(d, l.p.Owner) || rules.Converts && len(own) == 0 {
		return
	}

	rejects := []schema.Code{schema.CodeVoidFile, schema.CodeNewerWord, schema.CodeVoidHook, schema.CodeShape}
	for _, f := range ds {
		if slices.Contains(rejects, f.Code) && slices.Contains(l.p.Files, l.p.now.short(f.File)) {
			l.add(schema.CodePluginRejected, nil, f.File, f.Path, title+": "+f.Message)
			l.found[len(l.found)-1].Line, l.found[len(l.found)-1].Col = f.Line, f.Col
		}
	}
}

// roots returns all agents' names for a plugin's folder.
func roots() (names []string) {
	for _, d := range adapter.Dialects() {
		rules := &d.Profile().Plugins
		for _, name := range slices.Concat(rules.Vars, rules.Replaced, []string{rules.Root}) {
			if name = strings.Trim(name, "${}"); name != "" {
				names = lists.With(names, name)
			}
		}
	}
	return names
}

// folder looks for names of the plugin's folder that the agent doesn't have, in its syntax.
func (l *linter) folder(d adapter.Dialect, rules *dialect.Plugins, h *schema.Hook) {
	for _, part := range rootParts(h) {
		name := strings.TrimPrefix(strings.TrimPrefix(part.source, "$"), "{")
		name = shell.Name(name)
		known := slices.Contains(rules.Vars, name) || slices.Contains(rules.Replaced, part.source)
		if !known && !part.beside {
			l.add(schema.CodePluginFolder, h, "", "", d.Profile().TitleChecked()+" doesn't know "+part.source)
		}
	}
}

// A rootPart is a place in a command that names the plugin's folder.
type rootPart struct {
	source string
	double bool
	beside bool // another name is next to it; in each agent one of them is empty
}

func rootParts(h *schema.Hook) (parts []rootPart) {
	names := roots()
	var word func(w shell.Word)
	var script func(s shell.Script)
	word = func(w shell.Word) {
		count := len(parts)
		for _, p := range w.Parts {
			source := p.Text
			switch {
			case p.Kind == shell.Variable && p.Braces:
				source = "${" + p.Text + "}"
			case p.Kind == shell.Variable:
				source = "$" + p.Text
			}
			if p.Kind == shell.Variable && slices.Contains(names, p.Text) ||
				p.Kind == shell.Expansion && slices.Contains(names, shell.Name(strings.TrimPrefix(p.Text, "${"))) {
				parts = append(parts, rootPart{source: source, double: p.Double})
			}
			for _, s := range p.Scripts {
				script(s)
			}
		}
		for i := count; len(parts)-count > 1 && i < len(parts); i++ {
			parts[i].beside = true
		}
	}

	script = func(s shell.Script) {
		for i := range s.Items {
			c := &s.Items[i].Command
			for _, w := range slices.Concat(c.Assigns, c.Words, c.In) {
				word(w)
			}
			for _, r := range c.Redirects {
				word(r.Target)
			}
			for _, inner := range c.Lists {
				script(inner)
			}
		}
	}
	if s, ok := shell.Parse(h.Command); ok {
		script(s)
	}

	return parts
}

func (l *linter) quotes(h *schema.Hook) {
	for _, part := range rootParts(h) {
		if !part.double && h.Args == nil {
			l.add(schema.CodePluginQuotes, h, "", "", part.source+" isn't in double quotes")
		}
	}
}

// script looks for the plugin's file that the command starts.
func (l *linter) script(h *schema.Hook) {
	s, ok := shell.Parse(h.Command)
	if !ok || len(s.Items) == 0 || len(s.Items[0].Command.Words) == 0 {
		return
	}

	words := s.Items[0].Command.Words
	for i, w := range words[:min(2, len(words))] {
		if len(w.Parts) < 2 || w.Parts[0].Kind != shell.Variable || !slices.Contains(roots(), w.Parts[0].Text) {
			if len(w.Parts) < 3 || w.Parts[1].Kind != shell.Variable || !slices.Contains(roots(), w.Parts[1].Text) {
				continue
			}
		}
		name := ""
		for _, p := range w.Parts {
			if p.Kind <= shell.Escaped {
				name += p.Text
			} else if p.Kind != shell.Variable {
				return
			}
		}
		file := filepath.Join(l.p.Root, filepath.FromSlash(name))
		info, err := os.Stat(file)
		switch {
		case err != nil:
			l.add(schema.CodePluginScript, h, "", "", l.p.now.short(file)+" isn't there")
		case i == 0 && info.Mode()&0o111 == 0 && os.PathSeparator == '/':
			l.add(schema.CodePluginScript, h, "", "", l.p.now.short(file)+" isn't executable")
		}
		return
	}
}

// versions compares the versions in the manifests.
func (l *linter) versions() {
	first, at := "", ""
	for _, d := range adapter.Dialects() {
		for _, name := range d.Profile().Plugins.Manifests {
			o, _ := ordjson.Parse(l.p.now.text(name))
			switch version := o.Str("version"); {
			case version == "" || version == first:
			case first == "":
				first, at = version, name
			default:
				l.add(schema.CodePluginVersion, nil, filepath.Join(l.p.Root, filepath.FromSlash(name)), "/version",
					version+" here, "+first+" in "+at)
			}
		}
	}
}
