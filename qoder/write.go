package qoder

import (
	"strings"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// valueMatcher names values of an event's field. A file's name is left as it is: the
// parts of the matcher are also what Qoder watches.
func valueMatcher(row *schema.EventRow, values []string) (m string, exact bool) {
	switch {
	case row.Event == schema.FileChanged:
		return strings.Join(values, "|"), false
	case asTool(row) || strings.ContainsAny(strings.Join(values, ""), `\^$.*+?()[]{}|`):
		for i := range values {
			values[i] = matcher.Escape(values[i])
		}
		return "^(?:" + strings.Join(values, "|") + ")$", true
	}
	return strings.Join(values, "|"), true
}

// AppendEnv is never asked.
func (Dialect) AppendEnv(dst []byte, _ []schema.EnvVar) []byte { return dst }
