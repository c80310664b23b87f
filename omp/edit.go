package omp

import (
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/schema"
)

// files are those that an edit names: a line [PATH#TAG] before what is done to the file, whose new lines begin with
// "+" (source 18.2.3, tool-event-input.ts and hashline-compact.md). The text that was there isn't told.
func files(text string) (out []patch.File) {
	for _, line := range strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if path, ok := heading(line); ok {
			out = append(out, patch.File{Op: patch.Update, Path: path})
			continue
		}
		if len(out) == 0 {
			continue
		}
		f, word := &out[len(out)-1], strings.TrimSpace(line)
		moved, moves := strings.CutPrefix(word, "MV ")
		switch {
		case strings.HasPrefix(line, "+") && len(f.Hunks) > 0:
			h := &f.Hunks[len(f.Hunks)-1]
			h.Lines = append(h.Lines, patch.Line{Mark: '+', Text: line[1:]})
		case strings.HasPrefix(word, "PUT"), strings.HasPrefix(word, "CUT"):
			f.Hunks = append(f.Hunks, patch.Hunk{})
		case word == "REM":
			f.Op = patch.Delete
		case moves:
			f.MoveTo = unquoted(moved)
		}
	}
	return out
}

// heading is the path in a line that begins a file; ¶ did so once.
func heading(line string) (path string, ok bool) {
	old := strings.TrimLeft(line, " \t")
	body, bracket := strings.CutPrefix(line, "[")
	switch {
	case bracket && strings.HasSuffix(body, "]"):
		path = unquoted(strings.TrimSuffix(body, "]"))
	case strings.HasPrefix(old, "¶"):
		path = unquoted(strings.TrimLeft(old, "¶"))
	}
	return path, path != ""
}

// unquoted is a path without its tag and the quotes around it.
func unquoted(s string) string {
	s = untagged(strings.TrimSpace(s))
	if n := len(s); n > 1 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return s
}

func untagged(s string) string {
	at := len(s) - len("#0000")
	if at >= 0 && s[at] == '#' && strings.Trim(s[at+1:], "0123456789abcdefABCDEF") == "" {
		return s[:at]
	}
	return s
}

// pathOf is the file that a path means: read takes the lines behind it, and write the line that names a file.
func pathOf(k schema.Kind, path string) string {
	if strings.Contains(path, "://") {
		return path
	}
	for range 2 {
		if at := strings.LastIndexByte(path, ':'); k != schema.Write && at > 0 && isLines(path[at+1:]) {
			path = path[:at]
		}
	}
	body, opened := strings.CutPrefix(strings.TrimSpace(path), "[")
	body, closed := strings.CutSuffix(body, "]")
	inner := untagged(body)
	if named := inner != "" && !strings.Contains(inner, "#"); k == schema.Write && opened && closed && named {
		return inner
	}
	return path
}

// isLines reports whether s says which lines of a file are meant.
func isLines(s string) bool {
	switch strings.ToLower(s) {
	case "raw", "conflicts", "img":
		return true
	}
	return strings.ContainsAny(s, "0123456789") && strings.Trim(s, "0123456789-+,.lL") == ""
}

// editText is the form in which edit names its files; "" where it has a path.
func editText(t *schema.Tool) string { return t.Input.Text(schema.RoleCommand) }

// Split lists the files of an edit, and gives a file its name.
func (Dialect) Split(c *schema.Call) (alternatives [][]*schema.Call) {
	t := &c.Tool
	if text := editText(t); t.Name == editTool && text != "" {
		if parts := family.PatchParts(c, files(text)); len(parts) > 0 {
			return [][]*schema.Call{parts}
		}
		return nil
	}
	path := t.Input.Text(schema.RolePath)
	paths := []string{path}
	if t.Kind() == schema.Grep {
		paths = strings.Split(path, ";")
	}
	var parts []*schema.Call
	for _, one := range paths {
		p := c.Clone()
		p.Tool.Whole = nil
		file := ordjson.AppendString(nil, pathOf(t.Kind(), strings.TrimSpace(one)))
		p.Tool.Input = p.Tool.Input.Set(schema.RolePath, "path", file)
		parts = append(parts, p)
	}
	if len(parts) == 1 && parts[0].Tool.Input.Text(schema.RolePath) == path {
		return nil
	}
	return [][]*schema.Call{parts}
}

// Join returns the input with the path as it was written. The text of an edit and a list can't be written anew.
func (Dialect) Join(c, part *schema.Call, in schema.Args) (schema.Args, bool) {
	list := c.Tool.Kind() == schema.Grep && strings.Contains(c.Tool.Input.Text(schema.RolePath), ";")
	if list || c.Tool.Name == editTool && editText(&c.Tool) != "" {
		return nil, false
	}
	if was, ok := c.Tool.Input.Get(schema.RolePath); ok &&
		in.Text(schema.RolePath) == part.Tool.Input.Text(schema.RolePath) {
		in = in.Set(schema.RolePath, "path", was)
	}
	return in, true
}

// editKinds are those of what an edit does to its first file; one that names no file is malformed.
func editKinds(c *schema.Call) []schema.Kind {
	text := editText(&c.Tool)
	if text == "" {
		return c.Tool.Kinds
	}
	parts := family.PatchParts(c, files(text))
	if len(parts) == 0 {
		c.Malformed = true
		return c.Tool.Kinds
	}
	return lists.Map(parts[:1], func(p *schema.Call) schema.Kind { return p.Tool.Kind() })
}
