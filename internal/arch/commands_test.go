package arch

import (
	"go/ast"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommandsApart: no file of a command needs what is declared in the file of another one. What
// several need is in a file that bears no command's name; the tables alone name all commands.
func TestCommandsApart(t *testing.T) {
	const dir = "cmd/hookbridge"
	names := map[string]bool{"complete": true} // the command completion
	declared := map[string]string{}            // the command that declares a name
	var files []source
	for _, s := range parsed(t) {
		if s.dir == dir {
			files = append(files, s)
			for _, name := range commandsIn(s.ast) {
				names[name] = true
			}
		}
	}
	commandOf := func(file string) string {
		name, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".go"), "_")
		if names[name] {
			return name
		}
		return ""
	}
	for _, s := range files {
		for name := range s.ast.Scope.Objects {
			if c := commandOf(s.file); c != "" {
				declared[name] = c
			}
		}
	}
	for _, s := range files {
		base := filepath.Base(s.file)
		if base == "main.go" || strings.HasPrefix(base, "table") {
			continue
		}
		for _, id := range s.ast.Unresolved {
			if c := declared[id.Name]; c != "" && c != commandOf(s.file) {
				t.Errorf("%s: %s belongs to the command %s", s.fset.Position(id.Pos()), id.Name, c)
			}
		}
	}
	if len(names) < 15 {
		t.Errorf("found the commands %v only", names)
	}
}

// commandsIn lists the names of the commands that a table declares.
func commandsIn(f *ast.File) (names []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		kv, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		key, _ := kv.Key.(*ast.Ident)
		value, _ := kv.Value.(*ast.BasicLit)
		if key != nil && key.Name == "name" && value != nil {
			names = append(names, strings.Trim(value.Value, `"`))
		}
		return true
	})
	return names
}
