package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

// An acceptedLine is a finding that was looked at. It says what the finding is about
// by its content, so that it stays with its hook when others come or go.
type acceptedLine struct {
	place  string // FILE:LINE that it is from
	text   string
	status string
	host   string
	rest   []string
	used   bool
}

// acceptedForm is how hookbridge.yaml names a finding.
const acceptedForm = "a finding is STATUS HOST COMMAND, or a line as hookbridge doctor --verbose prints it"

// parseAccepted reads a line as the table prints it; what follows two blanks and
// a # is for people.
func parseAccepted(text string) (*acceptedLine, bool) {
	text, _, _ = strings.Cut(text, "  #")
	words := strings.Fields(text)
	if len(words) < 3 {
		return nil, false
	}
	return &acceptedLine{text: strings.Join(words, " "), status: words[0], host: words[1], rest: words[2:]}, true
}

// A review is what a team has accepted of the findings in a project.
type review struct {
	at    schema.Places
	lines []*acceptedLine
}

// readProject reads what hookbridge.yaml accepts.
func (r *review) readProject(file *projectfile.File) error {
	for _, a := range file.Accept {
		line, ok := parseAccepted(a.Finding)
		if !ok {
			return file.Mistake(a.Line, a.Col, acceptedForm)
		}
		line.place = fmt.Sprintf("hookbridge.yaml:%d", a.Line)
		r.lines = append(r.lines, line)
	}
	return nil
}

// readFile reads a file of accepted findings, a line each.
func (r *review) readFile(name string) error {
	text, err := discover.Read(name)
	if err != nil {
		return err
	}
	for i, s := range strings.Split(string(text), "\n") {
		if s = strings.TrimSpace(s); s == "" || s[0] == '#' {
			continue
		}
		line, ok := parseAccepted(s)
		if !ok {
			return fmt.Errorf("%s:%d: want STATUS HOST FILE EVENT COMMAND, as hookbridge doctor --verbose prints it",
				name, i+1)
		}
		line.place = fmt.Sprintf("%s:%d", name, i+1)
		r.lines = append(r.lines, line)
	}
	return nil
}

// inProject is a file as it is named from the project's root.
func (r *review) inProject(file string) string { return relative(r.at.Project, "", file) }

// inHome is a file as people write it: from the project's root, or with ~.
func (r *review) inHome(file string) string {
	return relative(r.at.Project, r.at.Home, file)
}

// fails reports whether a hook has a fault that nobody accepted.
func (r *review) fails(f inspect.Finding) bool {
	return !f.OthersOwn && slices.ContainsFunc(f.Problems, func(p inspect.Problem) bool {
		return f.Fails(p) && !r.accepts(&f, &p)
	})
}

// accepts reports whether a problem of a hook is listed.
func (r *review) accepts(f *inspect.Finding, p *inspect.Problem) (ok bool) {
	for _, a := range r.lines {
		if a.status == p.Status.String() && a.host == f.Host && a.fits(r, f) {
			a.used, ok = true, true
		}
	}
	return ok
}

// fits reports whether a line means a hook: by its command, with or without its event
// and its file. A line number doesn't count.
func (a *acceptedLine) fits(r *review, f *inspect.Finding) bool {
	what := strings.Fields(commandOf(f))
	event := strings.Fields(matchedEvent(f))
	for _, file := range []string{r.inProject(f.File), r.inHome(f.File)} {
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

// unguarded lists the guards of the project that never run under a host, as things are installed, or only by the host's
// own import, and reports whether there are others that somebody has accepted.
func (r *review) unguarded(d adapter.Dialect, file *projectfile.File, trusted trust.Records) (found []inspect.Finding,
	accepted bool, err error) {
	imports, err := inspect.StatedImports(file, d)
	if err != nil {
		return nil, false, err
	}
	what := inspect.Examined{Imports: imports, Trusted: trusted, From: desk().Dir}
	for _, f := range inspect.Examine(d, r.at, what) {
		never := func(p inspect.Problem) bool {
			imported := p.Status == inspect.Weaker && (p.Code == schema.CodeForeignImport ||
				p.Code == schema.CodeUntrusted)
			return f.Fails(p) && (p.Status == inspect.Never || imported)
		}
		if f.OthersOwn || f.Hook == nil || !slices.ContainsFunc(f.Problems, never) {
			continue
		}
		f.Problems = slices.DeleteFunc(f.Problems, func(p inspect.Problem) bool {
			return !never(p) || r.accepts(&f, &p)
		})
		if accepted = accepted || len(f.Problems) == 0; len(f.Problems) > 0 {
			found = append(found, f)
		}
	}
	return found, accepted, nil
}

// notRun says for each agent which guards of the project it doesn't run, and why, without the problems that are known
// and those that are accepted. What is wrong in hookbridge.yaml is reported elsewhere.
func notRun(at schema.Places, hosts []adapter.Dialect, trusted trust.Records,
	known func(*inspect.Finding, *inspect.Problem) bool) (notes []string) {
	file, err := loadProjectFile(at.Project)
	r := &review{at: at}
	if err == nil {
		err = r.readProject(file)
	}
	if err != nil {
		return nil
	}
	for _, d := range hosts {
		found, _, _ := r.unguarded(d, file, trusted)
		found = slices.DeleteFunc(found, func(f inspect.Finding) bool {
			return !slices.ContainsFunc(f.Problems, func(p inspect.Problem) bool { return !known(&f, &p) })
		})
		if len(found) == 0 {
			continue
		}
		p := found[0].Problems[slices.IndexFunc(found[0].Problems, func(p inspect.Problem) bool {
			return !known(&found[0], &p)
		})]
		notes = append(notes, fmt.Sprintf("%s doesn't run %s of the project: %s: %s; %s", d.Profile().Title,
			counted(len(found), "hook"), p.Code, p.Why, toFix(p.Remedy())))
	}
	return notes
}
