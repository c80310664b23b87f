package check

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// read compares the fields that the scripts of a file's hooks read with those that the agents of the project send.
func (c *fileChecker) read(d adapter.Dialect, f *checked, p schema.Places, hooks []schema.Hook) {
	hosts := c.hosts
	if file, err := common.LoadProjectFile(p.Project); len(hosts) == 0 && err == nil {
		if s, err := survey.Take(p, file); err == nil {
			hosts = s.Hosts()
		}
	}

	list, read, unread := inspect.Scripts(d, hosts, p, hooks)
	c.readScripts, c.allScripts = c.readScripts+read, c.allScripts+read+len(unread)
	c.unread = lists.Unique(append(c.unread, lists.Map(unread, cli.Shown)...))
	for _, s := range list {
		if s.File != "" {
			s.File = cli.Shown(s.File)
		}
		named := map[string]bool{}
		s.Fields = slices.DeleteFunc(s.Fields, func(f inspect.ScriptField) bool {
			known := named[f.Name()]
			named[f.Name()] = true
			return known
		})
		for _, found := range s.Found {
			if s.File != "" {
				found.File = s.File
			}
			f.found = append(f.found, found)
		}
		c.found = append(c.found, foundScript{f.name, s})
	}

	own := func(d schema.Diagnostic) int { // findings in scripts come last
		if d.File == f.name {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(f.found, func(a, b schema.Diagnostic) int {
		if diff := own(a) - own(b); diff != 0 || own(a) > 0 {
			return diff
		}
		return cmp.Or(a.Line-b.Line, a.Col-b.Col)
	})
}

// A foundScript is the script of a hook in a file.
type foundScript struct {
	file string
	inspect.HookScript
}

// name returns the script, or the place of the hook whose command is the script.
func (s *foundScript) name() string {
	if s.File != "" {
		return s.File
	}
	return fmt.Sprintf("%s:%d", s.file, s.Hook.Line)
}

type scriptDoc struct {
	Script string           `json:"script"`
	File   string           `json:"file"` // with the hook
	Path   string           `json:"path"`
	Event  string           `json:"event"`
	Fields []scriptFieldDoc `json:"fields"`
}

type scriptFieldDoc struct {
	Field  string              `json:"field"`
	Line   int                 `json:"line"`
	Agents map[string]sendsDoc `json:"agents"`
}

type sendsDoc struct {
	Native  bool `json:"native"`
	Through bool `json:"through_hookbridge"`
	Unknown bool `json:"unknown,omitempty"` // it isn't known whether native
}

func (c *fileChecker) scriptDocs() (docs []scriptDoc) {
	for i := range c.found {
		s := &c.found[i]
		doc := scriptDoc{Script: s.name(), File: s.file, Path: s.Hook.Path, Event: s.Hook.Native,
			Fields: []scriptFieldDoc{}}
		for _, f := range s.Fields {
			field := scriptFieldDoc{f.Name(), f.Line, map[string]sendsDoc{}}
			for agent, sends := range f.Agents {
				field.Agents[agent] = sendsDoc(sends)
			}
			doc.Fields = append(doc.Fields, field)
		}
		docs = append(docs, doc)
	}
	return docs
}

// printScripts lists the fields of each script, and how each agent's calls get them.
func (c *fileChecker) printScripts(w io.Writer) {
	if !c.scripts {
		return
	}
	var parts []string
	for i := range c.found {
		s := &c.found[i]
		if len(s.Fields) == 0 {
			continue
		}
		part := fmt.Sprintf("\n%s  %s\n", schema.Printable(s.name()), schema.Printable(s.Hook.Native))
		for _, f := range s.Fields {
			line := fmt.Sprintf("  %-30s", f.Name())
			for _, name := range agentsOf(s.Fields) {
				sends, known := f.Agents[name]
				line += "  " + name + ": " + sendsWord(sends, known)
			}
			part += schema.Printable(line) + "\n"
		}
		parts = lists.With(parts, part) // two hooks may start one script
	}
	fmt.Fprint(w, strings.Join(parts, ""))

	rest := ""
	if n := len(c.unread); n > 0 {
		const most = 5
		rest = "; not read: " + strings.Join(c.unread[:min(n, most)], ", ")
		if n > most {
			rest += fmt.Sprintf(" and %d more", n-most)
		}
	}
	fmt.Fprintln(w)
	cli.PrintWrapped(w, "", fmt.Sprintf("%d of %d scripts read%s", c.readScripts, c.allScripts, rest))
}

// agentsOf returns the agents that fields were compared with, in the usual order.
func agentsOf(fields []inspect.ScriptField) []string {
	return slices.DeleteFunc(adapter.Names(), func(name string) bool {
		return !slices.ContainsFunc(fields, func(f inspect.ScriptField) bool { _, ok := f.Agents[name]; return ok })
	})
}

// sendsWord returns a word for how a field reaches the script.
func sendsWord(s inspect.Sends, known bool) string {
	var words []string
	if s.Native {
		words = append(words, "native")
	}
	if s.Through {
		words = append(words, "hookbridge")
	}
	switch {
	case !known:
		return "-"
	case s.Unknown:
		return "unknown"
	case words == nil:
		return "never"
	}
	return strings.Join(words, "+")
}
