package conformance

import (
	"iter"
	"os"
	"regexp"
	"strings"
)

// A section is a part of a file of rows in testdata/rows: what the fields of its line in brackets
// are says the head of the file.
type section struct {
	from   string
	fields []string // after the agent
	rest   string   // after the brackets
}

// rowsOf yields the rows of a file as their columns, which two blanks or more separate.
func rowsOf(file string) iter.Seq2[*section, []string] {
	return func(yield func(*section, []string) bool) {
		text, err := os.ReadFile("testdata/rows/" + file)
		if err != nil {
			panic(err)
		}
		var now *section
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if head, rest, ok := strings.Cut(strings.TrimPrefix(line, "["), "]"); ok && line[0] == '[' {
				fields := strings.Fields(head)
				now = &section{fields[0], fields[1:], strings.TrimSpace(rest)}
			} else if line != "" && line[0] != '#' && !yield(now, columns.Split(line, -1)) {
				return
			}
		}
	}
}

var columns = regexp.MustCompile(` {2,}`)

// madeRows are the vectors that testdata/rows has.
func madeRows() (all []made) {
	for s, row := range rowsOf("config.txt") {
		for i, host := range s.fields[1:] {
			if cell := row[2+i]; cell != "?" {
				m := s.config(host, row[0], row[1], cell)
				if why, ok := strings.CutPrefix(row[len(row)-1], "# "); ok {
					m.why = why
				}
				all = append(all, m)
			}
		}
	}
	return all
}

// config is one cell of a row of configurations.
func (s *section) config(to, name, hook, cell string) made {
	e := entry{command: s.rest}
	e.event, e.matcher, _ = strings.Cut(hook, ":")
	m := made{id: "config/" + pairOf(s.from, to) + "/" + name, from: s.from, to: to,
		source: source(s.from, rowNamed(s.from, e.event), to, nil), input: document(s.from, e),
		isText: plain(s.from) == "kimi"}

	cell, timeout, ok := strings.Cut(cell, "@")
	if !ok {
		timeout = s.fields[0]
	}
	flags := ""
	if e.matcher != "" {
		flags = " --matcher " + shellWord(e.matcher)
	}
	command := strings.Replace(through(s.from, to, e.event, flags), "./hook.sh", shellWord(s.rest), 1)
	cell, findings, _ := strings.Cut(cell, "!HB")
	var out []entry
	for one := range strings.SplitSeq(strings.TrimPrefix(cell, "-"), "&") {
		there := entry{command: command, timeout: timeout}
		there.event, there.matcher, _ = strings.Cut(one, ":")
		if there.event == "" {
			continue
		}
		if plain(to) == "cursor" && (there.event == "stop" || there.event == "subagentStop") {
			there.members = `"loop_limit":null`
		}
		out = append(out, there)
	}
	for f := range strings.SplitSeq(findings, "!HB") {
		if f == "" {
			continue
		}
		parts := strings.Split(f, ":")
		at := path(s.from, e.event, 0)
		if len(parts) > 2 {
			at = strings.TrimSuffix(at, "/hooks/0") + "/" + parts[2]
		}
		m.findings = append(m.findings, Finding{"HB" + parts[0], parts[1], at})
	}
	m.output = document(to, out...)
	m.why = whyConfig(e, out)
	return m
}

func whyConfig(e entry, out []entry) string {
	switch {
	case out == nil:
		return "The host has no event for a hook on " + e.event + ", which is reported."
	case e.matcher != "":
		return "A hook with the matcher " + e.matcher + " runs for the same tools under the host."
	}
	return "A hook on " + e.event + " runs under the host wherever it has the same event."
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// shellWord is a text as one word of a shell's command line.
func shellWord(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// ownDocument is a configuration of an agent that has a format of its own; false for others.
func ownDocument(dialect string, entries []entry) (string, bool) {
	var pairs []string
	toml := ""
	for _, e := range entries {
		matcher := ""
		if e.matcher != "" {
			matcher = quote(e.matcher)
			toml = "matcher = " + matcher + "\n"
		}
		switch plain(dialect) {
		case "kimi":
			return "[[hooks]]\nevent = " + quote(e.event) + "\n" + toml + "command = " + quote(e.command) + "\n", true
		case "opencode":
			pairs = append(pairs, e.event, "["+object("matcher", matcher, "command", quote(e.command))+"]")
		case "droid":
			pairs = append(pairs, e.event, "["+e.json("claude")+"]")
		default:
			return "", false
		}
	}
	if plain(dialect) == "opencode" {
		return object("hooks", object(pairs...)), true
	}
	return object(pairs...), true
}
