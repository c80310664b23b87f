package conformance

import (
	"iter"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// A section is a part of a file of rows in testdata/rows. The head of the file describes the fields of its line in
// brackets.
type section struct {
	from   string
	fields []string // after the agent
	rest   string   // after the brackets
}

// rowsOf yields the rows of a file as their columns, which are separated by two blanks or more.
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

// madeRows returns the vectors of testdata/rows.
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
	for s, row := range rowsOf("reply.txt") {
		why, own := strings.CutPrefix(row[len(row)-1], "# ")
		if own {
			row = row[:len(row)-1]
		}
		for _, host := range s.fields {
			if len(row) > 5 && !slices.Contains(strings.Split(row[5], ","), plain(host)) {
				continue
			}
			m := s.reply(host, row)
			if own {
				m.why = why
			}
			all = append(all, m)
		}
	}
	return append(all, madeCallRows()...)
}

// reply returns a row of answers for one host.
func (s *section) reply(to string, columns []string) made {
	row := rowNamed(s.from, columns[1])
	m := made{id: "reply/" + pairOf(s.from, to) + "/" + columns[0], from: s.from, to: to, event: row.Native,
		tool: strings.TrimPrefix(columns[2], "-"), input: columns[4]}
	other := counterpart(s.from, row, dialect(to))
	m.source = source(s.from, row, to, other)
	if other == nil {
		m.why, m.output = noEventWhy, "null"
		m.findings = []Finding{{string(schema.CodeNoEvent), schema.Weaker.String(), ""}}
		return m
	}

	meaning, findings, _ := strings.Cut(columns[3], "!HB")
	m.why = silenceWhy
	m.output = "{}"
	for one := range strings.SplitSeq(meaning, "+") {
		name, text, _ := strings.Cut(one, "=")
		f := effectNamed(name)
		if f == 0 {
			continue
		}
		answer, reported := s.answer(&m, row, other, f, text)
		m.why = whyEffect(row, f)
		m.output = joined(m.output, answer)
		m.findings = append(m.findings, reported...)
	}
	if code, severity, ok := strings.Cut(findings, ":"); ok {
		m.findings = append(m.findings, Finding{"HB" + code, severity, ""})
	}
	return m
}

// answer returns a host's answer for one effect with a text.
func (s *section) answer(m *made, row, other *schema.EventRow, f schema.Feature, text string) (string, []Finding) {
	output, findings := expect(m, row, other, f)
	findings = append(findings,
		unheard(m, other, f, Finding{string(schema.CodeContextLost), schema.Loss.String(), ""})...)
	for _, usual := range []string{reason, advice, goOn, notice, enough, "ok"} {
		output = strings.ReplaceAll(output, quote(usual), quote(text))
	}
	output = strings.ReplaceAll(output, `{"command":"echo safe"}`, text)
	return emptyText.ReplaceAllString(output, ""), findings
}

// emptyText is the missing reason of an answer.
var emptyText = regexp.MustCompile(`,"[A-Za-z_]+":""`)

// effectNamed returns the effect with a name; 0 for silence.
func effectNamed(name string) (found schema.Feature) {
	for i := range 64 {
		if f := schema.Feature(1) << i; f.Name() == name {
			return f
		}
	}
	return 0
}

// config returns one cell of a row of configurations.
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

// shellWord returns a text as one word of a shell's command line.
func shellWord(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// ownDocument returns a configuration for an agent with a special format; false for others.
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
		case "omp", "opencode", "pi", "cline":
			pairs = append(pairs, e.event, "["+object("matcher", matcher, "command", quote(e.command))+"]")
		case "droid":
			pairs = append(pairs, e.event, "["+e.json("claude")+"]")
		default:
			return "", false
		}
	}
	if plain(dialect) == "droid" {
		return object(pairs...), true
	}
	return object("hooks", object(pairs...)), true
}
