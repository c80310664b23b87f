package dialect

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Home returns the user's folder of an agent: the value of the variable, or the folder of that name in the home folder;
// "" if neither is known.
func Home(p schema.Places, variable, folder string) string {
	if dir := p.Env.Get(variable); dir != "" || p.Home == "" {
		return dir
	}
	return filepath.Join(p.Home, folder)
}

// IsPlace reports whether a text can be an absolute path. An agent's registry may contain any text.
func IsPlace(path string) bool { return filepath.IsAbs(path) && !strings.Contains(path, "\x00") }

// Within reports whether file is dir or is below it.
func Within(dir, file string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(rel)
}

// Inside reports whether a file is dir or is below it. It compares names, follows links, and detects that a folder
// above the file is dir under another name, as on a file system that ignores case.
func Inside(dir, file string) bool {
	if Within(dir, file) {
		return true
	}
	realDir, realFile := RealPath(dir), RealPath(file)
	if Within(dir, realFile) || Within(realDir, file) || Within(realDir, realFile) {
		return true
	}
	own, err := os.Stat(realDir)
	if err != nil {
		return false
	}
	for at := realFile; ; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && os.SameFile(own, info) {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

// RealPath returns the path without symbolic links. If the path doesn't exist, only its existing folders are resolved.
func RealPath(path string) string {
	if path == "" {
		return ""
	}
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	dir := filepath.Dir(path)
	if _, err := os.Lstat(path); err == nil || dir == path { // a broken link
		return path
	}
	return filepath.Join(RealPath(dir), filepath.Base(path))
}

// SameFolder reports whether two paths name one folder, on file systems that ignore case too.
func SameFolder(a, b string) bool {
	if a == b || !strings.EqualFold(a, b) {
		return a == b
	}
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(one, other)
}

// Linked reports whether a symbolic link below dir leads to file.
func Linked(dir, file string) bool {
	for at := file; Within(dir, at) && at != filepath.Clean(dir); at = filepath.Dir(at) {
		if info, err := os.Lstat(at); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// Argv returns the command line of a hook: the shell with the command, or the program itself if the hook has a list of
// arguments.
func Argv(h *schema.Hook, command string, shell ...string) []string {
	if h.Args != nil {
		return append([]string{h.Command}, h.Args...)
	}
	return append(shell, command)
}

// PowerShell returns the command line for PowerShell with these flags, the last of which takes the command. PowerShell
// alone exits with 1 for any exit code of a program, which would lose a denial by exit code.
func PowerShell(h *schema.Hook, command string, shell ...string) []string {
	if h.Args == nil {
		command += "\nif ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }"
	}
	return Argv(h, command, shell...)
}

// Filled returns a hook's command and arguments with their placeholders replaced.
func Filled(h *schema.Hook, fill *strings.Replacer) []string {
	argv := []string{fill.Replace(h.Command)}
	for _, a := range h.Args {
		argv = append(argv, fill.Replace(a))
	}
	return argv
}

// Bash returns the path of bash, or just its name if it isn't in the usual place.
func Bash() string {
	if _, err := os.Stat("/bin/bash"); err != nil {
		return "bash"
	}
	return "/bin/bash"
}

// ServersIn lists the MCP servers in the given fields of files. It skips files whose folder isn't known.
func ServersIn(files []string, read ReadFile, members ...string) (out []schema.Server) {
	for _, file := range files {
		if !IsPlace(file) {
			continue
		}
		text, _ := read(file)
		o, _, _ := ordjson.ParseLast(ordjson.BlankComments(text))
		for _, member := range members {
			out = append(out, Servers(o, member)...)
		}
	}
	return out
}

// Servers lists the MCP servers in a field.
func Servers(o ordjson.Object, member string) (out []schema.Server) {
	list, _ := o.Members(member)
	for _, m := range list {
		o, _ := ordjson.Members(m.Value, 0)
		s := schema.Server{Name: m.Name, URL: cmp.Or(o.Str("httpUrl"), o.Str("url")), Command: o.Str("command")}
		args, _ := o.Elements("args")
		for _, a := range args {
			text, _ := ordjson.String(a.Value)
			s.Args = append(s.Args, text)
		}
		out = append(out, s)
	}
	return out
}

// SetServer adds the location of the MCP server to a call, unless the payload has it.
func SetServer(c *schema.Call, s schema.Server) {
	if s.URL != "" && c.Get(schema.FieldServerURL) == nil {
		c.SetStr(schema.FieldServerURL, s.URL)
	}
	line := strings.TrimSpace(s.Command + " " + strings.Join(s.Args, " "))
	if line != "" && c.Get(schema.FieldServerCommand) == nil {
		c.SetStr(schema.FieldServerCommand, line)
	}
}

// NameServer splits the name of an MCP tool after the prefix of a configured server.
func NameServer(c *schema.Call, servers []schema.Server, begins func(server string) string) {
	if c.Tool.Kind() != schema.MCP || c.Tool.Server != "" {
		return
	}
	for _, s := range servers {
		if tool, ok := strings.CutPrefix(c.Tool.Name, begins(s.Name)); ok {
			c.Tool.Server = s.Name
			c.Tool.Skip(len(c.Tool.Name) - len(tool))
			return
		}
	}
}

// NameServerLast does the same for names that end with the server.
func NameServerLast(c *schema.Call, servers []schema.Server, names MCPNames) {
	if c.Tool.Kind() != schema.MCP || c.Tool.Server != "" {
		return
	}
	for _, s := range servers {
		if tool, ok := strings.CutSuffix(c.Tool.Name, names.Between+names.OfServer().Word(s.Name)); ok && tool != "" {
			c.Tool.Server, c.Tool.Name = s.Name, tool
			return
		}
	}
}

// PluginsOn merges the plugin switches in the field of each file; the later file wins.
func PluginsOn(cfgs []*schema.Config, member string) (on map[string]bool) {
	for _, c := range cfgs {
		o, _ := c.Extra.Members(member)
		for _, m := range o {
			if on == nil {
				on = map[string]bool{}
			}
			on[m.Name], _ = ordjson.Bool(m.Value)
		}
	}
	return on
}
