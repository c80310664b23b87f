package common

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

// An acceptedLine is a finding that a person has accepted. It names the finding by its content, so that it stays with
// its hook when others are added or removed.
type acceptedLine struct {
	Place  string // FILE:LINE of the acceptance
	Text   string
	status string
	Host   string
	rest   []string
	Used   bool
}

// acceptedForm describes the form of a finding in hookbridge.yaml.
const acceptedForm = "a finding is STATUS HOST COMMAND, or a line as hookbridge doctor --verbose prints it"

// parseAccepted reads a line in the form that the table prints. Text after two blanks and a # is for people.
func parseAccepted(text, place string) (*acceptedLine, bool) {
	text, _, _ = strings.Cut(text, "  #")
	words := strings.Fields(text)
	if len(words) < 3 {
		return nil, false
	}
	return &acceptedLine{Place: place, Text: strings.Join(words, " "), status: words[0], Host: words[1],
		rest: words[2:]}, true
}

// A Review has the findings that a team has accepted in a project.
type Review struct {
	At    schema.Places
	Lines []*acceptedLine
}

// ReadProject reads the accepted findings in hookbridge.yaml.
func (r *Review) ReadProject(file *projectfile.File) error {
	for _, a := range file.Accept {
		line, ok := parseAccepted(a.Finding, cli.AtLine(projectfile.Name, a.Line))
		if !ok {
			return file.Mistake(a.Line, a.Col, acceptedForm)
		}
		r.Lines = append(r.Lines, line)
	}
	return nil
}

// ReadFile reads a file of accepted findings, one per line.
func (r *Review) ReadFile(name string) error {
	text, err := discover.Read(name)
	if err != nil {
		return err
	}
	for i, s := range strings.Split(string(text), "\n") {
		if s = strings.TrimSpace(s); s == "" || s[0] == '#' {
			continue
		}
		line, ok := parseAccepted(s, cli.AtLine(name, i+1))
		if !ok {
			return errors.New(cli.AtLine(name, i+1) +
				": want STATUS HOST FILE EVENT COMMAND, as hookbridge doctor --verbose prints it")
		}
		r.Lines = append(r.Lines, line)
	}
	return nil
}

// InProject returns a file's path from the project's root.
func (r *Review) InProject(file string) string { return cli.Relative(r.At.Project, "", file) }

// InHome returns a file as people write it: from the project's root, or with ~.
func (r *Review) InHome(file string) string {
	return cli.Relative(r.At.Project, r.At.Home, file)
}

// Fails reports whether a hook has a fault that no one has accepted.
func (r *Review) Fails(f inspect.Finding) bool {
	return !f.OthersOwn && slices.ContainsFunc(f.Problems, func(p inspect.Problem) bool {
		return f.Fails(p) && !r.Accepts(&f, &p)
	})
}

// Accepts reports whether a problem of a hook is listed.
func (r *Review) Accepts(f *inspect.Finding, p *inspect.Problem) (ok bool) {
	for _, a := range r.Lines {
		if a.status == p.Status.String() && a.Host == f.Host && a.fits(r, f) {
			a.Used, ok = true, true
		}
	}
	return ok
}

// fits reports whether a line means a hook, by its command, with or without its event and its file. A line number
// doesn't count.
func (a *acceptedLine) fits(r *Review, f *inspect.Finding) bool {
	what := strings.Fields(CommandOf(f))
	event := strings.Fields(MatchedEvent(f))
	for _, file := range []string{r.InProject(f.File), r.InHome(f.File)} {
		for _, want := range [][]string{what, slices.Concat(event, what), slices.Concat([]string{file}, what),
			slices.Concat([]string{file}, event, what)} {
			have := slices.Clone(a.rest)
			if i := strings.LastIndex(have[0], ":"); i >= 0 && strings.Trim(have[0][i+1:], "0123456789") == "" {
				have[0] = have[0][:i]
			}
			if slices.Equal(have, want) {
				return true
			}
		}
	}
	return false
}

// Unguarded lists the guards of the project that never run under a host as installed, or run only through the host's
// own import. accepted reports whether others are accepted.
func (r *Review) Unguarded(d adapter.Dialect, file *projectfile.File, trusted trust.Records) (found []inspect.Finding,
	accepted bool, err error) {
	imports, err := inspect.StatedImports(file, d)
	if err != nil {
		return nil, false, err
	}
	what := inspect.Examined{Imports: imports, Trusted: trusted, From: cli.Desk().Dir, File: file}
	for _, f := range inspect.Examine(d, r.At, what) {
		never := func(p inspect.Problem) bool {
			imported := p.Status == inspect.Weaker && (p.Code == schema.CodeForeignImport ||
				p.Code == schema.CodeUntrusted)
			return f.Fails(p) && (p.Status == inspect.Never || imported)
		}
		if f.OthersOwn || f.Hook == nil || !slices.ContainsFunc(f.Problems, never) {
			continue
		}
		f.Problems = slices.DeleteFunc(f.Problems, func(p inspect.Problem) bool {
			return !never(p) || r.Accepts(&f, &p)
		})
		if accepted = accepted || len(f.Problems) == 0; len(f.Problems) > 0 {
			found = append(found, f)
		}
	}
	return found, accepted, nil
}

// NotRun reports for each agent which guards of the project it doesn't run, and why, except known and accepted
// problems. Mistakes in hookbridge.yaml are reported elsewhere.
func NotRun(at schema.Places, hosts []adapter.Dialect, trusted trust.Records,
	known func(*inspect.Finding, *inspect.Problem) bool) (notes []string) {
	file, err := LoadProjectFile(at.Project)
	r := &Review{At: at}
	if err == nil {
		err = r.ReadProject(file)
	}
	if err != nil {
		return nil
	}
	for _, d := range hosts {
		found, _, _ := r.Unguarded(d, file, trusted)
		var problems []inspect.Problem // the first one of each hook
		for i := range found {
			f := &found[i]
			if j := slices.IndexFunc(f.Problems, func(p inspect.Problem) bool { return !known(f, &p) }); j >= 0 {
				problems = append(problems, f.Problems[j])
			}
		}
		if len(problems) == 0 {
			continue
		}

		first, n := problems[0], 0
		for _, p := range problems {
			if p.Code == first.Code && p.Fix == first.Fix {
				n++
			}
		}
		does := " doesn't run "
		if first.Status != inspect.Never {
			does = " doesn't call hookbridge for "
		}
		why := first.Why
		if n > 1 { // at several events
			why, _ = WithoutEvent(&first)
		}
		note := fmt.Sprintf("%s%s%s of the project: %s: %s; %s", d.Profile().Title, does, cli.Counted(n, "hook"),
			first.Code, strings.TrimSuffix(why, " at "), ToFix(first.Remedy()))
		if more := len(problems) - n; more > 0 {
			note += fmt.Sprintf("; %d more for other reasons, see hookbridge doctor", more)
		}
		notes = append(notes, note)
	}
	return notes
}
