package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// doctorFlags is the command line of doctor.
type doctorFlags struct {
	runFlags
	json   bool
	accept string
}

func (f *doctorFlags) define(fs *flags) {
	f.ask, f.hooks = "deny", "claude"
	fs.text(&f.host, "host", "", "D", "the host to look at (default: every one that has hooks of its own here)")
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
	var b *adapter.Bridge
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
	found := f.examine(b)
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
		if x.Status >= adapter.Twice && !accepted[key(x)] {
			return exitFail
		}
	}
	return exitOK
}

// examine looks at the host, or at each that has hooks of its own here.
func (f *doctorFlags) examine(b *adapter.Bridge) (found []adapter.Finding) {
	hosts := adapter.Dialects()
	if b.Host != nil {
		hosts = []adapter.Dialect{b.Host}
	}
	for _, d := range hosts {
		if b.Host == nil && !present(d, b) {
			continue
		}
		found = append(found, adapter.Examine(d, b.Places, f.configs...)...)
		if f.module != "" {
			cfg, ds := readModule(b.Hooks, f.module, b.Places.Project)
			found = append(found, adapter.ExamineModule(d, b.Hooks, cfg, ds, b.Places)...)
		}
	}
	return found
}

// present reports whether an agent has a hook file here.
func present(d adapter.Dialect, b *adapter.Bridge) bool {
	res, ds := discover.Load(d, b.Places, nil)
	return len(res.Configs) > 0 || len(ds) > 0
}

func key(f adapter.Finding) string {
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

func printFindings(w io.Writer, found []adapter.Finding, accepted map[string]bool) {
	counts := map[adapter.Standing]int{}
	for _, f := range found {
		counts[f.Status]++
		line := fmt.Sprintf("%-7s %-6s %s %s", f.Status, f.Host, f.File, cmp.Or(f.Path, "/"))
		if f.Why != "" {
			line += "  # " + f.Why
		}
		if f.Fix != "" {
			line += "; " + f.Fix
		}
		if accepted[key(f)] {
			line += " (accepted)"
		}
		fmt.Fprintln(w, schema.Printable(line))
	}
	fmt.Fprintf(w, "%d reached, %d weaker, %d twice, %d never\n", counts[adapter.Reached], counts[adapter.Weaker], counts[adapter.Twice], counts[adapter.Never])
}

func findingsJSON(found []adapter.Finding, accepted map[string]bool) []byte {
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
		out = w.Bytes()
	}
	return append(out, ']')
}
