package inspect

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// ofCalls lists what follows an agent's name in variables that people expect to contain a part of the call. Agents send
// the call on stdin; variables that an agent does set are in its HostVariables.
var ofCalls = []string{"_TOOL_", "_FILE_PATH", "_HOOK_INPUT", "_USER_PROMPT"}

// An unsetVariable is a variable that a hook's command or shell script reads but no agent sets.
type unsetVariable struct{ where, name string }

func (u unsetVariable) String() string {
	return u.where + " reads $" + u.name + ", which no agent is known to set, so it is empty"
}

// readFromStdin is the fix for an unsetVariable.
const readFromStdin = "read the call from stdin: it is one JSON object"

// neverSet lists the variables that a hook reads and never gets.
func neverSet(d dialect.Dialect, h *schema.Hook, p schema.Places,
	short func(file string) string) (found []unsetVariable) {
	if h.Handler != schema.HandlerCommand {
		return nil
	}
	spec, err := specIn(d, h, p)
	if err != nil { // the agent may reject a command because of such a variable
		spec.Env = nil
	}
	add := func(where, text string) {
		for _, name := range callVariables(text) {
			given := slices.ContainsFunc(h.Env, func(v schema.EnvVar) bool { return v.Name == name })
			if !given && schema.Environ(spec.Env).Get(name) == "" && p.Env.Get(name) == "" {
				found = append(found, unsetVariable{where, name})
			}
		}
	}
	add("the command", strings.Join(append([]string{h.Command}, h.Args...), "\n"))
	file, text := script(d, h, p)
	if first, _, _ := strings.Cut(string(text), "\n"); isShell(first, file) {
		add("the script "+short(file), string(text))
	}
	return found
}

// isShell reports whether a POSIX shell reads a file, according to its first line or name.
func isShell(first, file string) bool {
	interpreter := strings.Fields(strings.TrimPrefix(first, "#!"))
	named := slices.ContainsFunc(interpreter, func(w string) bool {
		return slices.Contains(posixShells, filepath.Base(w))
	})
	marked := strings.HasPrefix(first, "#!")
	return marked && named || !marked && filepath.Ext(file) == ".sh"
}

// callVariables lists the variables in a shell text whose names suggest that an agent sets them to a part of the call.
// Variables that the text sets itself, or that have a default, aren't listed.
func callVariables(text string) (names []string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, after := range strings.Split(line, "$")[1:] {
			after = strings.TrimPrefix(after, "{")
			name := shell.Name(after)
			rest := strings.TrimPrefix(after[len(name):], ":")
			hasDefault := strings.HasPrefix(rest, "-") && !strings.HasPrefix(rest, "-}")
			if isOfCall(name) && !hasDefault && !strings.Contains(text, name+"=") &&
				!strings.Contains(text, "read -r "+name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// isOfCall reports whether a variable's name begins with an agent's name and continues as in ofCalls.
func isOfCall(name string) bool {
	i := slices.IndexFunc(ofCalls, func(s string) bool { return strings.Contains(name, s) })
	if i < 0 {
		return false
	}
	agent, _, _ := strings.Cut(name, ofCalls[i])
	return slices.ContainsFunc(adapter.Dialects(), func(d dialect.Dialect) bool {
		return strings.EqualFold(agent, d.Profile().Name) && !d.Profile().HostVariables.Has(name)
	})
}
