package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// Command returns a command for the entries of hookbridge in a host's files: in the user's, if the host reads no
// project files.
func Command(name string, host dialect.Dialect) string {
	line := "hookbridge " + name + " --host " + host.Profile().Full()
	if !InProjects(host) {
		line += " --scope user"
	}
	return line
}

// InProjects reports whether a host reads a file of a project.
func InProjects(host dialect.Dialect) bool {
	ofProject := func(s schema.Source) bool { return s.Scope == schema.ScopeProject }
	return slices.ContainsFunc(host.Locate(schema.Places{Project: "/p", Home: "/h"}), ofProject)
}

// IsOwn reports whether a hook does something that other agents may need too. A call of hookbridge that finds its hooks
// only leads to the hooks of others, and a guard may be for its agent alone.
func IsOwn(h schema.Hook) bool {
	call, ok := cmdline.Parse(h.Command, h.Args)
	return !ok || !call.FindsHooks() && !cmdline.GuardsHost(h.Command, h.Args)
}

// Counted returns a number of things, as "1 entry" or "2 entries".
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if stem, ok := strings.CutSuffix(what, "y"); ok {
		what = stem + "ie"
	}
	return strconv.Itoa(n) + " " + what + "s"
}
