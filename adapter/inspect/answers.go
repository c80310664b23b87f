package inspect

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// answers reports whether the agent would run a hook of its own for a call of one of its tools that acts on a subject:
// a command, a path or an address. The simulated agent decides; no program is started.
func answers(d dialect.Dialect, h *schema.Hook, tool, subject string) bool {
	row := d.Profile().Tool(tool)
	if row == nil || len(row.Kinds) == 0 {
		return false
	}
	const project = "/project"
	if row.Kinds[0] != schema.Shell && row.Kinds[0] != schema.Fetch && !path.IsAbs(subject) {
		subject = path.Join(project, subject)
	}

	quoted := ordjson.AppendString(nil, subject)
	a := sample.Event{Event: h.Native, Tool: tool, Project: project, Session: "judged"}
	for _, role := range []schema.Role{schema.RoleCommand, schema.RolePath, schema.RoleURL, schema.RolePattern} {
		if slices.ContainsFunc(row.Input, func(x schema.ArgRow) bool { return x.Role == role }) {
			a.Args = schema.Args{{Role: role, Raw: quoted}}
			break
		}
	}
	payload, err := sample.Payload(d, a)
	if err != nil {
		return false
	}

	one, ran := *h, false
	one.Handler, one.Command, one.Args, one.Once = schema.HandlerCommand, "true", nil, false
	b := bridge.Bridge{Host: d, Hooks: d, Own: &discover.Result{Hooks: []schema.Hook{one}},
		Places: schema.Places{Project: project, Home: "/home/user", OS: "linux"},
		Start: func(*schema.Hook, process.Spec) func(context.Context) process.Result {
			ran = true
			return func(context.Context) process.Result { return process.Result{} }
		}}
	_, _, _ = b.Run(context.Background(), payload, h.Native)
	return ran
}

// A rule is a permission rule, such as Bash(git push:*), as people write it where their agent reads none.
type rule struct{ text, tool, argument string }

// readRule reads a permission rule; ok is false for any other text.
func readRule(text string) (r rule, ok bool) {
	tool, rest, opened := strings.Cut(text, "(")
	argument, closed := strings.CutSuffix(rest, ")")
	named := tool != "" && strings.Trim(tool, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-") == ""
	return rule{text, tool, argument}, opened && closed && named
}

// meant are subjects that a rule is meant for, one for each of its alternatives.
func (r rule) meant() (subjects []string) {
	for _, part := range strings.Split(r.argument, "|") {
		if bare := strings.TrimSuffix(part, ":*"); bare != part || strings.HasSuffix(part, " ") {
			part = strings.TrimSpace(bare) + " x"
		}
		subject := strings.NewReplacer("**/", "", "*", "x").Replace(part)
		if subject = strings.TrimSpace(subject); subject != "" {
			subjects = append(subjects, subject)
		}
	}
	return subjects
}

// forms are rules that may say the same of one alternative, so that the simulated agent can choose.
func (r rule) forms(part string) []string {
	part = strings.TrimSpace(part)
	return []string{r.tool + "(" + part + ")", r.tool + "(" + strings.TrimRight(part, " *:") + " *)",
		r.tool + "(" + strings.TrimRight(part, " *:") + ":*)"}
}

// bound are the conditions that bind a hook on a tool to what a rule is meant for, one for each alternative; nil if
// none that was tried does.
func bound(d dialect.Dialect, h *schema.Hook, tool string, r rule) (conditions []string) {
	subjects, parts := r.meant(), strings.Split(r.argument, "|")
	if len(subjects) != len(parts) {
		return nil
	}
	for i, part := range parts {
		one := *h
		one.Matcher, one.HasMatcher = tool, true
		form := slices.IndexFunc(r.forms(part), func(form string) bool {
			one.Condition = form
			return answers(d, &one, tool, subjects[i])
		})
		if form < 0 {
			return nil
		}
		conditions = append(conditions, r.forms(part)[form])
	}
	return conditions
}
