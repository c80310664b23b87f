package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

const module = "github.com/hookbridge/hookbridge/"

// floors lists the packages from the bottom up. A package may import only packages of lower floors; packages of one
// floor don't import each other.
var floors = [][]string{
	{"internal/ascii", "internal/swap", "internal/golden", "internal/startstack"},
	{"internal/jsregexp", "internal/lists", "internal/yaml", "internal/packed", "internal/watch",
		"internal/watch/watchtest"},
	{"internal/ordjson", "internal/process", "internal/state", "internal/jsonedit", "internal/suggest",
		"internal/redact", "internal/shell", "internal/wildcard", "internal/junit", "internal/patch"},
	{"schema", "internal/jsondoc", "internal/frontmatter", "internal/material", "internal/scriptread"},
	{"internal/matcher", "internal/hookshell", "internal/tomljson", "internal/teamfile", "internal/toolpath"},
	{"dialect"},
	{"dialect/family"},
	{ownDialects, "internal/discover", "internal/schematest", "internal/scenario", "internal/projectfile",
		"internal/transcript"},
	{derivedDialects},
	{forkedDialects},
	{"adapter", "adapter/trust", "adapter/session", "internal/edits"},
	{"adapter/cmdline", "adapter/hookfile"},
	{"adapter/plan"},
	{"adapter/sample", "adapter/survey", "adapter/launcher"},
	{"adapter/choice"},
	{"adapter/bridge", "adapter/convert"},
	{"adapter/simulate", "adapter/plugin"},
	{"adapter/inspect"},
	{"adapter/install"},
	{"conformance", "web"},
	{"internal/command/cli"},
	{"internal/command/common"},
	{"internal/command/story"},
	{"internal/command/run", "internal/command/setup", "internal/command/install", "internal/command/doctor",
		"internal/command/canary", "internal/command/trust", "internal/command/fire", "internal/command/test",
		"internal/command/log", "internal/command/check", "internal/command/convert", "internal/command/plugin",
		"internal/command/translate", "internal/command/matrix", "internal/command/conformance",
		"internal/command/explain", "internal/command/schemas", "internal/command/help",
		"internal/command/upgrade", "internal/command/version"}, // none needs another
	{"cmd/hookbridge", "internal/hostile"},
}

// ownDialects stands for the packages of dialects that use no other one, derivedDialects for those that do, and
// forkedDialects for those that use a derived one: their agent is its fork.
const ownDialects, derivedDialects, forkedDialects = "own dialects", "derived dialects", "forked dialects"

func TestFloors(t *testing.T) {
	level := map[string]int{}
	for i, f := range floors {
		for _, p := range f {
			level[module+p] = i
		}
	}
	packages := list(t, "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...")
	var dialects []string
	for _, d := range adapter.Dialects() {
		dialects = append(dialects, module+d.Profile().Name)
	}
	takes := map[string][]string{}
	for line := range strings.Lines(packages) {
		if words := strings.Fields(line); slices.Contains(dialects, words[0]) {
			takes[words[0]] = slices.DeleteFunc(words[1:], func(imp string) bool {
				return !slices.Contains(dialects, imp)
			})
		}
	}
	for pkg, from := range takes {
		switch {
		case slices.ContainsFunc(from, func(d string) bool { return len(takes[d]) > 0 }):
			level[pkg] = level[module+forkedDialects]
		case len(from) > 0:
			level[pkg] = level[module+derivedDialects]
		default:
			level[pkg] = level[module+ownDialects]
		}
	}

	for line := range strings.Lines(packages) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(line), " ")
		if pkg == module+"internal/arch" || beside(pkg) {
			continue
		}
		l, ok := level[pkg]
		if !ok {
			t.Errorf("%s is in no floor: add it to the table", pkg)
			continue
		}
		for imp := range strings.FieldsSeq(imports) {
			if strings.HasPrefix(imp, module) && level[imp] >= l {
				t.Errorf("%s (floor %d) imports %s (floor %d)", pkg, l, imp, level[imp])
			}
		}
	}
}

// soleImporters lists packages that only the named packages of ours may import, separated by blanks.
var soleImporters = []struct{ prefix, importers string }{
	{"gopkg.in/yaml.v3", "internal/yaml"},
	{"github.com/tailscale/hujson", "internal/jsonedit"},
	{"github.com/pelletier/go-toml/v2", "internal/tomljson"},
	{"github.com/santhosh-tekuri/jsonschema", "internal/schematest"},
	{"mvdan.cc/sh/v3", "internal/shell internal/hookshell"},
	{"golang.org/x/text", "internal/toolpath"},
	{"os/exec", ""},
	{"os/signal", "internal/command/cli"},
	{"log", ""},
	{"regexp", "internal/matcher internal/scriptread"},
	{"reflect", ""},
	{"github.com/goccy/go-json", "internal/jsondoc"},
	{"encoding/json", "internal/schematest"},
}

// beside reports whether a package is a tool of the repository, not part of the program.
func beside(pkg string) bool {
	return pkg == module+"bench" || strings.HasPrefix(pkg, module+"bench/") ||
		strings.HasPrefix(pkg, module+"scripts/") || pkg == module+"internal/browser"
}

func TestSoleImporters(t *testing.T) {
	for line := range strings.Lines(list(t, "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...")) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(line), " ")
		for imp := range strings.FieldsSeq(imports) {
			for _, s := range soleImporters {
				if beside(pkg) {
					continue
				}
				ours := slices.Contains(strings.Fields(s.importers), strings.TrimPrefix(pkg, module))
				if (imp == s.prefix || strings.HasPrefix(imp, s.prefix+"/")) && !ours {
					t.Errorf("%s imports %s", pkg, imp)
				}
			}
		}
	}
}

// TestBinary keeps packages that cost start-up time out of the program.
func TestBinary(t *testing.T) {
	banned := []string{"net", "net/http", "net/netip", "net/url", "crypto/tls", "text/template", "html/template",
		"testing", "github.com/google/go-cmp/cmp", module + "internal/schematest", module + "internal/material",
		module + "internal/hookshell", module + "internal/golden", module + "internal/browser"}
	deps := strings.Fields(list(t, "-deps", module+"cmd/hookbridge"))
	for _, d := range deps {
		for _, b := range banned {
			if d == b {
				t.Errorf("cmd/hookbridge links %s", d)
			}
		}
	}
}

func list(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return string(out)
}

// sources parses every file of the module that is not a test, once.
func sources(t *testing.T, do func(dir, file string, fset *token.FileSet, f *ast.File)) {
	t.Helper()
	for _, s := range parsed(t) {
		do(s.dir, s.file, s.fset, s.ast)
	}
}

// TestFileLength checks that a file is short enough to read completely. It counts lines of code, not blank lines and
// comments.
func TestFileLength(t *testing.T) {
	const most = 400
	sources(t, func(_, file string, _ *token.FileSet, _ *ast.File) {
		text, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(codeLines(text)); n > most {
			t.Errorf("%s has %d lines of code, more than %d: split it by what it holds", file, n, most)
		}
	})
}

type source struct {
	dir, file string
	fset      *token.FileSet
	ast       *ast.File
}

var parseOnce = sync.OnceValues(parseAll)

func parsed(t *testing.T) []source {
	t.Helper()
	list, err := parseOnce()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func parseAll() (list []source, err error) {
	root := "../.."
	fset := token.NewFileSet()
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if n := d.Name(); n == ".git" || n == "testdata" || n == "bench" || n == "scripts" || n == "tools" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		list = append(list, source{filepath.ToSlash(filepath.Dir(rel)), filepath.ToSlash(rel), fset, f})
		return nil
	})
	return list, err
}

// outside are calls that only the command may make: libraries get the environment, the clock and the folders as
// arguments.
var outside = map[string][]string{
	"os": {"Exit", "Getenv", "LookupEnv", "Environ", "Getwd", "UserHomeDir", "Setenv", "Args", "Stdin", "Stdout",
		"Stderr"},
	"time": {"Now"},
	"fmt":  {"Print", "Printf", "Println"},
}

// clocks may read the time: they measure or wait, and base no decision on it.
var clocks = []string{"internal/process", "internal/state", "internal/matcher", "internal/jsregexp", "internal/watch"}

func TestNoHiddenInputs(t *testing.T) {
	sources(t, func(dir, file string, fset *token.FileSet, f *ast.File) {
		command := strings.HasPrefix(dir, "cmd/") || strings.HasPrefix(dir, "internal/command/")
		testOnly := []string{"internal/material", "internal/hookshell", "internal/golden"}
		if command || slices.Contains(testOnly, dir) {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := sel.X.(*ast.Ident)
			if !ok || pkg.Obj != nil {
				return true
			}
			for _, name := range outside[pkg.Name] {
				if sel.Sel.Name == name && !(pkg.Name == "time" && contains(clocks, dir)) {
					t.Errorf("%s uses %s.%s", fset.Position(n.Pos()), pkg.Name, name)
				}
			}
			return true
		})
	})
}

func TestNoInit(t *testing.T) {
	sources(t, func(dir, file string, fset *token.FileSet, f *ast.File) {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s declares init", file)
			}
		}
	})
}

// TestNoAssignedGlobals checks that package-level variables are tables: nothing assigns to them.
func TestNoAssignedGlobals(t *testing.T) {
	globals := map[string]bool{}
	top := map[*ast.ValueSpec]bool{}
	sources(t, func(dir, file string, fset *token.FileSet, f *ast.File) {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				top[s.(*ast.ValueSpec)] = true
				for _, n := range s.(*ast.ValueSpec).Names {
					globals[dir+"."+n.Name] = true
				}
			}
		}
	})
	// The identifier of a variable in the same file has its declaration; one from another file doesn't.
	global := func(dir string, id *ast.Ident) bool {
		if id.Obj == nil {
			return globals[dir+"."+id.Name]
		}
		spec, ok := id.Obj.Decl.(*ast.ValueSpec)
		return ok && top[spec]
	}
	sources(t, func(dir, file string, fset *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if !ok || a.Tok == token.DEFINE {
				return true
			}
			for _, l := range a.Lhs {
				if id, ok := l.(*ast.Ident); ok && id.Name != "_" && global(dir, id) {
					t.Errorf("%s assigns to the package-level %s", fset.Position(l.Pos()), id.Name)
				}
			}
			return true
		})
	})
}

// TestNativeWords checks that no word of an agent is in the code outside its package. It finds whole texts that are a
// name of the agent, its events, tools, folders, variables and answers, and words inside texts if prose doesn't have
// their form.
func TestNativeWords(t *testing.T) {
	whole, part := map[string]string{}, map[string]string{}
	for _, d := range dialects() {
		p := d.Profile()
		whole[p.Name], whole[p.Title] = p.Name, p.Name
		for _, row := range p.Events {
			whole[row.Native] = p.Name
		}
		for _, row := range p.Tools {
			if len(row.Name) > 5 {
				whole[row.Name] = p.Name
			}
		}
		words := slices.Concat([]string{"." + p.Name, strings.ToUpper(p.Name) + "_", p.EnvFile.Variable, p.MCP.Prefix},
			p.Folders, p.Plugins.Manifests, p.HostVariables, p.AnswerWords)
		for _, w := range words {
			if whole[w] = p.Name; w != strings.ToLower(w) || strings.ContainsAny(w, "._/") {
				part[w] = p.Name
			}
		}
	}
	for e := range schema.NumEvents {
		delete(whole, e.String()) // the canonical names
	}
	for _, w := range []string{"", "Setup", "Notification", "create", "Elicitation", "replace", "apply_patch",
		"powershell", "OMP_"} {
		delete(whole, w) // ordinary words too, the name of a format and of a shell, and a part of COMP_WORDS
		delete(part, w)
	}
	owner := func(s string) string {
		if whole[s] != "" {
			return whole[s]
		}
		for w, name := range part {
			if strings.Contains(s, w) {
				return name
			}
		}
		return ""
	}
	sources(t, func(dir, file string, fset *token.FileSet, f *ast.File) {
		if contains(dialectDirs, dir) || showsExamples(filepath.ToSlash(filepath.Join(dir, filepath.Base(file)))) {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if _, imported := n.(*ast.ImportSpec); imported || !ok || lit.Kind != token.STRING {
				return !imported
			}
			if s, err := strconv.Unquote(lit.Value); err == nil && owner(s) != "" {
				t.Errorf("%s says %q, which has a word of %s", fset.Position(lit.Pos()), s, owner(s))
			}
			return true
		})
	})
}

// dialectDirs are the packages that may use native words: the dialects, and the code that a family shares.
var dialectDirs = func() []string {
	dirs := []string{"dialect/family"}
	for _, d := range adapter.Dialects() {
		dirs = append(dirs, strings.TrimPrefix(reflect.TypeOf(d).PkgPath(), module))
	}
	return dirs
}()

// TestStated checks that a dialect isn't another dialect with changes. It embeds an agent that its own package states,
// so that nothing is inherited silently and then undone.
func TestStated(t *testing.T) {
	for _, d := range adapter.Dialects() {
		typ := reflect.TypeOf(d)
		for i := range typ.NumField() {
			f := typ.Field(i)
			if _, is := reflect.Zero(f.Type).Interface().(dialect.Dialect); f.Anonymous && is {
				t.Errorf("%s embeds %s", typ, f.Type)
			}
		}
	}
	sources(t, func(dir, file string, fset *token.FileSet, f *ast.File) {
		if !contains(dialectDirs, dir) {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if fn, ok := n.(*ast.FuncDecl); ok && fn.Recv != nil && fn.Body != nil && len(fn.Body.List) == 0 &&
				fn.Type.Results == nil {
				t.Errorf("%s: %s has a method %s that does nothing: state the ability or leave it out",
					fset.Position(fn.Pos()), dir, fn.Name.Name)
			}
			return true
		})
	})
}

// showsExamples reports whether the texts of a file contain example commands and files; the registry's may, too.
func showsExamples(file string) bool {
	command, _ := filepath.Match("internal/command/*/command.go", file)
	return command || file == "adapter/registry.go" || strings.HasPrefix(file, "schema/codes_")
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
