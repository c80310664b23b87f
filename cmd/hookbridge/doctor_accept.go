package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/internal/discover"
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
const acceptedForm = "a finding is STATUS HOST COMMAND, or a line as hookbridge doctor prints it"

// readAccepted reads the file of --accept and what hookbridge.yaml lists.
func (x *doctor) readAccepted() error {
	for _, a := range x.file.Accept {
		line, ok := parseAccepted(a.Finding)
		if !ok {
			return x.file.Mistake(a.Line, a.Col, acceptedForm)
		}
		line.place = fmt.Sprintf("hookbridge.yaml:%d", a.Line)
		x.accepted = append(x.accepted, line)
	}
	if x.flags.accept == "" {
		return nil
	}
	text, err := discover.Read(x.flags.accept)
	if err != nil {
		return err
	}
	for i, s := range strings.Split(string(text), "\n") {
		if s = strings.TrimSpace(s); s == "" || s[0] == '#' {
			continue
		}
		line, ok := parseAccepted(s)
		if !ok {
			return fmt.Errorf("%s:%d: want STATUS HOST FILE EVENT COMMAND, as hookbridge doctor prints it", x.flags.accept, i+1)
		}
		line.place = fmt.Sprintf("%s:%d", x.flags.accept, i+1)
		x.accepted = append(x.accepted, line)
	}
	return nil
}

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

// accepts reports whether a problem of a hook is listed.
func (x *doctor) accepts(f *inspect.Finding, p *inspect.Problem) (ok bool) {
	for _, a := range x.accepted {
		if a.status == p.Status.String() && a.host == f.Host && a.fits(x, f) {
			a.used, ok = true, true
		}
	}
	return ok
}

// fits reports whether a line means a hook: by its command, with or without its event
// and its file. A line number doesn't count.
func (a *acceptedLine) fits(x *doctor, f *inspect.Finding) bool {
	what := strings.Fields(commandOf(f))
	event := strings.Fields(matchedEvent(f))
	for _, file := range []string{x.inProject(f.File), x.inHome(f.File)} {
		for _, want := range [][]string{what, slices.Concat(event, what), slices.Concat([]string{file}, what), slices.Concat([]string{file}, event, what)} {
			have := slices.Clone(a.rest)
			if name, line, ok := cutLast(have[0], ":"); ok && strings.Trim(line, "0123456789") == "" {
				have[0] = name
			}
			if slices.Equal(have, want) {
				return true
			}
		}
	}
	return false
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// printStale reports accepted findings that are not found any more.
func (x *doctor) printStale(w io.Writer) {
	if x.flags.only != "" {
		return
	}
	for i := range x.found {
		for j := range x.found[i].Problems {
			x.accepts(&x.found[i], &x.found[i].Problems[j])
		}
	}
	for _, a := range x.accepted {
		examined := slices.ContainsFunc(x.hosts, func(d adapter.Dialect) bool { return d.Profile().Name == a.host })
		if _, err := adapter.Find(a.host); !a.used && (examined || err != nil) {
			fmt.Fprintln(w, schema.Printable("hookbridge doctor: note: "+a.place+": no such finding any more, remove the line: "+a.text))
		}
	}
}
