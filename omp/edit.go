package omp

import (
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ascii"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/schema"
)

// A section is an edit's changes to one file: either changes by lines, or hunks with the text.
type section struct {
	patch.File
	changes []change
}

// A change replaces lines, or inserts before or after one.
type change struct {
	from, to int  // the lines, from 1; to 0: up to the file's end, because the end isn't known
	side     byte // '<' before the line, '>' after it, 0 instead of it
	register string
	pastes   bool // inserts the content of a register
	body     []string
}

// sections lists the files of an edit, in any of the client's forms (package 18.2.3, observed how its parser reads
// them): lines, a patch, or tags.
func sections(c *schema.Call) (all []section) {
	o, _ := ordjson.Members(c.Get(schema.FieldToolInput), 0)
	for _, name := range []string{"input", "_input"} {
		text, _ := o.Text(name)
		found := byLines(text)
		if len(found) == 0 || !startsWithHeading(text) {
			files, _ := patch.Grammar{}.Read(text)
			found = append(append(found, ofFiles(files)...), ofFiles(tagged(text))...)
		}
		all = append(all, found...)
	}
	return append(all, ofFiles(ofEntries(o))...)
}

func ofFiles(files []patch.File) []section {
	return lists.Map(files, func(f patch.File) section { return section{File: f} })
}

// isReplacement reports whether an edit has one path, an old and a new text.
func isReplacement(c *schema.Call) bool { return len(sections(c)) == 0 }

// byLines reads lines [PATH#TAG], each followed by the changes to that file. Any other text after PUT is new text.
func byLines(text string) (all []section) {
	for _, line := range strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if path, ok := heading(line); ok {
			all = append(all, section{File: patch.File{Op: patch.Update, Path: path}})
			continue
		}
		if len(all) == 0 {
			continue
		}

		s, word := &all[len(all)-1], strings.TrimSpace(line)
		last := len(s.changes) - 1
		verb := verbOf(word)
		switch {
		case strings.HasPrefix(line, "+") && last >= 0:
			s.changes[last].body = append(s.changes[last].body, line[1:])
		case verb == "PUT", verb == "CUT":
			s.changes = append(s.changes, changeOf(word))
		case word == "REM":
			s.Op = patch.Delete
		case verb == "MV" && word != verb:
			s.MoveTo = unwrapped(unquoted(word[len(verb):]))
		case last >= 0 && word != "" && !strings.HasPrefix(word, "*** "):
			s.changes[last].body = append(s.changes[last].body, line)
		}
	}
	return all
}

// verbOf returns the word at the beginning of a line.
func verbOf(line string) string {
	end := strings.IndexFunc(line, func(r rune) bool { return !ascii.Word(r) })
	if end < 0 {
		end = len(line)
	}
	return line[:end]
}

// changeOf parses a change of lines, as in "2.=4:", "<3:", ">$ @name" and "2*:". The end of a block isn't given, and an
// unreadable change may be about any line.
func changeOf(word string) (ch change) {
	unread := change{from: 1}
	verb := verbOf(word)
	rest, isText := strings.CutSuffix(strings.TrimSpace(word[len(verb):]), ":")
	ch.pastes = verb == "PUT" && !isText
	rest, ch.register, _ = strings.Cut(rest, "@")
	rest, isBlock := strings.CutSuffix(strings.TrimSpace(rest), "*")
	if rest != "" && (rest[0] == '<' || rest[0] == '>') {
		ch.side, rest = rest[0], rest[1:]
	}

	lines := strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(".=- \t", r) })
	if len(lines) == 0 || len(lines) > 2 {
		return unread
	}
	for i, at := range []*int{&ch.from, &ch.to} {
		text := lines[min(i, len(lines)-1)]
		n, err := strconv.Atoi(text)
		if *at = n; err != nil && text != "$" { // $ is the last line
			return unread
		}
	}
	if isBlock && ch.side == 0 {
		ch.to = 0
	}
	return ch
}

// heading returns the path in a line that begins a file; it once began with ¶.
func heading(line string) (path string, ok bool) {
	line = strings.TrimSpace(line)
	body, bracket := strings.CutPrefix(line, "[")
	switch {
	case bracket && strings.HasSuffix(body, "]"):
		path = unwrapped(unquoted(unmarked(strings.TrimSuffix(body, "]"))))
	case strings.HasPrefix(line, "¶"):
		path = unquoted(strings.TrimLeft(line, "¶"))
	}
	return path, path != ""
}

func startsWithHeading(text string) bool {
	for _, line := range strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n") {
		if word := strings.TrimSpace(line); word != "" && word != "*** Begin Patch" {
			_, ok := heading(line)
			return ok
		}
	}
	return false
}

// unmarked removes a patch's words before a path.
func unmarked(s string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(s), "***")
	words, path, cut := strings.Cut(rest, ":")
	switch strings.ToLower(strings.TrimSpace(words)) {
	case "add file", "update file", "delete file", "move to":
		if ok && cut {
			return path
		}
	}
	return s
}

// unquoted removes the tag of a path and the quotes around it.
func unquoted(s string) string {
	s = strings.TrimSpace(untagged(strings.TrimSpace(s)))
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

// tagged reads <SM:EDIT path="PATH"> before pairs of <SM:FIND> and <SM:PUT>, or <SM:AFTER>.
func tagged(text string) (files []patch.File) {
	for _, part := range strings.Split(text, "<SM:EDIT")[1:] {
		attributes, body, _ := strings.Cut(part, ">")
		path := ""
		for _, quote := range []string{`"`, "'"} {
			if words := strings.Split(attributes, quote); len(words) > 2 {
				path = words[1]
			}
		}
		switch {
		case path != "":
			files = append(files, patch.File{Op: patch.Update, Path: path})
		case len(files) == 0:
			continue
		}
		f := &files[len(files)-1]
		for _, pair := range strings.Split(body, "<SM:FIND>")[1:] {
			old, rest, _ := strings.Cut(pair, "</SM:FIND>")
			old, put := strings.Trim(old, "\n"), within(rest, "PUT")
			if after := within(rest, "AFTER"); after != "" {
				put = old + "\n" + after
			}
			f.Hunks = append(f.Hunks, patch.Replace(old, put))
		}
	}
	return files
}

func within(text, tag string) string {
	_, rest, _ := strings.Cut(text, "<SM:"+tag+">")
	inner, _, _ := strings.Cut(rest, "</SM:"+tag+">")
	return strings.Trim(inner, "\n")
}

// ofEntries reads a path and a list of changes to it: an op with a diff, or old and new texts.
func ofEntries(o ordjson.Object) (files []patch.File) {
	path, _ := o.Text("path")
	for _, e := range ordjson.Objects(o.Value("edits")) {
		diff, f := e.Str("diff"), patch.File{Op: patch.Update, Path: path, MoveTo: e.Str("rename")}
		switch {
		case e.Str("op") == "delete":
			f.Op = patch.Delete
		case e.Str("op") == "create":
			f.Op, f.Content = patch.Add, diff
		case e.Has("old_string"):
			f.Hunks = []patch.Hunk{patch.Replace(e.Str("old_string"), e.Str("new_string"))}
		default:
			if read, _ := (patch.Grammar{}).Read("*** Update File: x\n" + diff); len(read) == 1 {
				f.Hunks = read[0].Hunks
			}
		}
		files = append(files, f)
	}
	return files
}

// editParts lists the calls that are equivalent to an edit, one for each file that it may mean.
func editParts(c *schema.Call, files dialect.CallFiles) (parts []*schema.Call) {
	registers := map[string][]string{}
	for _, s := range sections(c) {
		named := []string{s.Path}
		if files != nil {
			if named = files.Named(s.Path); s.MoveTo != "" {
				s.MoveTo = files.Named(s.MoveTo)[0]
			}
		}
		for _, name := range named {
			f := s.File
			if f.Path = name; len(s.changes) > 0 || s.MoveTo != "" && f.Hunks == nil {
				f.Hunks = s.hunks(linesOf(name, files), registers)
			}
			parts = append(parts, family.PatchParts(c, []patch.File{f})...)
		}
	}
	return parts
}

func linesOf(file string, files dialect.CallFiles) []string {
	if files == nil {
		return nil
	}
	text, ok := files.Text(file)
	if !ok || text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
}

// hunks returns the changes with the lines that they replace: one hunk for each or, for a moved file, one for the whole
// file.
func (s *section) hunks(lines []string, registers map[string][]string) (hunks []patch.Hunk) {
	whole := map[int]patch.Hunk{} // by the first line
	covered := map[int]bool{}
	for _, ch := range s.changes {
		from, to := ch.from, ch.to
		if from == 0 {
			from = len(lines)
		}
		if from = min(max(from, 1), len(lines)+1); to == 0 {
			to = len(lines)
		}
		there := lines[from-1 : max(from-1, min(to, len(lines)))]
		if ch.pastes {
			ch.body = registers[ch.register]
		}

		var h patch.Hunk
		switch ch.side {
		case '<':
			h.Lines = append(marked('+', ch.body), marked(' ', there)...)
		case '>':
			h.Lines = append(marked(' ', there), marked('+', ch.body)...)
		default:
			h.Lines = append(marked('-', there), marked('+', ch.body)...)
			registers[""], registers[ch.register] = there, there
		}
		hunks, whole[from] = append(hunks, h), patch.Hunk{Lines: append(whole[from].Lines, h.Lines...)}
		for n := range there {
			covered[from+n] = true
		}
	}
	if s.MoveTo == "" || lines == nil {
		return hunks
	}

	var all patch.Hunk
	for n := 1; n <= len(lines)+1; n++ {
		if all.Lines = append(all.Lines, whole[n].Lines...); n <= len(lines) && !covered[n] {
			all.Lines = append(all.Lines, marked(' ', lines[n-1:n])...)
		}
	}
	return []patch.Hunk{all}
}

func marked(mark byte, lines []string) []patch.Line {
	return lists.Map(lines, func(line string) patch.Line { return patch.Line{Mark: mark, Text: line} })
}

// editKinds returns the kinds of an edit, by the change of its first file; a text that names no file is malformed.
func editKinds(c *schema.Call) []schema.Kind {
	if parts := editParts(c, nil); len(parts) > 0 {
		return lists.Map(parts[:1], func(p *schema.Call) schema.Kind { return p.Tool.Kind() })
	}
	c.Malformed = c.Malformed || c.Tool.Input.Text(schema.RoleCommand) != ""
	return c.Tool.Kinds
}

// EditInput returns an edit in the client's default form (observed 18.2.3): with an invented tag, and the added path.
func (Dialect) EditInput(path string, changes []dialect.LineChange) []byte {
	text := "[" + path + "#0000]"
	for _, c := range changes {
		lines := strconv.Itoa(c.From) + ".=" + strconv.Itoa(c.To)
		switch {
		case len(c.Lines) == 0:
			text += "\nCUT " + lines
		case c.From <= c.To:
			text += "\nPUT " + lines + ":"
		case c.From == 1:
			text += "\nPUT <1:"
		default:
			text += "\nPUT >" + strconv.Itoa(c.To) + ":"
		}
		for _, line := range c.Lines {
			text += "\n+" + line
		}
	}

	w := ordjson.NewWriter(nil)
	w.String("input", text)
	w.String("path", path)
	return w.Bytes()
}
