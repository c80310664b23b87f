package inspect

import (
	"fmt"

	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/projectfile"
)

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
