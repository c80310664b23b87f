package hookfile

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/scriptread"
	"github.com/hookbridge/hookbridge/internal/tomljson"
)

// A NamedFile is a hook file of an agent that hookbridge knows by name only.
type NamedFile struct {
	Agent  *adapter.ByName
	File   string
	Hooks  int  // enabled ones
	Guards int  // the ones among them that can deny
	Broken bool // it is code that doesn't parse
}

// NamedAt counts the hooks in a file of an agent. A file that by its name is neither JSON nor TOML is one hook, for the
// event in its name.
func NamedAt(a *adapter.ByName, file string, text []byte) NamedFile {
	f := NamedFile{Agent: a, File: file}
	base := filepath.Base(file)
	ext := filepath.Ext(base)
	if ext == ".toml" {
		text, _, _ = tomljson.Document(text)
	} else if ext != ".json" && ext != ".jsonc" {
		f.add(strings.TrimSuffix(base, ext))
		f.Broken = a.Code && scriptread.Broken(string(text))
		return f
	}
	text = ordjson.TrimSpace(ordjson.BlankComments(text))
	if a.Only == "" {
		f.count("", text, 0)
		return f
	}
	o, _ := ordjson.Members(text, 0)
	event := a.Only
	if ordjson.KindOf(o.Value(a.Only)) == ordjson.ObjectKind {
		event = "" // the file contains the events
	}
	f.count(event, o.Value(a.Only), 0)
	return f
}

func (f *NamedFile) add(event string) {
	f.Hooks++
	if f.Agent.Guard(event) {
		f.Guards++
	}
}

// deepest is how deep a file's objects may be nested.
const deepest = 16

// count counts the entries in a value below an event: objects with a command, a program or an action.
func (f *NamedFile) count(event string, value []byte, depth int) {
	list, err := ordjson.Elements(value, 0)
	for _, m := range list {
		f.count(event, m.Value, depth+1)
	}
	o, failed := ordjson.Members(value, 0)
	if off := string(o.Value("enabled")) == "false"; err == nil || failed != nil || depth > deepest || off {
		return
	}

	event = cmp.Or(o.Str("trigger"), event)
	delegates := o.Str("action") == "delegate"
	if o.Str("command") != "" || o.Str("powershell") != "" || delegates ||
		ordjson.KindOf(o.Value("action")) == ordjson.ObjectKind {
		f.add(event)
		return
	}
	for _, m := range o {
		below := event
		if below == "" && ordjson.KindOf(m.Value) == ordjson.Array {
			below = m.Name
		}
		f.count(below, m.Value, depth+1)
	}
}

// Message describes what happens to the file's hooks; its path is relative to a folder.
func (f *NamedFile) Message(dir string) string {
	where := f.File
	if dialect.Within(dir, where) {
		where = Relative(dir, where)
	}
	hooks, run := fmt.Sprintf("the %d hooks in %s", f.Hooks, where), "run"
	if f.Hooks == 1 {
		hooks, run = "the hook in "+where, "runs"
	}
	switch {
	case f.Agent == nil:
		return "no agent is known to read " + hooks
	case f.Agent.Never != "":
		return f.Agent.Never + "; " + hooks + " " + run + " nowhere: write them for an agent that runs hooks"
	case f.Guards == 1 && f.Hooks == 1:
		hooks += ", a guard,"
	case f.Guards == f.Hooks:
		hooks += ", all of them guards,"
	case f.Guards > 0:
		hooks += fmt.Sprintf(", %d of them guards,", f.Guards)
	}

	text := "hookbridge doesn't run " + f.Agent.Title + "'s hooks yet; " + hooks + " " + run + " there only"
	switch {
	case f.Broken:
		return f.Agent.Title + " skips code that doesn't parse, and every call runs; " + hooks +
			" never " + run + ": its brackets don't close"
	case f.Agent.Code:
		text = f.Agent.Title + "'s own hooks are code, which no other agent runs; " + hooks + " " + run + " there only"
	}
	if f.Guards > 0 {
		text += ": for the other agents, write the guard for one that hookbridge knows too"
	}
	return text
}
