package family

import (
	"strconv"

	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// ParseEnvFile reads the file in which a hook sets variables, as the shell that sources it would. Statements that need
// a real shell (command substitution, tests, functions) are reported one by one and set nothing.
func (*Agent) ParseEnvFile(text string, env schema.Environ) (vars []schema.EnvVar, ds schema.Diagnostics) {
	set, left := shell.Environment(text, env.Get)
	for _, s := range set {
		vars = append(vars, schema.EnvVar(s))
	}
	for _, s := range left {
		ds.Add(schema.CodeEnvFile, "", "line "+strconv.Itoa(s.Line)+" of the environment file needs a shell: "+
			s.Text).Line = s.Line
	}
	return vars, ds
}
