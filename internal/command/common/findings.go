package common

import (
	"strings"

	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// CommandOf returns the subject of a finding: the action of the hook, or the whole file.
func CommandOf(f *inspect.Finding) string {
	switch {
	case f.Hook == nil && f.Event != "":
		return wholeEvent
	case f.Hook == nil:
	case f.Hook.Handler == schema.HandlerCallback: // only its place is known
		return f.Hook.Handler.String() + " " + f.Path
	default:
		return What(f.Hook)
	}
	return wholeFile
}

const (
	wholeFile  = "(whole file)"
	wholeEvent = "(all hooks of this event)"
)

// ToFix introduces a fix, which may also be a question.
func ToFix(fix string) string {
	if strings.HasSuffix(fix, "?") || strings.HasPrefix(fix, "this is ") {
		return fix
	}
	return "fix: " + fix
}

// MatchedEvent returns the event of a finding, with the matcher of its hook.
func MatchedEvent(f *inspect.Finding) string {
	if f.Hook != nil && f.Hook.Matcher != "" {
		return f.Event + "(" + f.Hook.Matcher + ")"
	}
	return f.Event
}

// WithoutEvent cuts off the event at which a host doesn't call hookbridge, because one entry or one finding covers all
// events.
func WithoutEvent(p *inspect.Problem) (why, event string) {
	end := strings.LastIndexByte(p.Why, ' ') + 1
	if p.Code != schema.CodeNotCalled || !strings.HasSuffix(p.Why[:end], " at ") {
		return p.Why, ""
	}
	return p.Why[:end], p.Why[end:]
}

// StatusColor returns the color of a status.
func StatusColor(s inspect.HookStatus) string {
	switch s {
	case inspect.Reached, inspect.Excluded:
		return cli.Good
	case inspect.Pending, inspect.Weaker:
		return cli.Middle
	}
	return cli.Bad
}

// A ProblemDoc is a finding with doctor's details about it.
type ProblemDoc struct {
	Status inspect.HookStatus `json:"status"`
	Why    string             `json:"why"`
	schema.Diagnostic
	Accepted bool `json:"accepted"`
}

// ProblemDocs lists problems. accepted is nil without a list of accepted findings.
func ProblemDocs(f *inspect.Finding, accepted func(*inspect.Problem) bool) []ProblemDoc {
	return lists.Map(f.Problems, func(p inspect.Problem) ProblemDoc {
		d := DiagnosticOf(f, &p, p.Why)
		d.Fix = d.Remedy()
		return ProblemDoc{p.Status, p.Why, d, accepted != nil && accepted(&p)}
	})
}

// DiagnosticOf converts a problem into a finding like all others.
func DiagnosticOf(f *inspect.Finding, p *inspect.Problem, message string) schema.Diagnostic {
	return schema.Diagnostic{Code: p.Code, Severity: p.Severity, File: f.File, Path: f.Path, Line: f.Line, Col: f.Col,
		Event: f.Event, Message: message, Fix: p.Fix}
}

// What returns the command of a hook, or the text that it has instead.
func What(h *schema.Hook) string { return h.Text() }
