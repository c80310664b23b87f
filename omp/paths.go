package omp

import (
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/schema"
)

// located is how tools find a file (observed 18.2.3).
var located = schema.PathRules{Colon: true, Prefix: "@", First: true, Rooted: true, Spaces: true, FileURL: true,
	AnyCase: true, Home: true, AnyHome: true, Links: schema.WholeLinks}

// toRead is how a file to read is found. A path that names none may end with a selection of lines, or be several paths.
// It may have a shell's backslashes, or be the end of a path in the project (observed 18.2.3).
func toRead(tries [5]schema.Variant) schema.PathRules {
	rules := located
	rules.Tries, rules.Escapes, rules.Places, rules.Lists = tries, true, ":?", ";, "
	rules.Ending, rules.LooseEnding = true, true
	return rules
}

// toWrite is how a file to write is found: the part before ":" may be an archive or a database.
func toWrite() schema.PathRules {
	rules := located
	rules.Places = ":"
	return rules
}

// toEdit returns the rules for an edit's file: a missing file means the one of that name whose tag is in the edit.
func toEdit() schema.PathRules {
	rules := located
	rules.Trim, rules.Backslash, rules.ByName = schema.UnicodeBlanks, true, true
	return rules
}

// given returns the path of a call as the model wrote it.
func given(c *schema.Call) string {
	o, _ := ordjson.Members(c.Get(schema.FieldToolInput), 0)
	path, _ := o.Text("path")
	return path
}

// pathOf returns the file of a path: read accepts lines after it, and write a heading or a part of an archive or a
// database.
func pathOf(k schema.Kind, path string) string {
	switch {
	case strings.Contains(path, "://"):
	case k == schema.Write:
		path = unwrapped(path)
		for i := range path {
			if path[i] == ':' && holdsFiles(path[:i]) {
				return path[:i]
			}
		}
	default:
		for range 2 {
			if at := strings.LastIndexByte(path, ':'); at > 0 && isLines(path[at+1:]) {
				path = path[:at]
			}
		}
	}
	return path
}

// unwrapped removes the brackets in which a result names a file from a path.
func unwrapped(path string) string {
	body, opened := strings.CutPrefix(strings.TrimRightFunc(path, patch.ScriptBlank), "[")
	body, closed := strings.CutSuffix(body, "]")
	inner := untagged(body)
	if opened && closed && inner != "" && !strings.Contains(inner, "#") {
		return inner
	}
	return path
}

// containers are the suffixes of archives and databases; a path after ":" names a part to be written (package 18.2.3).
const containers = " zip jar war ear apk whl ipa xpi vsix nupkg cbz tar tgz tbz2 tbz txz tzst asar rar cbr 7z iso " +
	"cab cpio rpm ar a lib deb lzh lha arj gz bz2 xz zst z lzma sqlite sqlite3 db db3 "

func holdsFiles(path string) bool {
	at := strings.LastIndexByte(path, '.')
	return at >= 0 && strings.Contains(containers, " "+strings.ToLower(path[at+1:])+" ")
}

// isLines reports whether s selects lines of a file.
func isLines(s string) bool {
	switch strings.ToLower(s) {
	case "raw", "conflicts", "img":
		return true
	}
	return strings.ContainsAny(s, "0123456789") && strings.Trim(s, "0123456789-+,.lL") == ""
}

// namesNothing reports whether a write goes to the file of a conflict that a read has numbered: that file isn't known.
func namesNothing(c *schema.Call) bool {
	return c.Tool.Kind() == schema.Write && strings.Contains(given(c), "conflict://")
}

// owners returns calls of an MCP tool with each possible server name, as the end of the name isn't given.
func owners(c *schema.Call) (alternatives [][]*schema.Call) {
	for i := range c.Tool.Name {
		if i > 0 && c.Tool.Name[i] == '_' {
			p := c.Clone()
			p.Tool.Server = c.Tool.Name[:i]
			p.Tool.Skip(i + 1)
			alternatives = append(alternatives, []*schema.Call{p})
		}
	}
	return alternatives
}

// Split lists the files of an edit, resolves a file's path, and lists the possible servers of an MCP tool.
func (d Dialect) Split(c *schema.Call) (alternatives [][]*schema.Call) { return d.SplitFiles(c, nil) }

// SplitFiles is Split with access to the text that an edit replaces.
func (Dialect) SplitFiles(c *schema.Call, files dialect.CallFiles) (alternatives [][]*schema.Call) {
	t := &c.Tool
	if t.Name == editTool {
		if parts := editParts(c, files); len(parts) > 0 {
			return [][]*schema.Call{parts}
		}
		return nil
	}

	if t.Kind() == schema.MCP && t.Server == "" {
		return owners(c)
	}
	if parts := startedBy(c); len(parts) > 0 {
		return [][]*schema.Call{parts}
	}
	if _, ok := t.Input.Get(schema.RolePath); !ok { // a field of that name may be a server's
		return nil
	}
	path := given(c)
	paths := []string{path}
	if t.Kind() == schema.Grep {
		paths = strings.Split(path, ";")
	}
	var parts []*schema.Call
	for _, one := range paths {
		if len(paths) > 1 {
			one = strings.TrimSpace(one)
		}
		p := c.Clone()
		p.Tool.Whole = nil
		p.Tool.Input = p.Tool.Input.Set(schema.RolePath, "path", ordjson.AppendString(nil, pathOf(t.Kind(), one)))
		parts = append(parts, p)
	}
	if len(parts) == 1 && parts[0].Tool.Input.Text(schema.RolePath) == path {
		return nil
	}
	return [][]*schema.Call{parts}
}

// Join returns the input with the original path. The text of an edit and a list can't be rewritten.
func (Dialect) Join(c, part *schema.Call, in schema.Args) (schema.Args, bool) {
	list := c.Tool.Kind() == schema.Grep && strings.Contains(c.Tool.Input.Text(schema.RolePath), ";")
	if list || len(startedBy(c)) > 0 || c.Tool.Name == editTool && !isReplacement(c) {
		return nil, false
	}
	if was, ok := c.Tool.Input.Get(schema.RolePath); ok &&
		in.Text(schema.RolePath) == part.Tool.Input.Text(schema.RolePath) {
		in = in.Set(schema.RolePath, "path", was)
	}
	return in, true
}
