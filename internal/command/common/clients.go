package common

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// clientPatience is how long all clients together may take to print their versions. Some need seconds to start.
const clientPatience = 5 * time.Second

// clientVersions are the versions of the agents' clients on this machine, by agent.
type clientVersions map[string]string

// AskClients runs the clients of the agents to get their versions. It leaves out clients that are missing, are in the
// project or don't answer in time: a repository must not bring a program that hookbridge starts.
func AskClients(hosts []adapter.Dialect, places schema.Places) clientVersions {
	var names []string
	var specs []process.Spec
	for _, d := range hosts {
		p := d.Profile()
		if p.Asked() == "" || p.Pinned() {
			continue
		}
		file := simulate.LookPath(p.Asked(), places.Env.Get("PATH"))
		if !filepath.IsAbs(file) || owned(places, file) {
			continue
		}
		names = append(names, p.Name)
		specs = append(specs, process.Spec{Argv: []string{file, "--version"}, Dir: places.Home, Env: places.Env,
			Timeout: clientPatience, MaxOutput: 4096})
	}
	found := clientVersions{}
	for i, r := range process.RunAll(context.Background(), specs) {
		if v := versionWord(string(r.Stdout)); r.Exit == 0 && v != "" {
			found[names[i]] = v
		}
	}
	return found
}

// versionWord returns the first word of a text that is a dotted version, or "". The commit that a version was built
// from isn't part of it.
func versionWord(text string) string {
	for _, word := range strings.Fields(text) {
		word = strings.Trim(word, "v.,()")
		version, commit, _ := strings.Cut(word, "-")
		if len(commit) >= 7 && strings.Trim(commit, "0123456789abcdef") == "" {
			word = version
		}
		digits := strings.Trim(word, "0123456789.") == ""
		if digits && strings.Contains(word, ".") && len(word) < 30 {
			return word
		}
	}
	return ""
}

// Note names the clients with another version than those that the tables were checked with.
func (c clientVersions) Note(w io.Writer, hosts []adapter.Dialect) {
	for _, d := range hosts {
		p := d.Profile()
		known := p.CheckedWith()
		if found := c[p.Name]; found != "" && len(known) > 0 && !slices.Contains(known, found) {
			fmt.Fprintf(w, "hookbridge: note: checked with %s %s, yours is %s\n", p.Title, known[0], found)
		}
	}
}

// owned reports whether a file is in the project.
func owned(places schema.Places, file string) bool {
	ground := trust.Ground{Places: places}
	return ground.Owns(file)
}

// clientsFile returns the file in which install records the versions for status, next to the record of trust, or "".
func clientsFile(places schema.Places) string {
	records := trust.RecordsIn(places.Env, places.Home)
	for _, file := range []string{records.Moved, records.File} {
		if file != "" {
			return filepath.Join(filepath.Dir(file), "clients")
		}
	}
	return ""
}

// Record adds the versions to those of other agents already recorded, one per line.
func (c clientVersions) Record(places schema.Places) error {
	file := clientsFile(places)
	if len(c) == 0 || file == "" || owned(places, file) {
		return nil
	}
	all := RecordedClients(places)
	for name, version := range c {
		all[name] = version
	}
	var lines []string
	for name, version := range all {
		lines = append(lines, name+" "+version+"\n")
	}
	slices.Sort(lines)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(strings.Join(lines, "")), 0o600)
}

// RecordedClients reads the versions that Record wrote. It ignores a file in the project, or one that others could have
// written.
func RecordedClients(places schema.Places) clientVersions {
	file, found := clientsFile(places), clientVersions{}
	if file == "" || owned(places, file) {
		return found
	}
	text, err := state.ReadOwn(file)
	if err != nil {
		return found
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if name, version, ok := strings.Cut(line, " "); ok && versionWord(version) == version {
			found[name] = version
		}
	}
	return found
}
