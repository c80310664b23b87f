package hookfile

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A NamedFile is a hook file of an agent that hookbridge knows by name only.
type NamedFile struct {
	Agent  *adapter.ByName
	File   string
	Hooks  int // that are switched on
	Guards int // of them, those that can refuse
}

// NamedFiles lists the hook files in a project of agents that hookbridge knows by name only, those without hooks left
// out.
func NamedFiles(p schema.Places) (list []NamedFile) {
	if p.Project == "" {
		return nil
	}
	agents := adapter.KnownByName()
	for i := range agents {
		for _, pattern := range agents[i].Files {
			for _, file := range matching(p.Project, strings.Split(pattern, "/")) {
				text, err := discover.Read(file)
				if f := NamedAt(&agents[i], file, text); err == nil && f.Hooks > 0 {
					list = append(list, f)
				}
			}
		}
	}
	return list
}

// matching lists the files below a folder whose path has these parts.
func matching(dir string, parts []string) (files []string) {
	if len(parts) == 0 {
		if discover.IsFile(dir) {
			return []string{dir}
		}
		return nil
	}
	if !strings.ContainsAny(parts[0], "*[") {
		return matching(filepath.Join(dir, parts[0]), parts[1:])
	}
	entries, _ := os.ReadDir(dir) // in the order of their names; a folder that isn't there has none
	for _, e := range entries {
		if ok, _ := path.Match(parts[0], e.Name()); ok && e.Name()[0] != '.' {
			files = append(files, matching(filepath.Join(dir, e.Name()), parts[1:])...)
		}
	}
	return files
}

// NamedAt counts the hooks in a file of an agent. A file that isn't JSON by its name is one hook, for the event that
// its name says.
func NamedAt(a *adapter.ByName, file string, text []byte) NamedFile {
	f := NamedFile{Agent: a, File: file}
	base := filepath.Base(file)
	ext := filepath.Ext(base)
	if ext != ".json" && ext != ".jsonc" {
		f.add(strings.TrimSuffix(base, ext))
		return f
	}
	text = ordjson.BlankComments(text)
	f.count("", ordjson.TrimSpace(text), 0)
	return f
}

func (f *NamedFile) add(event string) {
	f.Hooks++
	if f.Agent.Guard(event) {
		f.Guards++
	}
}

// deepest is how deep a file's objects may lie in each other.
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

// Message says what becomes of the file's hooks; its path is relative to a folder.
func (f *NamedFile) Message(dir string) string {
	hooks, run := fmt.Sprintf("the %d hooks in %s", f.Hooks, relative(dir, f.File)), "run"
	if f.Hooks == 1 {
		hooks, run = "the hook in "+relative(dir, f.File), "runs"
	}
	switch {
	case f.Agent == nil:
		return "no agent is known to read " + hooks
	case f.Agent.Never != "":
		return f.Agent.Never + "; " + hooks + " " + run + " nowhere"
	case f.Guards == 1 && f.Hooks == 1:
		hooks += ", a guard,"
	case f.Guards == f.Hooks:
		hooks += ", all of them guards,"
	case f.Guards > 0:
		hooks += fmt.Sprintf(", %d of them guards,", f.Guards)
	}
	return "hookbridge doesn't run " + f.Agent.Title + "'s hooks yet; " + hooks + " " + run + " there only"
}
