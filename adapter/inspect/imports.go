package inspect

import (
	"fmt"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

// CheckImportsOff reports the first agent whose import hookbridge.yaml switches off and nobody knows.
func CheckImportsOff(file *projectfile.File) error {
	for _, a := range file.ImportsOff {
		if _, err := adapter.Find(a.Name); err != nil && a.Name != "" {
			return file.Mistake(a.Line, a.Col, "imports: "+err.Error()+suggest.Question(a.Name, adapter.Names()))
		}
	}
	return nil
}

// ImportsLeftOn are the files that agents import although hookbridge.yaml switches that off, for the agents that aren't
// examined: for those each hook of the file has its finding.
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
		for _, imported := range x.imported {
			problem := Problem{Pending, schema.CodeForeignImport, schema.Note,
				by + " switches " + title + "'s import off, and hookbridge can't check it", x.importOff()}
			if x.importsForSure() {
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

// StatedImports is what hookbridge.yaml states about a host's import of other agents'
// files.
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
