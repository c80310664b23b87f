package main

import (
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/schema"
)

// commandOf is what a finding is about: what the hook does, or the whole file.
func commandOf(f *inspect.Finding) string {
	switch {
	case f.Hook == nil && f.Event != "":
		return wholeEvent
	case f.Hook == nil:
	case f.Hook.Handler == schema.HandlerCallback: // its place is all that is known of it
		return f.Hook.Handler.String() + " " + f.Path
	default:
		return what(f.Hook)
	}
	return wholeFile
}

const (
	wholeFile  = "(whole file)"
	wholeEvent = "(all hooks of this event)"
)

// toFix leads a fix, which may also be a question.
func toFix(fix string) string {
	if strings.HasSuffix(fix, "?") || strings.HasPrefix(fix, "this is ") {
		return fix
	}
	return "fix: " + fix
}

func matchedEvent(f *inspect.Finding) string {
	if f.Hook != nil && f.Hook.Matcher != "" {
		return f.Event + "(" + f.Hook.Matcher + ")"
	}
	return f.Event
}

func statusColor(s inspect.HookStatus) string {
	switch s {
	case inspect.Reached:
		return good
	case inspect.Pending, inspect.Weaker:
		return middle
	}
	return bad
}

// A problemDoc is a finding with what doctor knows of it beside.
type problemDoc struct {
	Status inspect.HookStatus `json:"status"`
	Why    string             `json:"why"`
	schema.Diagnostic
	Accepted bool `json:"accepted"`
}

// problemDocs lists problems; accepted is nil where there is no list of accepted ones.
func problemDocs(f *inspect.Finding, accepted func(*inspect.Problem) bool) []problemDoc {
	return each(f.Problems, func(p inspect.Problem) problemDoc {
		d := diagnosticOf(f, &p, p.Why)
		d.Fix = d.Remedy()
		return problemDoc{p.Status, p.Why, d, accepted != nil && accepted(&p)}
	})
}

// diagnosticOf is a problem in the shape of every other finding.
func diagnosticOf(f *inspect.Finding, p *inspect.Problem, message string) schema.Diagnostic {
	return schema.Diagnostic{Code: p.Code, Severity: p.Severity, File: f.File, Path: f.Path, Line: f.Line, Col: f.Col,
		Event: f.Event, Message: message, Fix: p.Fix}
}

// what is the command of a hook, or what it has instead.
func what(h *schema.Hook) string {
	switch h.Handler {
	case schema.HandlerCommand:
		return strings.Join(append([]string{h.Command}, h.Args...), " ")
	case schema.HandlerHTTP:
		return "POST " + h.URL
	case schema.HandlerPrompt, schema.HandlerAgent:
		return h.Handler.String() + " " + strconv.Quote(h.Prompt)
	}
	return h.Handler.String() + " " + h.Server + " " + h.ToolRef
}
