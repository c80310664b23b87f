// Package junit writes test reports as JUnit XML, which CI systems read.
package junit

import (
	"fmt"
	"strings"
)

// A Suite is a named group of cases.
type Suite struct {
	Name  string
	Cases []Case
}

// A Case is one test. It passed unless Failure or Skipped is set.
type Case struct {
	Class, Name, File string
	Line              int    // 0: unknown
	Failure, Detail   string // first line of what is wrong, and all of it
	Skipped           string // why it was not run
}

// XML returns the report.
func XML(name string, suites []Suite) []byte {
	var b strings.Builder
	var all []Case
	for _, s := range suites {
		all = append(all, s.Cases...)
	}
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
	fmt.Fprintf(&b, "<testsuites %s>\n", counts(name, all))
	for _, s := range suites {
		fmt.Fprintf(&b, "  <testsuite %s>\n", counts(s.Name, s.Cases))
		for i := range s.Cases {
			s.Cases[i].write(&b)
		}
		b.WriteString("  </testsuite>\n")
	}
	b.WriteString("</testsuites>\n")
	return []byte(b.String())
}

func counts(name string, cases []Case) string {
	failed, skipped := 0, 0
	for _, c := range cases {
		switch {
		case c.Failure != "":
			failed++
		case c.Skipped != "":
			skipped++
		}
	}
	return fmt.Sprintf("name=%s tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\"", attr(name), len(cases),
		failed, skipped)
}

func (c *Case) write(b *strings.Builder) {
	fmt.Fprintf(b, "    <testcase classname=%s name=%s file=%s", attr(c.Class), attr(c.Name), attr(c.File))
	if c.Line > 0 {
		fmt.Fprintf(b, " line=\"%d\"", c.Line)
	}
	switch {
	case c.Failure != "":
		fmt.Fprintf(b, ">\n      <failure message=%s>%s</failure>\n    </testcase>\n", attr(c.Failure), text(c.Detail))
	case c.Skipped != "":
		fmt.Fprintf(b, ">\n      <skipped message=%s/>\n    </testcase>\n", attr(c.Skipped))
	default:
		b.WriteString("/>\n")
	}
}

func attr(s string) string { return `"` + text(s) + `"` }

// text returns s as XML text: a character that XML doesn't allow becomes a question mark.
func text(s string) string {
	s = strings.Map(func(r rune) rune {
		isControl := r < 0x20 && r != '\n' && r != '\t'
		if isControl || r == 0xfffe || r == 0xffff {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(s)
}
