package main

import (
	"slices"
	"strings"
	"text/template"
)

// An agentPage is the data of an agent's page.
type agentPage struct {
	agent
	Guide  string   // the page of the guide
	Events []string // canonical names, each once
}

// agentParts returns a page for each agent, with what its hooks can do at which event, and a page that lists the
// agents.
func agentParts(root string, s support) ([]part, error) {
	pages, err := template.New("").Funcs(s.pageFunctions()).ParseFS(assets, "agents.md", "agent.md")
	if err != nil {
		return nil, err
	}
	parts := []part{{"agents/README.md", "agents/index.html", "Agents", ""}}
	var text strings.Builder
	err = pages.ExecuteTemplate(&text, "agents.md", s)
	parts[0].Text = text.String()
	for _, a := range s.Agents {
		page := agentPage{agent: a}
		if guide := "docs/guides/" + a.Name + ".md"; a.Tables && exists(root, guide) {
			page.Guide = pageOf(guide)
		}
		for _, r := range s.Rows {
			if r.Agent == a.Name && !slices.Contains(page.Events, r.Event) {
				page.Events = append(page.Events, r.Event)
			}
		}
		text.Reset()
		if err == nil {
			err = pages.ExecuteTemplate(&text, "agent.md", page)
		}
		parts = append(parts, part{"agents/" + a.Name + ".md", a.Page, "Agents", text.String()})
	}
	return parts, err
}

// pageFunctions returns the functions for the templates of the agents' pages.
func (s *support) pageFunctions() template.FuncMap {
	says := map[string]string{}
	for _, x := range slices.Concat(s.Effects, s.Events) {
		says[x.Name] = x.Says
	}
	return template.FuncMap{
		"says":     func(name string) string { return says[name] },
		"list":     func(names []string) string { return strings.Join(names, ", ") },
		"plain":    plainly,
		"cell":     func(s string) string { return strings.ReplaceAll(plainly(s), "|", `\|`) },
		"sentence": func(s string) string { return strings.ToUpper(plainly(s)[:1]) + plainly(s)[1:] },
		"rows": func(agent, event string) []row {
			other := func(r row) bool { return r.Agent != agent || r.Event != event }
			return slices.DeleteFunc(slices.Clone(s.Rows), other)
		},
	}
}

// plainly escapes text so that Markdown keeps it unchanged.
func plainly(s string) string {
	return strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "`", "\\`").Replace(s)
}
