package dialect

import (
	"os"
	"path/filepath"

	"github.com/hookbridge/hookbridge/schema"
)

// Home is the user's folder of an agent: what the variable names, or the folder of
// that name in the home folder; "" if nothing says where that is.
func Home(p schema.Places, variable, folder string) string {
	if dir := p.Env.Get(variable); dir != "" || p.Home == "" {
		return dir
	}
	return filepath.Join(p.Home, folder)
}

// Within reports whether file is dir or lies below it.
func Within(dir, file string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(rel)
}

// Argv is how a command starts: by the shell, or, where the command line gave the hook
// a list of arguments, as the program itself.
func Argv(h *schema.Hook, command string, shell ...string) []string {
	if h.Args != nil {
		return append([]string{h.Command}, h.Args...)
	}
	return append(shell, command)
}

// Bash is where bash is, or its name if it isn't in the usual place.
func Bash() string {
	if _, err := os.Stat("/bin/bash"); err != nil {
		return "bash"
	}
	return "/bin/bash"
}
