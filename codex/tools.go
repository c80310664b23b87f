package codex

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	patchTool = "apply_patch" // the only tool that changes files
	imageTool = "view_image"  // the only tool that reads files
)

// grammar is how Codex reads a patch (observed 0.169.0; openai/codex, apply-patch/src/parser.rs).
var grammar = patch.Grammar{Dropped: dropped}

// dropped are characters that Codex removes from paths, as in URLs: a file named ".", a tab and "env" is .env (observed
// 0.169.0).
const dropped = "\t\n\r"

// images are the files that Codex's model views instead of printing them.
var images = []string{".png", ".jpg", ".jpeg", ".gif", ".webp"}

// tools are the tools that hooks see (observed 0.169.0). Shell commands read files: there is no tool for it.
var tools = []schema.ToolRow{
	{Name: "Bash", Kinds: []schema.Kind{schema.Shell},
		Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand},
			{Name: "description", Role: schema.RoleDescription}}, Replaces: 1 << schema.RoleCommand,
		Parts: []schema.Kind{schema.Read, schema.Write, schema.Edit, schema.Delete}},
	{Name: patchTool, Aliases: []string{"Write", "Edit"}, Kinds: []schema.Kind{schema.Write, schema.Edit,
		schema.MultiEdit, schema.Delete, schema.Notebook},
		Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand}}, Replaces: 1 << schema.RoleCommand},
	{Name: "spawn_agent", Aliases: []string{"Agent"}, Kinds: []schema.Kind{schema.Agent},
		Input: []schema.ArgRow{{Name: "message", Role: schema.RolePrompt},
			{Name: "agent_type", Role: schema.RoleAgentType, Words: &agentTypes}}},
	{Name: imageTool, Kinds: []schema.Kind{schema.Read}, Path: schema.PathRules{Drop: dropped},
		Input: []schema.ArgRow{{Name: "path", Role: schema.RolePath}}},
}

// shellReads are the kinds of work that Codex's model does with shell commands, with the command for each: hooks see it
// as Bash.
var shellReads = []struct {
	kind    schema.Kind
	program string
	args    []schema.Role
}{
	{schema.Read, "cat", []schema.Role{schema.RolePath}},
	{schema.Grep, "rg", []schema.Role{schema.RolePattern, schema.RolePath}},
	{schema.Glob, "rg --files -g", []schema.Role{schema.RoleGlob, schema.RolePattern, schema.RolePath}},
	{schema.List, "ls", []schema.Role{schema.RolePath}},
}

// views shows a change of a file as a patch, and a read as a command.
func views(c *schema.Call, native string) []schema.View {
	v := schema.View{Event: native, Kind: c.Tool.Kind()}
	switch {
	case c.Dialect == profile.Name:
		return nil
	case v.Kind.ChangesFile():
		row := profile.Tool(patchTool)
		v.Tool, v.Target, v.Fixed = row.Name, append([]string{row.Name}, row.Aliases...), true
		if v.Kind != schema.Delete {
			v.Needs = schema.NeedChanges
		}
		return []schema.View{v}
	}

	for _, r := range shellReads {
		if r.kind != v.Kind {
			continue
		}
		v.Tool, v.Target, v.Fixed = "Bash", []string{"Bash"}, true
		if v.Kind != schema.Read || !slices.Contains(images,
			strings.ToLower(filepath.Ext(c.Tool.Input.Text(schema.RolePath)))) {
			return []schema.View{v}
		}
		image := v
		image.Tool, image.Target, image.Fixed = imageTool, []string{imageTool}, false
		return []schema.View{image, v}
	}

	return nil
}

// Restore reads the patch or the command that shows another agent's work.
func (Dialect) Restore(v schema.View, in schema.Args) (args schema.Args, ok bool) {
	if v.Tool == patchTool {
		return patchArgs(in)
	}
	words, plain := shell.Words(in.Text(schema.RoleCommand))
	for _, r := range shellReads {
		rest, of := strings.CutPrefix(strings.Join(words, "\x00"), r.program+"\x00")
		if r.kind != v.Kind || !plain || !of || len(in) != 1 {
			continue
		}
		values := strings.Split(rest, "\x00")
		if len(values) > len(r.args) {
			return nil, false
		}
		for i, s := range values {
			args = append(args, schema.Arg{Role: r.args[i], Raw: ordjson.AppendString(nil, s)})
		}
		return args, true
	}
	return nil, false // the meaning of a search's words isn't known
}

func patchArgs(in schema.Args) (schema.Args, bool) {
	files, err := grammar.Parse(in.Text(schema.RoleCommand))
	if err != nil || len(in) != 1 || len(files) != 1 || files[0].MoveTo != "" {
		return nil, false
	}
	return family.PatchArgs(files[0], files[0].Path), true
}

func input(dst []byte, c *schema.Call, v schema.View) ([]byte, bool) {
	command := ""
	switch _, own := c.Tool.Input.Get(schema.RoleCommand); {
	case own && c.Dialect == profile.Name:
	case own && v.Kind == schema.Shell && c.Event != schema.PermissionRequest: // only this event shows a description
		command = c.Tool.Input.Text(schema.RoleCommand)
	case v.Kind.ChangesFile() && v.Tool == patchTool:
		f := family.PatchFile(&c.Tool, v.Kind)
		f.Path = fromCwd(c, f.Path)
		command = string(patch.Append(nil, []patch.File{f}))
	default:
		for _, r := range shellReads {
			if r.kind != v.Kind || v.Tool != "Bash" {
				continue
			}
			command = r.program
			for _, role := range r.args {
				if s := c.Tool.Input.Text(role); s != "" {
					command += " " + shell.Quote(s)
				}
			}
		}
	}

	if command == "" {
		return dst, false
	}
	return ordjson.AppendTexts(dst, "command", command), true
}

// fromCwd returns a path as Codex's model writes it into a patch: its instructions require relative ones.
func fromCwd(c *schema.Call, path string) string {
	rel, err := filepath.Rel(c.Cwd, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return filepath.ToSlash(rel)
}

// classify sets the kind and the fields of a patch by the change of its first file. Split lists all of its files.
func classify(_ *family.Agent, c *schema.Call) {
	switch {
	case c.Tool.Name == imageTool && c.Event != schema.PreTool: // the result isn't the text of a file
		c.Tool.Kinds = []schema.Kind{schema.Other}
	case c.Tool.Name == patchTool:
		c.Tool.Kinds = family.PatchKinds(c, grammar, c.Tool.Input.Text(schema.RoleCommand))
	}
}

// Split lists the single actions of a call that does several things: the files of a patch, or a command and the files
// that it reads. Hooks of other agents see each as a separate call.
func (Dialect) Split(c *schema.Call) (alternatives [][]*schema.Call) {
	command := c.Tool.Input.Text(schema.RoleCommand)
	switch c.Tool.Name {
	case patchTool:
		return family.SplitPatch(c, grammar, command)
	case "Bash":
		runs, _ := shell.Runs(command)
		alternatives = [][]*schema.Call{append([]*schema.Call{c}, patchesIn(c, command, runs)...)}
		if reads := readsOf(c, runs); len(reads) > 0 {
			alternatives = append(alternatives, reads)
		}
		return alternatives
	}
	return nil
}

// patchesIn lists the changes that a command makes with patches, which Codex applies itself (observed 0.169.0). Their
// paths are relative to the command's folder at that point. If a patch isn't a plain argument of the program, the whole
// command is searched for it.
func patchesIn(c *schema.Call, command string, runs []shell.Run) (parts []*schema.Call) {
	if !strings.Contains(command, patchTool) && !strings.Contains(command, "applypatch") {
		return nil
	}

	runs = slices.DeleteFunc(slices.Clone(runs), func(r shell.Run) bool {
		return r.Program() != patchTool && r.Program() != "applypatch"
	})
	var seen []string
	add := func(files []patch.File, dir string) {
		seen = append(seen, string(patch.Append(nil, files)))
		at := c.Clone()
		if at.Cwd = dir; !filepath.IsAbs(dir) {
			at.Cwd = filepath.Join(c.Cwd, dir)
		}
		for _, part := range family.PatchParts(at, files) {
			part.Cwd = c.Cwd
			parts = append(parts, part)
		}
	}
	for i := range runs {
		for _, text := range given(&runs[i]) {
			if files, _ := grammar.Read(text); len(files) > 0 {
				add(files, runs[i].Dir)
			}
		}
	}

	known := len(seen)
	for i, files := range grammar.Find(command) {
		if slices.Contains(seen[:known], string(patch.Append(nil, files))) {
			continue
		}
		dir := ""
		if len(runs) > 0 {
			dir = runs[min(i, len(runs)-1)].Dir
		}
		add(files, dir)
	}

	return parts
}

// given lists the texts that a command line passes to a program: its arguments and here-documents.
func given(run *shell.Run) (texts []string) {
	for _, w := range run.Words[1:] {
		texts = append(texts, w.Text())
	}
	for _, r := range run.Redirects {
		if strings.HasPrefix(r.Op, "<<") {
			texts = append(texts, r.Body.Text())
		}
	}
	return texts
}

// Join returns the patch in which one file is changed by its rewritten part.
func (Dialect) Join(c, part *schema.Call, in schema.Args) (schema.Args, bool) {
	if c.Tool.Name != patchTool {
		return nil, false
	}
	joined, ok := family.JoinPatch(c, grammar, c.Tool.Input.Text(schema.RoleCommand), part, in)
	return schema.Args{{Role: schema.RoleCommand, Name: "command", Raw: joined}}, ok
}

// readers are programs that print files, by the number of plain arguments before the files.
var readers = []struct {
	program string
	skip    int
}{
	{"cat", 0}, {"head", 0}, {"tail", 0}, {"less", 0}, {"more", 0}, {"nl", 0}, {"tac", 0}, {"bat", 0}, {"od", 0},
	{"xxd", 0},
	{"strings", 0}, {"base64", 0}, {"wc", 0}, {"sed", 1}, {"awk", 1}, {"grep", 1}, {"rg", 1},
}

// readsOf finds the files that a command visibly prints, as with `cat FILE`. It doesn't see files that a script, a
// variable or another program reads.
func readsOf(c *schema.Call, runs []shell.Run) (reads []*schema.Call) {
	for i := range runs {
		for _, path := range printed(&runs[i]) {
			if !filepath.IsAbs(path) {
				path = filepath.Join(runs[i].Dir, path)
			}
			reads = append(reads, readOf(c, path))
		}
	}
	return reads
}

// printed lists the files that a program prints: its arguments, or its redirected input.
func printed(run *shell.Run) (files []string) {
	for _, r := range readers {
		if r.program != run.Program() {
			continue
		}
		skip, option := r.skip, ""
		for _, w := range run.Words[1:] {
			word := w.Text()
			switch {
			case strings.HasPrefix(word, "-"):
				option = word
				continue
			case option != "" && isNumber(word): // head -n 3
			case skip > 0:
				skip--
			default:
				files = append(files, word)
			}
			option = ""
		}
		for _, in := range run.Redirects {
			if in.Op == "<" {
				files = append(files, in.Target.Text())
			}
		}
	}

	return files
}

func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

func readOf(c *schema.Call, path string) *schema.Call {
	if !filepath.IsAbs(path) && c.Cwd != "" {
		path = filepath.Join(c.Cwd, path)
	}
	r := c.Clone()
	r.Tool.Whole, r.Tool.Kinds = nil, []schema.Kind{schema.Read}
	r.Tool.Input = schema.Args{{Role: schema.RolePath, Raw: ordjson.AppendString(nil, path)}}
	return r
}

func readResult(k schema.Kind, _ *schema.ToolRow, raw []byte) schema.Args {
	if k == schema.Shell && ordjson.KindOf(raw) == ordjson.StringKind {
		return schema.Args{{Role: schema.RoleStdout, Raw: raw}}
	}
	o, err := ordjson.Members(raw, 0)
	if err != nil || k != schema.MCP {
		return schema.Args{{Role: schema.RoleWhole, Raw: raw}}
	}
	return schema.DecodeArgs(o, []schema.ArgRow{{Name: "content", Role: schema.RoleBlocks}})
}

func result(dst []byte, c *schema.Call, v schema.View) []byte {
	t := &c.Tool
	switch {
	case v.Kind == schema.MCP:
		blocks, ok := t.Output.Get(schema.RoleBlocks)
		if !ok {
			blocks = []byte("[]")
		}
		w := ordjson.NewWriter(dst)
		w.Raw("content", blocks)
		return w.Bytes()
	case v.Kind.ChangesFile():
		mark := map[patch.Op]string{patch.Add: "A ", patch.Update: "M ",
			patch.Delete: "D "}[family.PatchFile(t, v.Kind).Op]
		return ordjson.AppendString(dst, "Exit code: 0\nOutput:\nSuccess. Updated the following files:\n"+
			mark+fromCwd(c, t.Input.Text(schema.RolePath))+"\n")
	case v.Kind == schema.Shell:
		said := t.Output.Text(schema.RoleStdout) + t.Output.Text(schema.RoleStderr)
		return ordjson.AppendString(dst, cmp.Or(said, c.Str(schema.FieldError)))
	case v.Kind == schema.Read:
		return ordjson.AppendString(dst, t.Output.Text(schema.RoleContent))
	}
	if raw, ok := t.Output.Get(schema.RoleWhole); ok {
		return append(dst, raw...)
	}
	return schema.AppendNamed(dst, t.Output)
}
