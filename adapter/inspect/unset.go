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

// ofCalls are how the names of variables go on, after the word for an agent, that people expect to hold
// a part of the call. Agents send the call on stdin; what one does set is among its HostVariables.
var ofCalls = []string{"_TOOL_", "_FILE_PATH", "_HOOK_INPUT", "_USER_PROMPT"}

// An unsetVariable is a variable that a hook's command or shell script reads and that no agent sets.
type unsetVariable struct{ where, name string }

func (u unsetVariable) String() string {
	return u.where + " reads $" + u.name + ", which no agent is known to set, so it is empty"
}

// readFromStdin is what to do about an unsetVariable.
const readFromStdin = "read the call from stdin: it is one JSON object"

// neverSet lists the variables that a hook needs and never gets.
func neverSet(d dialect.Dialect, h *schema.Hook, p schema.Places,
	short func(file string) string) (found []unsetVariable) {
	if h.Handler != schema.HandlerCommand {
		return nil
	}
	spec, err := specIn(d, h, p)
	if err != nil { // the agent may refuse a command because of the very variable
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

// isShell reports whether a file's first line or its name says that a POSIX shell reads it.
func isShell(first, file string) bool {
	interpreter := strings.Fields(strings.TrimPrefix(first, "#!"))
	named := slices.ContainsFunc(interpreter, func(w string) bool {
		return slices.Contains(posixShells, filepath.Base(w))
	})
	marked := strings.HasPrefix(first, "#!")
	return marked && named || !marked && filepath.Ext(file) == ".sh"
}

// callVariables lists the variables that a shell text reads and that look as if an agent had put a part
// of the call into them. What the text sets itself, or has another value for, isn't listed.
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

// isOfCall reports whether a variable's name begins with the word of an agent and goes on as in ofCalls.
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
