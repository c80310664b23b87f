package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

const doctorUsage = `usage: hookbridge doctor [--host D] [--json] [--accept FILE] [--project DIR] [--home DIR]

Tells for every hook that a known agent would load in this project how it stands with a
host: reached, weaker, twice or never, and why. Without --host: every host that has hooks
of its own here. FILE lists accepted findings, a line each as the table prints them:
STATUS HOST FILE PATH.

Exit status: 0 no hook fires twice or never (but for accepted ones), 1 some do, 64 wrong usage.
`

func doctorCommand(args []string, std stdio) int {
	f := runFlags{ask: "deny", hooks: "claude"}
	fs := flag.NewFlagSet("doctor", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&f.host, "host", "", "")
	fs.StringVar(&f.project, "project", ".", "")
	fs.StringVar(&f.home, "home", "", "")
	asJSON := fs.Bool("json", false, "")
	accept := fs.String("accept", "", "")
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		io.WriteString(std.out, doctorUsage)
		return exitOK
	}
	var b *adapter.Bridge
	if err == nil && fs.NArg() > 0 {
		err = errUsage{"nothing beside the flags"}
	}
	if err == nil {
		b, err = f.bridge()
	}
	if err != nil {
		fmt.Fprintf(std.err, "hookbridge doctor: %v\n", err)
		return exitUsage
	}
	accepted, err := readAccepted(*accept)
	if err != nil {
		fmt.Fprintf(std.err, "hookbridge doctor: %v\n", err)
		return exitFail
	}
	var found []adapter.Finding
	for _, d := range adapter.Dialects() {
		if b.Host != nil && d.Name() == b.Host.Name() || b.Host == nil && present(d, b) {
			found = append(found, adapter.Examine(d, b.Places)...)
		}
	}
	for i := range found {
		if rel, err := filepath.Rel(b.Places.Project, found[i].File); err == nil && !strings.HasPrefix(rel, "..") {
			found[i].File = filepath.ToSlash(rel)
		}
	}
	if *asJSON {
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
		fmt.Fprintf(w, "%-7s %-6s %s %s", f.Status, f.Host, f.File, or(f.Path, "/"))
		if f.Why != "" {
			fmt.Fprintf(w, "  # %s", f.Why)
		}
		if f.Fix != "" {
			fmt.Fprintf(w, "; %s", f.Fix)
		}
		if accepted[key(f)] {
			fmt.Fprint(w, " (accepted)")
		}
		fmt.Fprintln(w)
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
