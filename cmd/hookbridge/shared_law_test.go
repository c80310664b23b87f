package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSharedLaw generates projects in which several agents' files start one script with different spellings. Under each
// host, doctor must report the hooks as called twice if, and only if, a call runs the script more than once.
func TestSharedLaw(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the hooks are shell commands")
	}
	n := int64(24)
	switch {
	case os.Getenv("HOOKBRIDGE_LONG") != "":
		n = 60
	case testing.Short():
		n = 8
	}
	once, more, left, imported := 0, 0, 0, 0
	for seed := range n {
		p := newShared(t, rand.New(rand.NewSource(seed)))
		o, m, l, i := p.judgeShared(t, fmt.Sprintf("seed %d: %s", seed, strings.Join(p.story, ", ")))
		once, more, left, imported = once+o, more+m, left+l, imported+i
	}
	t.Logf("%d projects: one run of the script in %d hosts, more in %d; with choices still in %d", n, once, more, left)
	if once == 0 || more == 0 || left >= more || imported > int(n)/20 {
		t.Errorf("nothing was compared, or what doctor proposes changes nothing in %d projects", imported)
	}
}

// noObjection is what the script prints. An agent may deny a call if a hook says nothing about it, so the first run of
// the script would end the call.
const noObjection = `{"decision":"allow"}`

// spellings start one script of a project.
var spellings = []string{"./scripts/note.sh", "scripts/note.sh", "sh scripts/note.sh", "bash ./scripts/note.sh",
	"PROJECT/scripts/note.sh", "sh 'PROJECT/scripts/note.sh'", `"$(git rev-parse --show-toplevel)/scripts/note.sh"`}

// A sharedProject has one script, and the agents with files that start it.
type sharedProject struct {
	lawProject
	agents   []adapter.Dialect
	yaml     string          // the first lines of hookbridge.yaml
	installs [][]string      // arguments of install, for each agent
	ran      map[string]bool // the hosts and calls for which the script has run
}

func newShared(t *testing.T, r *rand.Rand) *sharedProject {
	dir := t.TempDir()
	p := &sharedProject{lawProject: lawProject{dir: dir, start: filepath.Join(dir, "main")}}
	t.Setenv("HOME", filepath.Join(dir, "home"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "home", ".config"))
	p.write(t, "home/x", "")
	p.write(t, "main/.git/HEAD", "ref: refs/heads/main\n")
	p.write(t, "main/.git/objects/x", "")
	p.write(t, "main/.git/refs/x", "")
	p.write(t, "main/a.txt", "hello\n")
	p.write(t, "main/scripts/note.sh", "#!/bin/sh\necho ran >> "+dir+"/ran\necho '"+noObjection+"'\n")
	t.Chdir(p.start)

	owners := adapter.Where(func(d adapter.Dialect) bool {
		return p.fileOf(d, p.start) != "" && d.Profile().HostOnly == ""
	})
	r.Shuffle(len(owners), func(i, j int) { owners[i], owners[j] = owners[j], owners[i] })
	p.agents = owners[:2+r.Intn(2)]
	event := schema.PreTool
	if r.Intn(4) == 0 {
		event = schema.PostTool
	}
	var names []string
	for _, d := range p.agents {
		names = append(names, d.Profile().Name)
		p.write(t, "main/"+p.short(d), p.note(d, event, r))
	}
	p.yaml = "facts: {cursor: {third-party-imports: off}}\nagents: [" + strings.Join(names, ", ") + "]\n"
	p.write(t, "main/hookbridge.yaml", p.yaml)
	for _, name := range names {
		args := []string{"--host", name}
		if r.Intn(4) == 0 { // as doctor advises
			other := names[r.Intn(len(names))]
			p.say(name + " has the hooks of " + other)
			args = append(args, "--hooks", other)
		}
		p.installs = append(p.installs, args)
		p.command("install", args...)
	}
	return p
}

// note returns an agent's hook file with the script at an event.
func (p *sharedProject) note(d adapter.Dialect, event schema.Event, r *rand.Rand) string {
	native := d.Profile().Generic(event)
	h := schema.Hook{Handler: schema.HandlerCommand, Native: native, Event: event,
		Command: strings.ReplaceAll(spellings[r.Intn(len(spellings))], "PROJECT", p.start)}
	tool := d.Profile().ToolOfKind([]schema.Kind{schema.Shell, schema.Write}[r.Intn(2)])
	if tool != nil && r.Intn(2) == 0 {
		h.Matcher, h.HasMatcher = tool.Name, true
	}
	p.say(fmt.Sprintf("%s %s %q %s", d.Profile().Name, native, h.Matcher, h.Command))

	pointer := d.Profile().EventsAt + "/" + native
	value, _ := d.WriteHook(schema.Entry{Native: native, Pointer: pointer, Matcher: h.Matcher}, &h)
	c := convert.Conversion{Entries: []convert.Placed{{Pointer: pointer, Value: value}}}
	return string(c.Document(d))
}

// judgeShared compares doctor's report with how often the script runs, and counts the hosts. Then it applies doctor's
// proposal and counts the hosts that still run the script more than once. They remain if no hook runs for all calls of
// the others. Each call that started the script must still start it.
func (p *sharedProject) judgeShared(t *testing.T, label string) (once, more, left, imported int) {
	choices := p.compare(t, label, &once, &more)
	if len(choices) == 0 {
		return once, more, 0, 0
	}
	p.write(t, "main/hookbridge.yaml", p.yaml+"hooks: ["+strings.Join(choices, ", ")+"]\n")
	for _, args := range p.installs {
		p.command("install", args...)
	}
	before := p.ran
	p.ran = nil
	if again := p.compare(t, fmt.Sprintf("%s, with %v", label, choices), new(int), &left); len(again) > 0 {
		imported++
	}
	for call := range before {
		if !p.ran[call] {
			t.Errorf("%s: with %v the script doesn't run any more: %s", label, choices, call)
		}
	}
	return once, more, left, imported
}

// compare counts the hosts that run the script at most once and those that run it more often. For the latter it returns
// the choices that doctor proposes.
func (p *sharedProject) compare(t *testing.T, label string, once, more *int) (choices []string) {
	_, text, _ := p.command("doctor", "--json")
	var doc []struct{ Host, Command, Status, Fix string }
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%s: %v in %s", label, err, text)
	}
	for _, d := range p.agents {
		host, twice := d.Profile().Name, false
		for _, f := range doc {
			if f.Host != host || f.Status != inspect.Twice.String() || !strings.Contains(f.Command, "note.sh") {
				continue
			}
			twice = true
			_, after, _ := strings.Cut(f.Fix, "hooks: [")
			if list, _, ok := strings.Cut(after, "], and install again"); ok {
				choices = append(choices, list)
			}
		}

		most := p.most(t, host)
		if most > 1 {
			*more++
		} else {
			*once++
		}
		switch {
		case most > 1 && !twice:
			t.Errorf("%s: one call of %s runs the script %d times, and doctor doesn't say so\n%s", label, host, most,
				text)
		case most < 2 && twice:
			t.Errorf("%s: doctor says that %s runs the script twice, and it runs %d times\n%s", label, host, most,
				text)
		}
	}
	return choices
}

// most returns the highest number of times that one of the calls starts the script.
func (p *sharedProject) most(t *testing.T, host string) (most int) {
	if p.ran == nil {
		p.ran = map[string]bool{}
	}
	for _, call := range sharedCalls {
		n := p.count(t, host, call)
		if most = max(most, n); n > 0 {
			p.ran[host+": "+call] = true
		}
	}
	return most
}

// sharedCalls are lawCalls, a call that some agents send as a patch and others as a command, and a command that writes
// a file with a patch, which some agents apply themselves.
var sharedCalls = append([]string{`delete a.txt`, `shell "` + patchCommand + `"`}, lawCalls...)

const patchCommand = `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: new.txt\n+hi\n*** End Patch\nEOF`

// count returns how often a call starts the script.
func (p *sharedProject) count(t *testing.T, host, call string) int {
	log := filepath.Join(p.dir, "ran")
	os.Remove(log)
	_, _, stderr := p.command("fire", "--host", host, call)
	if strings.Contains(stderr, "usage") {
		t.Fatal(stderr)
	}
	text, _ := os.ReadFile(log)
	return strings.Count(string(text), "ran")
}
