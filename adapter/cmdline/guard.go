package cmdline

// GuardWord is the command of hookbridge that denies the calls that match rules.
const GuardWord = "guard"

// GuardCommand writes a call of hookbridge that denies what a rule denies, as a POSIX shell command. host "": the
// payload determines the host.
func GuardCommand(host, rule string) string {
	c := Call{Rules: []string{rule}}
	if host != "" {
		c.Set("host", host)
	}
	return c.Command()
}

// GuardsHost reports whether a command is a guard that names the agent that calls it. It is for that agent alone:
// others get guards of their own.
func GuardsHost(command string, args []string) bool {
	call, ok := Parse(command, args)
	return ok && call.Rules != nil && call.Has("host")
}
