package gemini

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ascii"
	"github.com/hookbridge/hookbridge/schema"
)

// Plan lists the possible places of a hook for its event; none if Gemini CLI has no such event. Tool matchers are
// anchored, each value of another event gets a separate group, and values with which an event is idle are left out.
func (d Dialect) Plan(h *schema.Hook, sel schema.Selection) (out []schema.Entry) {
	es := d.Agent.Plan(h, sel)
	if len(es) == 0 || d.Row(es[0].Native).Match != schema.MatchField {
		return es
	}
	row, chosen := d.Row(es[0].Native), sel.Words
	if len(row.Idle) > 0 && len(chosen) == 0 {
		chosen = []string{"manual"} // the rest of both triggers
	}
	if len(chosen) == 0 {
		return es
	}
	for _, word := range words.For(row.Event, row.MatchField).SpellAll(chosen) {
		if !slices.Contains(row.Idle, word) {
			e := es[0]
			e.Matcher, e.Exact = word, sel.Exact
			out = append(out, e)
		}
	}
	return out
}

// WriteHook writes a group with the one hook, and returns the features that it expresses.
func (d Dialect) WriteHook(e schema.Entry, h *schema.Hook) (value []byte, says schema.Feature) {
	written := *h
	written.Command, written.Handler = guarded(h.Command), schema.HandlerCommand
	return d.Agent.WriteHook(e, &written)
}

// guarded keeps the client from replacing its variables inside quotes, where the quoted name of a folder with blanks
// would break the command. Between double quotes the name gets braces, between single ones it is separated from the
// dollar sign.
func guarded(command string) string {
	var b strings.Builder
	quoted := byte(0)
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case c == '\\' && quoted != '\'' && i+1 < len(command):
			b.WriteByte(c)
			i++
			c = command[i]
		case quoted == 0 && (c == '"' || c == '\''):
			quoted = c
		case c == quoted:
			quoted = 0
		case c == '$' && quoted != 0:
			if n := replacedName(command[i+1:]); n != "" && quoted == '"' {
				b.WriteString("${" + n + "}")
				i += len(n)
				continue
			} else if n != "" {
				b.WriteString("$''")
				continue
			}
		}
		b.WriteByte(c)
	}

	return b.String()
}

// replacedName returns the variable at the start of s that the client replaces, "" if there is none. A longer name is
// another variable to the shell.
func replacedName(s string) string {
	for _, n := range append([]string{claudeFolder}, profile.HostVariables...) {
		if rest, ok := strings.CutPrefix(s, n); ok && (rest == "" || !ascii.Word(rest[0])) {
			return n
		}
	}
	return ""
}
