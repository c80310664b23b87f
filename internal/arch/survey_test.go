package arch

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// finders are the functions of internal/discover, and methods the methods and other functions, that find an agent's
// hook files.
var (
	finders = []string{"Load", "LoadBut", "LoadAll", "LoadOwn", "LoadPlugin", "Started", "Layers", "Worktree"}
	methods = []string{"Locate", "Located", "HoldsFile"}
)

// surveys lists the packages that find a project's hook files, and why they don't use adapter/survey. Dialects, which
// state where the files are, aren't listed.
var surveys = map[string]string{
	"adapter":                 "Located serves adapter/hookfile",
	"adapter/survey":          "the survey itself",
	"adapter/hookfile":        "reads the file or folder that a user names",
	"adapter/plan":            "asks whether an agent has a file of a project anywhere",
	"adapter/bridge":          "the runtime, which reads what one entry runs, at every call",
	"adapter/install":         "names the files that it writes, or takes its own fields out of",
	"adapter/inspect":         "names the file that convert would write",
	"internal/discover":       "reads the files that a dialect names",
	"internal/command/common": "names an entry by the folder that its host loads it from",
	"internal/command/story":  "prints where the runtime looked",
}

// TestSurvey checks that only adapter/survey finds the hook files of a project, except for the packages in the table.
func TestSurvey(t *testing.T) {
	used := map[string]bool{}
	sources(t, func(dir, _ string, fset *token.FileSet, f *ast.File) {
		first, _, _ := strings.Cut(dir, "/")
		if !slices.Contains([]string{"adapter", "internal", "cmd", "conformance", "web"}, first) {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, isName := sel.X.(*ast.Ident)
			finds := isName && pkg.Obj == nil && pkg.Name == "discover" && slices.Contains(finders, sel.Sel.Name)
			if !finds && !slices.Contains(methods, sel.Sel.Name) {
				return true
			}
			if used[dir] = true; surveys[dir] == "" {
				t.Errorf("%s finds hook files by %s: let adapter/survey do it", fset.Position(n.Pos()), sel.Sel.Name)
			}
			return true
		})
	})
	for dir := range surveys {
		if !used[dir] {
			t.Errorf("%s finds no hook files any more: take it off the table", dir)
		}
	}
}
