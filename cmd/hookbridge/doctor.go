package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

// doctorFlags is the command line of doctor.
type doctorFlags struct {
	runFlags
	json   bool
	accept string
	only   string
}

func (f *doctorFlags) define(fs *flags) {
	f.ask, f.hooks = "deny", "claude"
	fs.text(&f.host, "host", "", "D", "the host to look at (default: every one that has hooks of its own here)")
	fs.text(&f.only, "hooks", "", "D", "only the hooks of this agent (default: of every one)")
	fs.yes(&f.json, "json", "one JSON array")
	fs.many(&f.configs, "config", "FILE", "a file of the host's that is loaded beside those that it finds: for qoder-sdk, its options\nas JSON; may be repeated")
	fs.text(&f.module, "module", "", "FILE", "tell it of the callbacks of a Qoder Agent SDK module too; it is loaded by node")
	fs.text(&f.accept, "accept", "", "FILE", "accepted findings, a line each as the table prints them:\nSTATUS HOST FILE PATH")
	f.definePlaces(fs)
}

func doctorCommand(args []string, std stdio) int {
	f := &doctorFlags{}
	fs := newFlags("doctor")
	f.define(fs)
	err := fs.only(args)
	if err == nil {
		err = projectIsThere(f.project)
	}
	var b *bridge.Bridge
	if err == nil {
		b, err = f.bridge()
	}
	if err != nil {
		return failed(std, "doctor", err)
	}
	accepted, err := readAccepted(f.accept)
	if err != nil {
		fmt.Fprintf(std.err, "hookbridge doctor: %v\n", err)
		return exitFail
	}
	found, err := f.examine(b)
	if errors.As(err, new(errUsage)) {
		return failed(std, "doctor", err)
	}
	if err != nil {
		fmt.Fprintf(std.err, "hookbridge doctor: %s\n", schema.Printable(err.Error()))
		return exitFail
	}
	if len(found) == 0 {
		fmt.Fprintf(std.err, "hookbridge doctor: no hooks in %s or the user's folder, so there is nothing to examine; "+
			"name the project with --project DIR\n", schema.Printable(b.Places.Project))
		return exitFail
	}
	for i := range found {
		if rel, err := filepath.Rel(b.Places.Project, found[i].File); err == nil && !strings.HasPrefix(rel, "..") {
			found[i].File = filepath.ToSlash(rel)
		}
	}
	if f.json {
		std.out.Write(append(findingsJSON(found, accepted), '\n'))
	} else {
		printFindings(std.out, found, accepted)
	}
	for _, x := range found {
		if fails(x, accepted) {
			return exitFail
		}
	}
	return exitOK
}

// fails reports whether a hook has a problem that nobody accepted and that fails
// the examination.
func fails(f inspect.Finding, accepted map[string]bool) bool {
	for _, p := range problems(f) {
		f.Status = p.Status
		if p.Status >= inspect.Twice && !accepted[key(f)] {
			return true
		}
	}
	return false
}

// problems lists all that is wrong with a hook, worst first.
func problems(f inspect.Finding) []inspect.Problem {
	return append([]inspect.Problem{{Status: f.Status, Why: f.Why, Fix: f.Fix}}, f.Also...)
}

// examine looks at the host, or at each that has hooks of its own here.
func (f *doctorFlags) examine(b *bridge.Bridge) (found []inspect.Finding, err error) {
	hosts := adapter.Dialects()
	if b.Host != nil {
		hosts = []adapter.Dialect{b.Host}
	}
	if f.only != "" {
		d, err := findDialect("--hooks", f.only)
		if err != nil {
			return nil, err
		}
		f.only = d.Profile().Name
	}
	file, err := loadProjectFile(b.Places.Project)
	if err != nil {
		return nil, err
	}
	for _, d := range hosts {
		if b.Host == nil && !present(d, b) {
			continue
		}
		what := inspect.Examined{Given: f.configs, Hooks: f.only}
		switch value := file.Fact(d.Profile().Name, inspect.ImportFact); value {
		case "":
		case "on", "true":
			what.Imports = inspect.ImportOn
		case "off", "false":
			what.Imports = inspect.ImportOff
		default:
			return nil, fmt.Errorf("%s: facts: %s: %s is on or off, not %q", projectfile.Name, d.Profile().Name, inspect.ImportFact, value)
		}
		found = append(found, inspect.Examine(d, b.Places, what)...)
		if f.module != "" {
			cfg, ds := readModule(b.Hooks, f.module, b.Places.Project)
			found = append(found, inspect.ExamineModule(d, b.Hooks, cfg, ds, b.Places)...)
		}
	}
	return found, nil
}

// present reports whether an agent has a hook file here.
func present(d adapter.Dialect, b *bridge.Bridge) bool {
	res, ds := discover.Load(d, b.Places, nil)
	return len(res.Configs) > 0 || len(ds) > 0
}

func key(f inspect.Finding) string {
	return f.Status.String() + " " + f.Host + " " + f.File + " " + f.Path
}

// readAccepted reads the list of reviewed findings; the first four words of a
// line count, # starts a comment.
func readAccepted(file string) (map[string]bool, error) {
	list := map[string]bool{}
	if file == "" {
		return list, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for i, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case len(words) < 4:
			return nil, fmt.Errorf("%s:%d: want STATUS HOST FILE PATH", file, i+1)
		default:
			list[strings.Join(words[:4], " ")] = true
		}
	}
	return list, nil
}

func printFindings(w io.Writer, found []inspect.Finding, accepted map[string]bool) {
	counts := map[inspect.Standing]int{}
	for _, f := range found {
		counts[f.Status]++
		line := fmt.Sprintf("%-7s %-6s %s %s", f.Status, f.Host, f.File, cmp.Or(f.Path, "/"))
		if f.Why != "" {
			line += "  # " + f.Why
		}
		if f.Fix != "" {
			line += "; " + f.Fix
		}
		for _, p := range f.Also {
			line += " | " + p.Status.String() + ": " + p.Why
			if p.Fix != "" {
				line += "; " + p.Fix
			}
		}
		if accepted[key(f)] {
			line += " (accepted)"
		}
		fmt.Fprintln(w, schema.Printable(line))
	}
	fmt.Fprintf(w, "%d reached, %d weaker, %d twice, %d never\n", counts[inspect.Reached], counts[inspect.Weaker], counts[inspect.Twice], counts[inspect.Never])
}

func findingsJSON(found []inspect.Finding, accepted map[string]bool) []byte {
	out := []byte{'['}
	for i, f := range found {
		if i > 0 {
			out = append(out, ',')
		}
		w := ordjson.NewWriter(out)
		w.String("host", f.Host)
		w.String("hooks", f.Hooks)
		w.String("file", f.File)
		w.String("path", f.Path)
		w.Int("line", int64(f.Line))
		w.String("event", f.Event)
		w.String("status", f.Status.String())
		w.String("why", f.Why)
		w.String("fix", f.Fix)
		w.Bool("accepted", accepted[key(f)])
		w.Raw("problems", problemsJSON(f))
		out = w.Bytes()
	}
	return append(out, ']')
}

func problemsJSON(f inspect.Finding) []byte {
	out := []byte{'['}
	for i, p := range problems(f) {
		if i > 0 {
			out = append(out, ',')
		}
		w := ordjson.NewWriter(out)
		w.String("status", p.Status.String())
		w.String("why", p.Why)
		w.String("fix", p.Fix)
		out = w.Bytes()
	}
	return append(out, ']')
}
