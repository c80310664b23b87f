package inspect

import (
	"path"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// answers reports whether the agent would run its own hook for a call of one of its tools. The subject of the call is a
// command, a path, an address or the type of a sub-agent. The simulated agent decides; no program is started.
func answers(d dialect.Dialect, h *schema.Hook, tool, subject string) bool {
	row := d.Profile().Tool(tool)
	if row != nil && len(row.Kinds) > 0 && (rule{kind: row.Kinds[0]}).file() && !path.IsAbs(subject) {
		subject = path.Join(judgedProject, subject)
	}
	return answersAs(d, h, tool, subject)
}

// judgedProject is the project of the simulated calls.
const judgedProject = "/project"

// answersAs is answers for a path as it is, which the model may have written relative to the project.
func answersAs(d dialect.Dialect, h *schema.Hook, tool, subject string) bool {
	row := d.Profile().Tool(tool)
	if row == nil || len(row.Kinds) == 0 {
		return false
	}

	quoted := ordjson.AppendString(nil, subject)
	a := sample.Event{Tool: tool}
	for _, x := range row.Input { // a sub-agent never starts without these
		if row.Kinds[0] == schema.Agent && (x.Role == schema.RoleDescription || x.Role == schema.RolePrompt) {
			a.Args = append(a.Args, schema.Arg{Role: x.Role, Raw: []byte(`"text"`)})
		}
	}
	for _, role := range []schema.Role{schema.RoleCommand, schema.RolePath, schema.RoleURL, schema.RolePattern,
		schema.RoleAgentType} {
		if slices.ContainsFunc(row.Input, func(x schema.ArgRow) bool { return x.Role == role }) {
			a.Args = append(a.Args, schema.Arg{Role: role, Raw: quoted})
			break
		}
	}
	return runsAt(d, h, a, schema.Places{Project: judgedProject, Home: "/home/user", OS: "linux"})
}

// A rule is a permission rule, such as Bash(git push:*), as people also write it for agents that don't read rules.
type rule struct {
	text, tool, argument string
	kind                 schema.Kind // of its subject: a command, a file, an address or a sub-agent
	project              string      // the folder that may contain a path
}

func (r rule) file() bool { return r.kind == schema.Read || r.kind.ChangesFile() }

// readRule reads a permission rule; ok is false for any other text.
func readRule(text string) (r rule, ok bool) {
	tool, rest, opened := strings.Cut(text, "(")
	argument, closed := strings.CutSuffix(rest, ")")
	named := tool != "" && strings.Trim(tool, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-") == ""
	return rule{text: text, tool: tool, argument: argument}, opened && closed && named
}

// alternatives returns the subjects of a rule's argument as globs, in any of these notations: a list, braces, an
// expression, quotes, a field's name as prefix, a folder with a backslash or a variable.
func (r rule) alternatives() (globs []string) {
	argument := r.argument
	if r.file() {
		argument = braces(argument)
	}
	for _, part := range strings.FieldsFunc(argument, func(c rune) bool { return c == '|' }) {
		if strings.HasSuffix(part, " ") && !strings.Contains(part, "*") { // the first words of a command
			part += "*"
		}
		part = strings.TrimSpace(part)
		if n := len(part); n > 2 && part[0] == part[n-1] && strings.ContainsRune("\"'`", rune(part[0])) {
			part = part[1 : n-1]
		}
		if field, rest, ok := strings.Cut(part, ":"); ok && slices.Contains(fields, field) && rest != "*" {
			part = strings.TrimSpace(rest)
		}
		if rest, ok := strings.CutPrefix(part, "$"); ok && r.file() { // the project's folder
			name := shell.Name(strings.TrimPrefix(rest, "{"))
			_, part, _ = strings.Cut(rest, name)
			part = strings.TrimLeft(part, "}/")
		}
		if part = r.glob(part); part != "" {
			globs = append(globs, part)
		}
	}
	return globs
}

// fields lists names of fields that people write in rules, and that no agent reads there.
var fields = []string{"command", "file_path", "filePath", "path", "url"}

// glob converts an expression to a glob, and returns a glob as it is. In a command, $ and a word that begins with .*
// belong to the command.
func (r rule) glob(text string) string {
	inner, slashes := literalForm(text)
	slashes = slashes && strings.ContainsAny(inner, " ^$.")
	if slashes {
		text = inner
	}
	rest, head := strings.CutPrefix(text, "^")
	rest, tail := strings.CutSuffix(rest, "$")
	ofFile := r.file() && (tail || strings.Contains(text, `\.`))
	searched := slashes || head || ofFile
	itsOwn := strings.Contains(text, "$") || strings.Contains(text, " .*")
	if !r.file() && !searched && itsOwn {
		return text
	}
	rest = strings.NewReplacer(`\.`, ".", ".*", "*", `\`, "/").Replace(rest)
	if searched && !head && !strings.HasPrefix(rest, "*") {
		rest = "*" + rest
	}
	if searched && !tail && !strings.HasSuffix(rest, "*") {
		rest += "*"
	}
	return rest
}

// braces converts a list of globs, or a glob with alternatives in braces, to a list with | between its elements.
func braces(text string) string {
	before, rest, opened := strings.Cut(text, "{")
	inner, after, closed := strings.Cut(rest, "}")
	if !opened || !closed || strings.HasSuffix(before, "$") {
		return strings.ReplaceAll(text, ",", "|")
	}
	return strings.Join(lists.Map(strings.Split(inner, ","), func(s string) string { return before + s + after }), "|")
}

// meant returns subjects that one alternative of a rule may be meant for. A path from the root may be one in the
// project.
func (r rule) meant(part string) []string {
	if r.kind == schema.Fetch {
		subject := strings.ReplaceAll(strings.TrimPrefix(strings.TrimSpace(part), hostIs), "*", "x")
		if !strings.Contains(subject, "://") {
			subject = "https://" + subject
		}
		return []string{subject}
	}

	if bare := strings.TrimRight(part, "*"); strings.HasSuffix(bare, ":") {
		part = strings.TrimSuffix(bare, ":") + " x"
	}
	subject := strings.TrimSpace(strings.NewReplacer("**/", "", "*", "x").Replace(part))
	if !r.file() {
		return []string{subject}
	}

	if strings.HasSuffix(subject, "/") {
		subject += "x"
	}
	if rest, ok := strings.CutPrefix(subject, "~/"); ok {
		return []string{"/home/user/" + rest}
	}
	rest, rooted := strings.CutPrefix(subject, "/")
	first, _, _ := strings.Cut(rest, "/")
	inProject := r.project != "" && strings.HasPrefix(subject, r.project+"/")
	if rooted && !inProject && !slices.Contains(roots, first) {
		return []string{subject, strings.TrimPrefix(rest, "/")}
	}
	return []string{subject}
}

// hostIs is the prefix of a host in rules.
const hostIs = "domain:"

// roots lists folders in the root of a file system that aren't part of any project.
var roots = []string{"etc", "home", "opt", "private", "root", "tmp", "Users", "usr", "var"}

// forms returns rules that may be equivalent to one alternative, for the simulated agent to choose from.
func (r rule) forms(part string) []string {
	part = strings.TrimSpace(part)
	bare := strings.TrimRight(part, " *:")
	globs := []string{part, bare + " *", bare + ":*"}
	switch within := strings.TrimPrefix(strings.TrimPrefix(part, "./"), "~/"); {
	case strings.HasPrefix(part, "!"):
		return nil
	case r.kind == schema.Fetch: // no other form is known to run a hook
		globs = []string{part}
	case bare == "":
		globs = []string{"*"}
	case r.file():
		globs = []string{part, "**/" + within, "/" + part, "**/" + strings.TrimSuffix(within, "/") + "/**",
			"*" + strings.TrimPrefix(within, "**/")}
	}
	return lists.Map(globs, func(glob string) string { return r.tool + "(" + glob + ")" })
}

// judgedKind returns the kind of subject in rules for a tool, 0 if the subject isn't known here.
func judgedKind(row *schema.ToolRow) schema.Kind {
	if row == nil || len(row.Kinds) == 0 {
		return 0
	}
	k := row.Kinds[0]
	if k == schema.Shell || k == schema.Fetch || k == schema.Agent || k == schema.Read || k.ChangesFile() {
		return k
	}
	return 0
}

// bound returns the conditions that bind a hook on a tool to the subject of a rule, one for each alternative; nil if
// none works.
func bound(d dialect.Dialect, h *schema.Hook, tool string, r rule) (conditions []string) {
	r.kind = judgedKind(d.Profile().Tool(tool))
	for _, part := range r.alternatives() {
		one := *h
		one.Matcher, one.HasMatcher = tool, true
		forms := r.forms(part)
		holds := func(form string) bool {
			one.Condition = form
			return slices.ContainsFunc(r.meant(part), func(s string) bool { return answers(d, &one, tool, s) })
		}
		form := slices.IndexFunc(forms, func(form string) bool {
			if !holds(form) {
				return false
			}
			_, _, misses := vocabularyOf(d).missesSpelling(&one, tool, r)
			return !misses
		})
		if form < 0 {
			form = slices.IndexFunc(forms, holds)
		}
		if form < 0 {
			return nil
		}
		conditions = append(conditions, forms[form])
	}
	return conditions
}
