package cursor

import (
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// silentFailure and the exit status are the error of a command that failed and
// printed nothing but blanks; of any other the error is what it printed, and the
// status is not told (observed SDK 1.0.32).
const silentFailure = "Command failed with exit code "

// splitFailure takes the status out of the error of a silent command. A number
// that can't be a status is a signal and is left.
func splitFailure(c *schema.Call) {
	code, ok := strings.CutPrefix(c.Str(schema.FieldError), silentFailure)
	if n, err := strconv.Atoi(code); !ok || err != nil || n < 0 || n > 255 || strconv.Itoa(n) != code {
		return
	}
	c.Tool.Output = c.Tool.Output.Set(schema.RoleExitCode, "", []byte(code))
	c.SetStr(schema.FieldError, "")
}

func (e *encoder) failure() {
	code, told := e.c.Tool.Output.Get(schema.RoleExitCode)
	if e.v.Kind != schema.Shell || !told || unblank(e.c.Str(schema.FieldError)) != "" {
		e.field(schema.FieldError, "")
		return
	}
	e.done[schema.FieldError] = true
	e.String("error_message", silentFailure+string(code))
}
