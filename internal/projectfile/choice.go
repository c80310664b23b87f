package projectfile

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/teamfile"
)

// A Choice selects the agents that run a hook of the project, in addition to the agent whose file has it.
type Choice struct {
	File string // from the project's root, with slashes
	// Place is where in the file the hook is, as doctor prints it: a line, or a JSON Pointer; "": every hook with the
	// command.
	Place string
	// Command is the hook's text as doctor prints it. A place alone would mean another hook once the file changes.
	Command string
	Agents  []Agent // only these
	Exclude []Agent // all except these; one of the two lists is nil

	Line, Col int
}

// lineOf returns the line that a place names, 0 if it names none.
func lineOf(place string) int {
	n, _ := strconv.Atoi(place)
	return n
}

// At reports whether the choice's place is that of a hook.
func (c *Choice) At(line int, pointer string) bool {
	return c.Place == "" || c.Place == pointer || line > 0 && lineOf(c.Place) == line
}

// Names lists the agents that either list names.
func (c *Choice) Names() []Agent { return slices.Concat(c.Agents, c.Exclude) }

// cutPlace splits FILE:LINE and FILE#POINTER.
func cutPlace(text string) (file, place string) {
	if i := strings.LastIndexByte(text, ':'); i > 0 && lineOf(text[i+1:]) > 0 {
		return text[:i], text[i+1:]
	}
	if file, pointer, ok := strings.Cut(text, "#/"); ok {
		return file, "/" + pointer
	}
	return text, ""
}

func choice(r *teamfile.Reader, e ordjson.Member) (c Choice) {
	c.Line, c.Col = r.Position(e.Off)
	lists := 0
	names := func(m ordjson.Member) (list []Agent) {
		lists++
		r.Names(m, m.Name+" is a list of names, such as [claude, cursor]", func(name string, off int) {
			line, col := r.Position(off)
			list = append(list, Agent{name, line, col})
		})
		if len(list) == 0 {
			r.Fail(m.Off, m.Name+" names no agent")
		}
		return list
	}
	for _, m := range r.Members(e, "a hook is a mapping with hook, command, and agents or exclude") {
		switch m.Name {
		case "hook":
			c.File, c.Place = cutPlace(r.Text(m))
			c.Line, c.Col = r.Position(m.Off)
		case "command":
			c.Command = r.Text(m)
		case "agents":
			c.Agents = names(m)
		case "exclude":
			c.Exclude = names(m)
		default:
			r.Unknown(m, "a hook has hook, command, and agents or exclude")
		}
	}

	switch {
	case c.File == "" || c.Command == "":
		r.Fail(e.Off, "a hook needs hook, the place that doctor prints, and command")
	case lists != 1:
		r.Fail(e.Off, "a hook needs either agents or exclude")
	}

	return c
}
