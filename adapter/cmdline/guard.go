package cmdline

// GuardWord is the command of hookbridge that denies the calls which rules are about.
const GuardWord = "guard"

// GuardCommand writes the call of hookbridge that denies what a rule does as a POSIX shell command. host "": the
// payload says whose it is.
func GuardCommand(host, rule string) string {
	c := Call{Rules: []string{rule}}
	if host != "" {
		c.Set("host", host)
	}
	return c.Command()
}

// GuardsHost reports whether a command is a guard that names the agent which calls it. It is that agent's alone: others
// get guards of their own.
func GuardsHost(command string, args []string) bool {
	call, ok := Parse(command, args)
	return ok && call.Rules != nil && call.Has("host")
}
