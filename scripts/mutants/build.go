package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
)

// supportDir is the folder that the package imported by changed files appears to be in.
const supportDir = "scripts/mutants/support"

// A build has the files of packages with all their changes, and the programs of their tests.
type build struct {
	root, dir string
	module    string
	sources   []*source
	mutants   []mutant
}

// read finds the changes of packages.
func read(root, dir string, packages []string) (*build, error) {
	b := &build{root: root, dir: dir}
	const format = `{{with .Module}}{{.Path}}{{end}}	{{.ImportPath}}	{{.Export}}	{{join .GoFiles " "}}`
	list := []string{"list", "-export", "-deps", "-f", format}
	out, err := b.goTool(append(list, lists.Map(packages, func(p string) string { return "./" + p })...)...)
	if err != nil {
		return nil, err
	}
	exports, files := map[string]string{}, map[string]string{}
	for line := range strings.Lines(out) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		exports[f[1]], files[f[1]] = f[2], f[3]
		b.module = f[0] // the packages named on the command line come last
	}

	fset := token.NewFileSet()
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", lookup)}
	for _, p := range packages {
		found, err := sources(fset, root, p, strings.Fields(files[b.module+"/"+p]))
		if err != nil {
			return nil, err
		}
		trees := lists.Map(found, func(s *source) *ast.File { return s.tree })
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
		own, err := config.Check(b.module+"/"+p, fset, trees, info)
		if err != nil {
			return nil, err
		}
		for _, s := range found {
			s.own, s.info = own, info
		}
		b.sources = append(b.sources, found...)
	}
	return b, nil
}

func sources(fset *token.FileSet, root, pkg string, names []string) (all []*source, err error) {
	for _, name := range names {
		s := &source{pkg: pkg, file: filepath.Join(pkg, name), fset: fset, without: map[int]bool{}}
		if s.text, err = os.ReadFile(filepath.Join(root, s.file)); err != nil {
			return nil, err
		}
		s.tree, err = parser.ParseFile(fset, filepath.Join(root, s.file), s.text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

func (b *build) goTool(args ...string) (string, error) {
	c := exec.Command("go", args...)
	c.Dir = b.root
	out, err := c.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(exit.Stderr), fmt.Errorf("go %s: %w\n%s", args[0], err, exit.Stderr)
	}
	return string(out), err
}

// compile writes all changes into copies of the files, makes the compiler use the copies, and builds the tests of
// packages. Lines that don't compile when changed, such as a call of panic at the end of a function, stay unchanged.
func (b *build) compile(packages []string) error {
	for {
		b.mutants = nil
		for _, s := range b.sources {
			s.first = len(b.mutants) + 1
			s.mutate()
			b.mutants = append(b.mutants, s.mutants...)
		}
		if err := b.write(); err != nil {
			return err
		}

		args := append(b.flags("build"), "./...")
		out, err := b.goTool(args...)
		if err == nil {
			break
		}
		if !b.leaveOut(out) {
			return err
		}
	}

	for _, p := range packages {
		args := append(b.flags("test"), "-c", "-vet=off", "-ldflags=-w", "-o", b.program(p), "./"+p)
		if _, err := b.goTool(args...); err != nil {
			return err
		}
	}
	return nil
}

func (b *build) flags(command string) []string {
	return []string{command, "-overlay", filepath.Join(b.dir, "overlay.json"), "-gcflags=" + b.module + "/...=-e"}
}

func (b *build) program(pkg string) string {
	return filepath.Join(b.dir, strings.ReplaceAll(pkg, "/", "-")+".test")
}

func (b *build) write() error {
	replace := map[string]string{}
	put := func(name string, text []byte) error {
		file := filepath.Join(b.dir, strings.ReplaceAll(name, "/", "-"))
		replace[filepath.Join(b.root, name)] = file
		return os.WriteFile(file, text, 0o600)
	}
	for _, s := range b.sources {
		if err := put(s.file, s.changed(b.module+"/"+supportDir)); err != nil {
			return err
		}
	}
	size := fmt.Sprintf("\nconst size = %d\n", len(b.mutants)+1)
	if err := put(supportDir+"/support.go", []byte(support+size)); err != nil {
		return err
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.dir, "overlay.json"), text, 0o600)
}

var rejected = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):\d+: `)

// leaveOut leaves out the lines that the compiler rejects. ok is false if it rejects no further ones.
func (b *build) leaveOut(out string) (ok bool) {
	for _, m := range rejected.FindAllStringSubmatch(out, -1) {
		line, _ := strconv.Atoi(m[2])
		for _, s := range b.sources {
			if strings.HasSuffix(m[1], strings.ReplaceAll(s.file, "/", "-")) || strings.HasSuffix(m[1], s.file) {
				ok = ok || !s.without[line]
				s.without[line] = true
			}
		}
	}
	return ok
}
