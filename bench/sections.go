package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

const (
	hook    = "cat >/dev/null"
	direct  = "direct: sh -c HOOK"
	minimal = "minimal Go wrapper"
	byHand  = "Go program, 100 by hand"
	single  = "hookbridge run -c"
)

// wrappers builds the baselines that can be built and reports the others.
func (b *bench) wrappers() (all []*contender) {
	add := func(name string, argv ...string) { all = append(all, &contender{name: name, argv: append(argv, hook)}) }
	missing := func(name string, err error) { fmt.Printf("(left out: %s: %v)\n", name, err) }
	at := func(file string) string { return filepath.Join(b.baselines, file) }
	floor := filepath.Join(b.dir, "floor")
	if text, err := exec.Command("cc", "-O2", "-static", "-w", "-o", floor, at("floor.c")).CombinedOutput(); err ==
		nil {
		add("C floor", floor)
	} else {
		missing("C floor", fmt.Errorf("%w %.60q", err, text))
	}

	bin := filepath.Join(b.dir, "minimal")
	if err := build(at("go-min"), ".", bin); err == nil {
		add(minimal, bin)
	} else {
		missing(minimal, err)
	}

	for _, w := range []struct{ name, program, file string }{{"Node wrapper", "node", "wrap-node.mjs"},
		{"bash+jq wrapper", "bash", "wrap-bash-jq.sh"}} {
		program, err := exec.LookPath(w.program)
		if err == nil {
			_, err = os.Stat(at(w.file))
		}
		if err == nil && w.program == "bash" {
			_, err = exec.LookPath("jq")
		}
		if err != nil {
			missing(w.name, err)
			continue
		}
		add(w.name, program, at(w.file))
	}

	for _, o := range b.wraps {
		name, command, _ := strings.Cut(o, "=")
		add(name, strings.Fields(command)...)
	}

	return all
}

// single is hookbridge with one hook on the command line, as convert writes it into the host's configuration.
func (b *bench) single() *contender {
	project := filepath.Join(b.dir, "wrapped")
	hostFile(project, "hookbridge run --host cursor -c '"+hook+"'")
	return &contender{name: single, argv: []string{b.bridge, "run", "--host", "cursor", "--project", project, "-c",
		hook}}
}

// unlisted is the same without the command in the host's configuration. Then hookbridge must remember the call, because
// the host may send a second event for it.
func (b *bench) unlisted() *contender {
	return &contender{name: "hookbridge run -c, not listed", argv: []string{b.bridge, "run", "--host", "cursor",
		"-c", hook}}
}

// discovered is hookbridge in a project whose settings file has all hooks, match of which match.
func (b *bench) discovered(all, match int) *contender {
	project := filepath.Join(b.dir, fmt.Sprintf("p%d-%d", all, match))
	settings(project, all, match)
	return &contender{name: fmt.Sprintf("hookbridge run, %d of %d hooks", match, all),
		argv: []string{b.bridge, "run", "--host", "cursor", "--home", b.dir, "--project", project}}
}

func (b *bench) run() {
	small := payload(1 << 10)
	all := append([]*contender{{name: direct, argv: []string{"/bin/sh", "-c", hook}}}, b.wrappers()...)
	all = append(all, b.single(), b.unlisted())
	for _, n := range [][2]int{{1, 1}, {10, 1}, {10, 3}, {100, 3}} {
		all = append(all, b.discovered(n[0], n[1]))
	}

	for _, c := range all {
		c.stdin = small
	}

	race(b.rounds, all)
	table(all, minimal)
	over := func(name string) float64 {
		if c := named(all, name); c != nil {
			return ms(c.median() - all[0].median())
		}
		return 0
	}

	own := over(single)
	b.promise("run -c over running the hook directly", "2 ms", "%.2f ms", own)
	if c := named(all, minimal); c != nil {
		times := ratio(named(all, single).median(), c.median())
		b.promise("run -c, times the minimal Go wrapper", "1.10", "%.2f", times)
	}

	b.promise("10 hooks in a settings file, 1 matches: more than run -c", "0.3 ms", "%.2f ms",
		over("hookbridge run, 1 of 10 hooks")-own)
	for _, w := range []struct{ name, kept string }{{"Node wrapper", "15"}, {"bash+jq wrapper", "8"}} {
		if named(all, w.name) != nil {
			b.promise("overhead of the "+w.name+", times that of run -c", w.kept, "%.1f", over(w.name)/own)
		}
	}
}

// session compares the first call of a session with one after 5,000 calls by several sub-agents, each of which left
// some state.
func (b *bench) session() {
	const agents, before = 4, 5000
	first, later := b.unlisted(), b.unlisted()
	first.name, first.stdin = "first call of a session", payload(1<<10)
	later.name, later.stdin, later.session = "5,000th call of a session", first.stdin, "aaaaaaaa"
	var group sync.WaitGroup
	errs := make([]error, agents)
	for agent := range agents {
		group.Go(func() {
			for i := 0; i < before/agents && errs[agent] == nil; i++ {
				c := *later
				c.stdin = bytes.Replace(c.stdin, []byte("COUNT"), fmt.Appendf(nil, "%d-%d", agent, i), 1)
				cmd := exec.Command(c.argv[0], c.argv[1:]...)
				cmd.Stdin = bytes.NewReader(bytes.ReplaceAll(c.stdin, []byte(benchSession), []byte(c.session)))
				errs[agent] = cmd.Run()
			}
		})
	}

	group.Wait()
	must(errors.Join(errs...))
	all := []*contender{first, later}
	race(b.rounds, all)
	table(all, first.name)
	b.promise("5,000th call of a session, times the first", "1.05", "%.2f", ratio(later.median(), first.median()))
}

func (b *bench) hundred() {
	bin := filepath.Join(b.dir, "parallel")
	must(build(".", "./bench/parallel", bin))
	c := b.discovered(100, 100)
	all := []*contender{
		{name: direct, argv: []string{"/bin/sh", "-c", hook}},
		{name: byHand, argv: []string{bin, "100", hook}},
		c,
	}
	for _, c := range all {
		c.stdin = payload(1 << 10)
	}
	race(max(5, b.rounds/2), all)
	table(all, byHand)
	b.promise("100 matching hooks, times 100 by hand", "1.15", "%.2f", ratio(c.median(), named(all, byHand).median()))
}

func (b *bench) payloads() {
	bin := filepath.Join(b.dir, "minimal")
	rival := build(filepath.Join(b.baselines, "go-min"), ".", bin) == nil
	for _, size := range []struct {
		name   string
		bytes  int
		rounds int
	}{{"1 KB", 1 << 10, b.rounds}, {"100 KB", 100 << 10, b.rounds}, {"2 MiB", 2 << 20, b.rounds / 2},
		{"32 MiB", 32 << 20, b.rounds / 8}} {
		all := []*contender{{name: direct, argv: []string{"/bin/sh", "-c", hook}}}
		if rival {
			all = append(all, &contender{name: minimal, argv: []string{bin, hook}})
		}
		all = append(all, b.single(), b.unlisted(), b.discovered(10, 1))
		for _, c := range all {
			c.stdin = payload(size.bytes)
		}
		race(max(5, size.rounds), all)
		fmt.Printf("%s\n", size.name)
		table(all, minimal)
		fmt.Println()
		run := named(all, single)
		times := float64(run.peak) * 1024 / float64(size.bytes)
		switch size.name {
		case "2 MiB":
			b.promise("payload of 2 MiB: run -c over running the hook directly", "10 ms", "%.1f ms",
				ms(run.median()-all[0].median()))
		case "32 MiB":
			b.promise("payload of 32 MiB: run -c over running the hook directly", "linear", "%.0f ms",
				ms(run.median()-all[0].median()))
			b.promise("payload of 32 MiB: peak memory, times the payload", "3", "%.2f", times)
		}
	}
}

// payload returns a Cursor payload of about n bytes, with the escapes that are common in code.
func payload(n int) []byte {
	const line = "\tif err := run(os.Args); err != nil {\n\t\treturn \"…\"\n\t}\n"
	command, _ := json.Marshal("cat COUNT <<'E'\n" + strings.Repeat(line, max(1, (n-400)/(len(line)+10))))
	return fmt.Appendf(nil, `{"conversation_id":"5d3f1f3a-0d5c-4a7e-9f53-6f2f6a1f7c11","generation_id":"g",`+
		`"model":"m","tool_name":"Shell","tool_input":{"command":%s,"cwd":"","timeout":30000},`+
		`"tool_use_id":"u","cwd":"","session_id":"5d3f1f3a-0d5c-4a7e-9f53-6f2f6a1f7c11",`+
		`"hook_event_name":"preToolUse","cursor_version":"3.15.19","workspace_roots":["/"],"user_email":null,`+
		`"transcript_path":null}`, command)
}

// settings writes a project with hookbridge installed and a settings file with all hooks, match of which match.
func settings(project string, all, match int) {
	must(os.MkdirAll(filepath.Join(project, ".claude"), 0o700))
	hostFile(project, "hookbridge run --host cursor --hooks claude")
	must(os.WriteFile(filepath.Join(project, ".claude", "settings.json"), config(all, match), 0o600))
}

// hostFile writes the host's configuration with one command before every tool.
func hostFile(project, command string) {
	dir := filepath.Join(project, ".cursor")
	must(os.MkdirAll(dir, 0o700))
	text := fmt.Sprintf(`{"version":1,"hooks":{"preToolUse":[{"command":%q}]}}`, command)
	must(os.WriteFile(filepath.Join(dir, "hooks.json"), []byte(text), 0o600))
}

func config(all, match int) []byte {
	var groups []string
	for i := range all {
		matcher := "Bash"
		if i >= match {
			matcher = "Edit|Write"
		}
		groups = append(groups, fmt.Sprintf(`{"matcher":%q,"hooks":[{"type":"command","command":"%s # %d",`+
			`"timeout":30}]}`, matcher, hook, i))
	}
	return []byte(`{"permissions":{"allow":["Bash(git status)","Read"]},"hooks":{"PreToolUse":[` +
		strings.Join(groups, ",\n") + `]}}`)
}
