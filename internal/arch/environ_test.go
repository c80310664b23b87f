package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter/launcher"
	"github.com/hookbridge/hookbridge/adapter/plugin"
)

// unnamed lists expressions for the name of a variable where it is read: it comes from a profile's row, or from a
// hook's own text.
var unnamed = []string{"variable", "r.Name", "r.Variable", "p.StopBlocksVariable", "settingsVariable(d.Data.Name)",
	"name",
	"n.Home", "a.Names.Remote", "a.Names.Project"}

// TestVariables checks that each environment variable that the program reads is in the table of docs/security.md. An
// agent's variables must also be in its profile, which decides how hookbridge uses them.
func TestVariables(t *testing.T) {
	text, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	table := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`[A-Z_]+`[^|]*) \\|").FindAllStringSubmatch(string(text), -1) {
		for _, name := range regexp.MustCompile("`([A-Z_]+)`").FindAllStringSubmatch(row[1], -1) {
			table[name[1]] = true
		}
	}
	used, agents := map[string]bool{}, map[string]bool{}
	for _, d := range dialects() {
		for _, r := range d.Profile().Reads {
			agents[r.Name], used[r.Name] = true, true
			if !table[r.Name] {
				t.Errorf("%s: %s is not in the table of docs/security.md", d.Profile().Name, r.Name)
			}
		}
	}
	consts := map[string]string{} // by package and name
	files := map[string]*ast.File{}
	for _, file := range programFiles(t) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files[file] = f
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == len(v.Names) {
				for i, name := range v.Names {
					if s, ok := textOf(v.Values[i]); ok {
						consts[f.Name.Name+"."+name.Name] = s
					}
				}
			}
			return true
		})
	}
	for file, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			arg := read(n)
			if arg == nil {
				return true
			}
			name, ok := textOf(arg)
			switch x := arg.(type) {
			case *ast.Ident:
				name, ok = consts[f.Name.Name+"."+x.Name]
			case *ast.SelectorExpr:
				if of, isIdent := x.X.(*ast.Ident); isIdent && !ok {
					name, ok = consts[of.Name+"."+x.Sel.Name]
				}
			}
			switch expr := written(arg); {
			case !ok && !slices.Contains(unnamed, expr):
				t.Errorf("%s reads the variable %s: add its name to the table of docs/security.md", file, expr)
			case ok && !table[name]:
				t.Errorf("%s reads %s, which is not in the table of docs/security.md", file, name)
			case ok && slices.ContainsFunc(dialectNames(), func(d string) bool {
				return strings.Contains(filepath.ToSlash(file), "../"+d+"/")
			}) && !agents[name]:
				t.Errorf("%s reads %s, which is not among the profile's Reads", file, name)
			}
			used[name] = true
			return true
		})
	}
	for name := range ofLaunchers() {
		used[name] = true
		if !table[name] {
			t.Errorf("a launcher reads %s, which is not in the table of docs/security.md", name)
		}
	}
	for name := range table {
		if !used[name] {
			t.Errorf("docs/security.md: nothing reads %s", name)
		}
	}
}

// ofLaunchers returns the variables that the launchers of projects and of plugins read, for sh and for cmd. Names of
// the launcher's own are in lower case in the text for sh, and set in that for cmd, which has two of its own.
func ofLaunchers() map[string]bool {
	names, ofCmd := map[string]bool{}, []string{"errorlevel", "CD"}
	forSh, forCmd := regexp.MustCompile(`\$\{?([A-Z_][A-Z0-9_]*)`), regexp.MustCompile(`%+([A-Za-z_]+)[:%]`)
	for _, owner := range append(dialects(), nil) {
		text := launcher.Project()
		if owner != nil {
			text = (&plugin.Plugin{Owner: owner}).Launcher(&plugin.Options{Hosts: dialects(), Fetch: "x@1"})
		}
		sh, cmd := string(text.Shell()), string(text.Windows())
		for _, m := range forSh.FindAllStringSubmatch(sh, -1) {
			names[m[1]] = true
		}
		for _, m := range forCmd.FindAllStringSubmatch(cmd, -1) {
			if !strings.Contains(cmd, `set "`+m[1]+"=") && !slices.Contains(ofCmd, m[1]) {
				names[strings.ToUpper(m[1])] = true
			}
		}
	}
	return names
}

func dialectNames() (names []string) {
	for _, d := range dialects() {
		names = append(names, d.Profile().Name)
	}
	return names
}

// read returns the name of the variable that an expression reads, nil if it reads none.
func read(n ast.Node) ast.Expr {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return nil
	}
	fun := written(call.Fun)
	of, method, _ := cut(fun)
	switch {
	case (method == "Getenv" || method == "LookupEnv") && of == "os" || fun == "isSet":
		return call.Args[0]
	case method == "Get" && len(call.Args) == 1 && (of == "env" || strings.HasSuffix(of, "Env") || of == "vars" ||
		strings.HasPrefix(of, "schema.Environ(")):
		return call.Args[0]
	case fun == "dialect.Home":
		return call.Args[1]
	}
	return nil
}

func cut(fun string) (of, method string, ok bool) {
	i := strings.LastIndexByte(fun, '.')
	if i < 0 {
		return "", fun, false
	}
	return fun[:i], fun[i+1:], true
}

func textOf(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

// written returns a short expression as written.
func written(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return written(x.X) + "." + x.Sel.Name
	case *ast.BasicLit:
		return x.Value
	case *ast.IndexExpr:
		return written(x.X) + "[" + written(x.Index) + "]"
	case *ast.CallExpr:
		var args []string
		for _, a := range x.Args {
			args = append(args, written(a))
		}
		return written(x.Fun) + "(" + strings.Join(args, ", ") + ")"
	}
	return "?"
}

// programFiles lists the program's files.
func programFiles(t *testing.T) (files []string) {
	t.Helper()
	skip := []string{"testdata", "conformance", "bench", "scripts", "tools", "web", ".git", "examples", "arch",
		"material", "hookshell", "golden"}
	err := filepath.WalkDir("../..", func(file string, e os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && slices.Contains(skip, e.Name()):
			return filepath.SkipDir
		case strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go"):
			files = append(files, file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
