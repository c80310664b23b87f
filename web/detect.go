package web

import (
	"bytes"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// AgentOf names the agent that a hook file is most likely written for, "" if the text doesn't show it.
func AgentOf(text string) string {
	best, _ := mostLikely(excerpt([]byte(text)))
	return best
}

// BetterThan names the agent that reads more of a hook file than the chosen one, "" if there is none.
func BetterThan(chosen, text string) string {
	source := excerpt([]byte(text))
	best, most := mostLikely(source)
	if d, err := adapter.Find(chosen); err != nil || most <= score(d, source) {
		return ""
	}
	return best
}

func mostLikely(source []byte) (best string, most int) {
	for _, d := range adapter.Dialects() {
		if n := score(d, source); n > most {
			best, most = d.Profile().Name, n
		}
	}
	return best, most
}

// score is the amount of a hook file that an agent reads, minus its complaints.
func score(d adapter.Dialect, source []byte) int {
	cfg, ds := hookfile.ParseFile(d, source, schema.Source{Scope: schema.ScopeGiven, File: fileName(source)})
	if cfg == nil {
		return 0
	}
	return 2*len(cfg.Hooks) - len(ds)
}

// fileName returns the name under which a text is read: a Markdown file's if it begins with front matter.
func fileName(text []byte) string {
	if bytes.HasPrefix(ordjson.TrimBOM(text), []byte("---")) {
		return "hooks.md"
	}
	return ""
}

// The first entries of a long list are enough to detect its agent.
const (
	longText = 32 << 10
	longList = 20
	deepest  = 8 // below it nothing is left out
)

// excerpt returns a long text with the first entries of each list, which is fast to read for every agent.
func excerpt(text []byte) []byte {
	if len(text) <= longText {
		return text
	}
	plain := standard(text)
	if ordjson.Check(plain) != nil {
		return text
	}
	return shortened(nil, ordjson.TrimBOM(plain), deepest)
}

// standard returns text as JSON whose values have their places in text, or else text itself.
func standard(text []byte) []byte {
	if ordjson.Check(text) == nil { // takes a fraction of the time
		return text
	}
	plain, err := jsonedit.Standard(text)
	if err != nil {
		return text
	}
	return plain
}

func shortened(dst, value []byte, deep int) []byte {
	if deep > 0 {
		if members, err := ordjson.Members(value, 0); err == nil {
			for i := range members {
				members[i].Value = shortened(nil, members[i].Value, deep-1)
			}
			return members.Append(dst)
		}
		if list, err := ordjson.Elements(value, 0); err == nil {
			dst = append(dst, '[')
			for i := range list[:min(len(list), longList)] {
				if i > 0 {
					dst = append(dst, ',')
				}
				dst = shortened(dst, list[i].Value, deep-1)
			}
			return append(dst, ']')
		}
	}
	return append(dst, value...)
}
