package main

import (
	"fmt"
	"strings"
)

// agentParts are a page for each agent, with what its hooks can do at which event, and one that lists them.
func agentParts(root string, s support) []part {
	var all strings.Builder
	all.WriteString("# Agents\n\nWhat the hooks of each agent can do, with the evidence. " +
		"[Ask about one effect](site:support.html), or choose an agent.\n\n" +
		"| agent | version | compared on | |\n|---|---|---|---|\n")
	parts := []part{{}}
	for _, a := range s.Agents {
		name := strings.TrimSuffix(a.Page, ".html") + ".md"
		fmt.Fprintf(&all, "| [%s](%s) | %s | %s | %s |\n", a.Title, strings.TrimPrefix(name, "agents/"), a.Version,
			a.Date, bars(a.Note))
		parts = append(parts, part{name, a.Page, "Agents", agentText(root, s, a)})
	}
	parts[0] = part{"agents/README.md", "agents/index.html", "Agents", all.String()}
	return parts
}

func agentText(root string, s support, a agent) string {
	var w strings.Builder
	fmt.Fprintf(&w, "# %s\n\n", a.Title)
	switch {
	case !a.Tables:
		fmt.Fprintf(&w, "%s. This is from documents, not from the real client: %s.\n\n", sentence(plainly(a.Note)),
			plainly(a.Source))
		if a.Guards != "" {
			fmt.Fprintf(&w, "Its hooks can refuse at these events: %s.\n\n", plainly(a.Guards))
		}
	default:
		w.WriteString("What a hook can do here, and how that is known. ")
		if a.Live == "" {
			fmt.Fprintf(&w, "%s\n\n", a.Note)
		} else {
			fmt.Fprintf(&w, "Checked with version %s; compared with the real client on %s.", a.Version, a.Date)
			if a.Note != "" {
				fmt.Fprintf(&w, " %s %s.", a.Title, a.Note)
			}
			fmt.Fprintf(&w, "\n\n- [The comparison](site:%s)\n", a.Live)
		}
		if a.Facts != "" {
			fmt.Fprintf(&w, "- [The facts and their evidence](site:%s)\n", a.Facts)
		}
		if guide := "docs/guides/" + a.Name + ".md"; exists(root, guide) {
			fmt.Fprintf(&w, "- [Guide: hooks of other agents in %s](site:%s)\n", a.Title, pageOf(guide))
		}
	}
	w.WriteString("- [Ask about another effect or event](site:support.html)\n")

	says := map[string]string{}
	for _, list := range [][]word{s.Effects, s.Events} {
		for _, x := range list {
			says[x.Name] = x.Says
		}
	}
	written := map[string]bool{}
	for _, r := range s.Rows {
		if r.Agent != a.Name || written[r.Event] {
			continue
		}
		written[r.Event] = true
		fmt.Fprintf(&w, "\n## %s\n", r.Event)
		for _, same := range s.Rows {
			if same.Agent == a.Name && same.Event == r.Event {
				eventText(&w, same, says)
			}
		}
	}
	return w.String()
}

// eventText describes what a hook of a native event can do.
func eventText(w *strings.Builder, r row, says map[string]string) {
	fmt.Fprintf(w, "\n### %s\n\n", r.Native)
	var can []string
	for _, e := range r.Effects {
		can = append(can, says[e])
	}

	switch when := says[r.Event]; {
	case len(can) > 0:
		fmt.Fprintf(w, "When %s, a hook can: %s.\n", when, strings.Join(can, "; "))
	case len(r.Some) > 0:
		fmt.Fprintf(w, "When %s, a hook runs.\n", when)
	default:
		fmt.Fprintf(w, "When %s, a hook runs. Its answer has no effect.\n", when)
	}

	for _, e := range sortedKeys(r.Some) {
		fmt.Fprintf(w, "\nFor %s only, it can %s.\n", strings.Join(r.Some[e], ", "), says[e])
	}

	for _, l := range r.Less {
		switch {
		case l.Never:
			fmt.Fprintf(w, "\n- %s never raises the event", l.When)
		default:
			var lost []string
			for _, e := range l.Effects {
				lost = append(lost, says[e])
			}
			fmt.Fprintf(w, "\n- %s: a hook can't %s", l.When, strings.Join(lost, "; "))
		}
		fmt.Fprintf(w, " (%s)\n", plainly(l.Source))
	}

	if r.Since != "" {
		fmt.Fprintf(w, "\nSince version %s.\n", r.Since)
	}

	fmt.Fprintf(w, "\nEvidence: %s.\n", plainly(r.Source))
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func bars(s string) string { return strings.ReplaceAll(plainly(s), "|", `\|`) }

// plainly is text that Markdown leaves as it is.
func plainly(s string) string {
	return strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "`", "\\`").Replace(s)
}
