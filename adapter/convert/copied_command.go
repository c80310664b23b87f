package convert

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// Placeholders for folders that are known only when a hook runs.
const (
	anyProject = "/hookbridge-any-project"
	anyCwd     = "/hookbridge-any-cwd"
	anyHome    = "/hookbridge-any-home"
	anyText    = "/hookbridge-any-"
)

// A surrounding is the folder and the variables that an agent gives a command.
type surrounding struct {
	dir  string
	vars []schema.EnvVar // in the agent's order
	text string          // the command after the agent filled in its variables
}

// surroundings returns the folder, the variables and the text with which the agent starts the hook.
func surroundings(d dialect.Dialect, h *schema.Hook) (s surrounding, err error) {
	c := &schema.Call{Dialect: d.Profile().Name, Event: h.Event, Native: h.Native, Cwd: anyCwd, Project: anyProject}
	for _, f := range []schema.Field{schema.FieldSession, schema.FieldUser, schema.FieldTranscript} {
		c.SetStr(f, anyText+strconv.Itoa(int(f)))
	}
	spec, err := d.Spec(h, c, schema.Places{Home: anyHome, Project: anyProject})
	if err != nil {
		return s, err
	}
	for _, v := range spec.Env {
		name, value, _ := strings.Cut(v, "=")
		s.vars = append(s.vars, schema.EnvVar{Name: name, Value: value})
	}
	if name := d.Profile().EnvFile.For(h.Event); name != "" {
		s.vars = append(s.vars, schema.EnvVar{Name: name, Value: anyText + "file"})
	}
	s.dir, s.text = spec.Dir, asText(h.Command, spec.Argv)
	return s, nil
}

// asText returns the command that an agent starts as argv, in shell form: the text that argv passes to a shell, or the
// quoted words of a program started without a shell.
func asText(command string, argv []string) string {
	n := len(argv)
	if n == 0 {
		return ""
	}
	ofShell := n > 2 && strings.HasPrefix(argv[n-2], "-")
	if ofShell && !strings.HasPrefix(command, argv[0]) {
		return argv[n-1]
	}

	words, _ := shell.Words(command)
	switch same := slices.Equal(words, argv); {
	case ofShell && !same:
		return argv[n-1]
	case same && !strings.ContainsAny(command, "*?[]{}()~#!"):
		return command
	}

	return shell.Join(argv)
}

func (s *surrounding) value(name string) string {
	for _, v := range s.vars {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}

func (s *surrounding) expand(text string) string {
	for _, v := range s.vars {
		text = replaceVariable(text, v.Name, v.Value)
	}
	return text
}

// copied rewrites a command for to, which starts it from the source at, so that it finds the same files as under from.
// problems lists everything that couldn't be resolved.
func copied(from, to dialect.Dialect, h *schema.Hook, at schema.Source) (out schema.Hook, problems []string) {
	out = *h
	out.Args = slices.Clone(h.Args)
	out.Source = at
	old, err := surroundings(from, h)
	if err != nil { // it doesn't start under its own agent either
		return *h, nil
	}
	there, _ := surroundings(to, &schema.Hook{Event: h.Event, Native: h.Native, Handler: schema.HandlerCommand,
		Command: "true", Source: at})
	if h.Args == nil && h.Shell == "" && old.expand(old.text) != old.expand(h.Command) {
		if out.Command = old.text; strings.Contains(old.text, anyText) {
			out.Command = h.Command
			problems = append(problems, "only "+from.Profile().Title+" fills in the placeholders of the command")
		}
	}
	problems = append(problems, resolveVariables(from, to, &out, &old, &there)...)
	if problem := resolveFolder(&out, &old, &there); problem != "" {
		problems = append(problems, problem)
	}
	if _, err := surroundings(to, &out); err != nil && len(problems) == 0 {
		problems = append(problems, err.Error())
	}
	out.Source = h.Source
	return out, problems
}

// resolveVariables replaces variables of from that to doesn't set, or sets differently, by a variable that to sets or
// by the folder itself.
func resolveVariables(from, to dialect.Dialect, h *schema.Hook, old, there *surrounding) (problems []string) {
	for _, name := range hostVariables(from, h, old) {
		value := old.value(name)
		if value == "" && from.Profile().Full() == to.Profile().Full() { // it isn't set there either; see plan.Unset
			continue
		}
		if value != "" && value == there.value(name) || slices.ContainsFunc(h.Env, func(v schema.EnvVar) bool {
			return v.Name == name
		}) {
			continue
		}
		if with := writtenAs(value, there, h); with != "" {
			for _, part := range commandParts(h) {
				*part = replaceVariable(*part, name, with)
			}
		}
		if slices.ContainsFunc(commandParts(h), func(p *string) bool { return mentionsName(*p, name) }) {
			problems = append(problems, to.Profile().Title+" doesn't set "+name+" for this hook")
		}
	}
	return problems
}

// commandParts returns the texts of a command that an agent or a shell expands.
func commandParts(h *schema.Hook) []*string {
	parts := []*string{&h.Command}
	for i := range h.Args {
		parts = append(parts, &h.Args[i])
	}
	return parts
}

// hostVariables lists the agent's variables in the command.
func hostVariables(d dialect.Dialect, h *schema.Hook, s *surrounding) (names []string) {
	for _, part := range commandParts(h) {
		for text := *part; text != ""; {
			name := shell.Name(text)
			if name == "" {
				text = text[1:]
				continue
			}
			text = text[len(name):]
			own := s.value(name) != "" || d.Profile().HostVariables.Has(name)
			if own && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// writtenAs returns how a command refers to the value under the target: a variable of the target or the value itself;
// "" if neither is possible.
func writtenAs(value string, there *surrounding, h *schema.Hook) string {
	if value == "" {
		return ""
	}
	quoted := strings.Contains(h.Command, "'") && h.Args == nil // no shell expands a variable there
	for _, v := range there.vars {
		if v.Value == value && !quoted {
			return "${" + v.Name + "}"
		}
	}
	if rest, ok := strings.CutPrefix(value, anyHome+"/"); ok && !quoted && h.Args == nil {
		return "${HOME}/" + rest
	}
	if !filepath.IsAbs(value) || strings.Contains(value, anyText) || strings.ContainsAny(value, "\"'`$\\\n") {
		return ""
	}
	return value
}

func replaceVariable(text, name, with string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '$')
		if i < 0 {
			return b.String() + text
		}
		rest := text[i+1:]
		b.WriteString(text[:i])
		switch after, braced := strings.CutPrefix(rest, "{"+name+"}"); {
		case braced:
			b.WriteString(with)
			text = after
		case shell.Name(rest) == name:
			b.WriteString(with)
			text = rest[len(name):]
		default:
			b.WriteByte('$')
			text = rest
		}
	}
}

// mentionsName reports whether a text contains the name as a whole word.
func mentionsName(text, name string) bool {
	for text != "" {
		word := shell.Name(text)
		if word == name {
			return true
		}
		text = text[max(1, len(word)):]
	}
	return false
}

// resolveFolder makes a command's relative paths absolute if the target starts it in another folder.
func resolveFolder(h *schema.Hook, old, there *surrounding) (problem string) {
	dir, now := old.dir, there.dir
	if dir == now || h.Args == nil && len(shell.RelativePaths(h.Command)) == 0 {
		return ""
	}

	if dir == anyCwd { // the project, until the agent changes the folder
		if dir = anyProject; now == dir {
			return ""
		}
	}

	if h.Args != nil {
		if shell.RelativeScript(append([]string{h.Command}, h.Args...)) == "" {
			return ""
		}
		return otherFolder(h.Command)
	}

	prefix := writtenAs(dir, there, h)
	if prefix == "" {
		return otherFolder(shell.RelativePaths(h.Command)[0])
	}

	for _, p := range shell.RelativePaths(h.Command) {
		whole := `"` + prefix + `"/` + strings.TrimPrefix(p, "./")
		if strings.HasPrefix(prefix, "/") {
			whole = shell.Quote(prefix + "/" + strings.TrimPrefix(p, "./"))
		}
		var ok bool
		if h.Command, ok = replaceWord(h.Command, p, whole); !ok {
			return otherFolder(p)
		}
	}

	return ""
}

func otherFolder(file string) string {
	return "the relative path " + file + " is relative to another folder there"
}

// replaceWord replaces each unquoted word; ok is false if the word is in quotes.
func replaceWord(line, word, with string) (out string, ok bool) {
	var b strings.Builder
	rest := line
	for {
		i := strings.Index(rest, word)
		if i < 0 {
			b.WriteString(rest)
			return b.String(), ok
		}
		before, after := line[:len(line)-len(rest)+i], rest[i+len(word):]
		b.WriteString(rest[:i])
		begins := before == "" || strings.ContainsAny(before[len(before)-1:], " \t\n;&|()")
		ends := after == "" || strings.ContainsAny(after[:1], " \t\n;&|()<>")
		quoted := strings.Count(before, "'")%2 == 1 || strings.Count(before, `"`)%2 == 1
		if begins && ends && !quoted {
			b.WriteString(with)
			ok = true
		} else {
			b.WriteString(word)
			if quoted || begins {
				return line, false
			}
		}
		rest = after
	}
}

// fitTimeout adjusts a time limit to one that the target supports, and reports a stated limit that the target can only
// express as a longer one.
func (c *converter) fitTimeout(h, out *schema.Hook) {
	to := c.to.Profile()
	member := c.from.Profile().MemberName(schema.HookTimeout)
	if most := to.Timeout(out); out.Timeout > most {
		out.Timeout = most
		return
	}
	if stated := to.Stated(out.Timeout); h.Timeout > 0 && stated != out.Timeout {
		c.report(schema.CodeNoFeature, schema.Note, h, member,
			to.Title+" can't state less than "+to.TimeoutUnit.String()+", so the timeout of "+out.Timeout.String()+
				" becomes "+stated.String())
	}
}

// plainTimeout writes out the default time limit if the target's default differs.
func (c *converter) plainTimeout(h *schema.Hook) {
	if limit := c.from.Profile().Timeout(h); h.Timeout == 0 {
		other := *h
		if c.to.Profile().Timeout(&other) != limit {
			h.Timeout = limit
		}
	}
}

// plainLoopLimit writes out how often a stop hook may continue the turn by default, if the target's default differs and
// it has a field for it.
func (c *converter) plainLoopLimit(h *schema.Hook) {
	stops := h.Event == schema.Stop || h.Event == schema.SubagentStop
	limit := c.from.Profile().LoopLimit
	if stops && h.LoopLimit == nil && limit != c.to.Profile().LoopLimit &&
		c.to.Profile().MemberName(schema.HookLoopLimit) != "" {
		h.LoopLimit = &limit
	}
}
