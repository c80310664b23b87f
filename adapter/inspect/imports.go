package inspect

import (
	"fmt"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

// imports describes a host's own import of other agents' files. The zero imports is for a host without one.
type imports struct {
	host  dialect.Dialect
	files []string
	state simulate.Imports
	voids func(*schema.Hook) bool // whether install makes the host skip the hook's file
}

// runs reports whether the host itself imports the hook's file and runs the hook.
func (i *imports) runs(h *schema.Hook) bool {
	if !slices.Contains(i.files, h.Source.File) || i.voids != nil && i.voids(h) {
		return false
	}
	_, runs := i.host.Abilities().Imports.Import(*h)
	return runs
}

// fits reports whether the host itself imports the hook and has a tool with an own name that the matcher accepts.
func (i *imports) fits(h *schema.Hook) bool {
	if !i.runs(h) {
		return false
	}
	m, err := i.host.Profile().Matcher(h)
	fits := func(t schema.ToolRow) bool { return m.Match(append([]string{t.Name}, t.Aliases...)...) }
	return err == nil && slices.ContainsFunc(i.host.Profile().Tools, fits)
}

// sure reports whether the import is known to be on.
func (i *imports) sure() bool {
	return i.state == simulate.ImportsOn || i.host.Abilities().Imports.AlwaysImports()
}

// off returns how to switch the import off, and how to declare that to hookbridge.
func (i *imports) off() string {
	host := i.host.Profile()
	where := ""
	if importer := i.host.Abilities().Imports; importer != nil {
		where = " (" + importer.ImportSwitch() + ")"
	}
	return "switch the import off in " + host.Title + where + " and record that in hookbridge.yaml: facts: {" +
		host.Name + ": {" + ImportFact + ": off}}"
}

// CheckImportsOff reports the first unknown agent whose import hookbridge.yaml switches off.
func CheckImportsOff(file *projectfile.File) error {
	for _, a := range file.ImportsOff {
		if _, err := adapter.Find(a.Name); err != nil && a.Name != "" {
			return file.Mistake(a.Line, a.Col, "imports: "+err.Error()+suggest.Question(a.Name, adapter.Names()))
		}
	}
	return nil
}

// ImportsLeftOn returns the files that agents import although hookbridge.yaml switches that off. It leaves out examined
// agents, since each hook of the file has its own finding there.
func ImportsLeftOn(file *projectfile.File, p schema.Places, examined []adapter.Dialect) (found []Finding) {
	for _, a := range file.ImportsOff {
		host, err := adapter.Find(a.Name)
		if err != nil || adapter.Has(examined, host) || host.Abilities().Imports == nil {
			continue
		}
		if stated, _ := StatedImports(file, host); stated == simulate.ImportsOff {
			continue
		}

		x := examine(host, p, Examined{File: file})
		title, by := host.Profile().Title, fmt.Sprintf("%s:%d", projectfile.Name, a.Line)
		for _, imported := range x.imports.files {
			problem := Problem{Pending, schema.CodeForeignImport, schema.Note,
				by + " switches " + title + "'s import off, and hookbridge can't check it", x.imports.off()}
			if x.imports.sure() {
				problem.Status, problem.Severity = Weaker, schema.Weaker
				problem.Why = title + " imports the file by itself, although " + by + " switches that off"
			}
			if host.Profile().VoidMember.Name != "" && dialect.Within(p.Project, imported) {
				problem.Fix = "hookbridge install"
			}
			found = append(found, Finding{Host: host.Profile().Name, Hooks: host.Profile().Name, File: imported,
				Problems: []Problem{problem}})
		}
	}

	return found
}

// StatedImports returns the state of a host's import of other agents' files according to hookbridge.yaml.
func StatedImports(file *projectfile.File, d dialect.Dialect) (simulate.Imports, error) {
	for _, fact := range file.Facts {
		if fact.Agent != d.Profile().Name || fact.Name != ImportFact {
			continue
		}
		switch fact.Value {
		case "on", "true":
			return simulate.ImportsOn, nil
		case "off", "false":
			return simulate.ImportsOff, nil
		}
		return 0, file.Mistake(fact.Line, fact.Col, fmt.Sprintf("%s is on or off, not %q", ImportFact,
			fact.Value))
	}
	return simulate.ImportsUnknown, nil
}
