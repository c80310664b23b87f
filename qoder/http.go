package qoder

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// sent are the variables that headers name, $NAME or ${NAME} in capitals: without
// a list of its own a hook sends all that they name (observed 1.1.52).
func sent(headers []schema.EnvVar) (names []string) {
	for _, h := range headers {
		for _, part := range strings.Split(h.Value, "$")[1:] {
			inner, braced := strings.CutPrefix(part, "{")
			name := inner[:len(inner)-len(strings.TrimLeft(inner, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"))]
			if name == "" || name[0] <= '9' || braced && !strings.HasPrefix(inner[len(name):], "}") || slices.Contains(names, name) {
				continue
			}
			names = append(names, name)
		}
	}
	return names
}
