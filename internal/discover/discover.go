// Package discover finds and reads the files that configure hooks. Dialects define where the files are and what they
// mean; this package decides which of them exist and may be read.
package discover

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// MaxFile is the largest configuration file that is read, in bytes. MaxProject is the most that is read of a
// repository's files, in one or in all: they must not use up the time of the user's hooks. The largest hook file in
// some thousand public repositories has 62 kB. A file counts as at least perFile bytes, so that their number is limited
// too.
const (
	MaxFile    = 16 << 20
	MaxProject = 1 << 20
	perFile    = 4 << 10
)

// A Reader reads a dialect's configuration files.
type Reader interface {
	Profile() *dialect.Profile
	Locate(schema.Places) []schema.Source
	Given(file string) schema.Source
	Plugins(p schema.Places, cfgs []*schema.Config, read func(string) ([]byte, error)) []schema.Source
	ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics)
	Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics)
}

// A Result is what was found.
type Result struct {
	Hooks   []schema.Hook
	Configs []*schema.Config // readable ones, in the dialect's order
	Texts   [][]byte         // their bytes
	// Failed is set if a file that exists, or that the user named, could not be
	// read or parsed; the others still count.
	Failed bool
	// Partial is set if the repository's files contain more than is read, so that hooks may be missing.
	Partial bool

	budget *Budget
}

// A Budget is how much more of a repository's files may be read. A nil Budget reads any file.
type Budget struct {
	project string // "": none
	left    int
	over    bool
}

// NewBudget returns the budget of a project. A user's own folder isn't a repository, although agents may be started
// there.
func NewBudget(p schema.Places) *Budget {
	b := &Budget{left: MaxProject}
	if p.Project != "" && !dialect.Within(p.Project, p.Home) {
		b.project = p.Project
	}
	return b
}

// errOver is the error for a file that is over the budget.
var errOver = errors.New("the project's hook files hold more than 1 MiB together")

// Read is [Read], except that a repository's file over the budget isn't read, which is an error.
func (b *Budget) Read(file string) ([]byte, error) {
	if b == nil || b.project == "" || !dialect.Within(b.project, file) {
		return Read(file)
	}
	return b.read(file)
}

func (b *Budget) read(file string) ([]byte, error) {
	text, size, err := ReadStart(file, int64(max(b.left, 1)))
	if err != nil {
		return nil, err
	}
	b.left -= int(min(max(size, perFile), MaxFile))
	if b.left < 0 {
		b.over = true
		return nil, &fs.PathError{Op: "read", Path: file, Err: errOver}
	}
	return text, nil
}

// Load reads the files that given names. If it names none, Load reads the agent's own files, and the usual places if a
// variable moves them. It continues after an unreadable file.
func Load(r Reader, p schema.Places, given []string) (Result, schema.Diagnostics) {
	return LoadBut(r, p, given, nil)
}

// LoadBut is Load as if the sources for which skip returns true did not exist: it ignores their hooks, and their
// settings for others' hooks.
func LoadBut(r Reader, p schema.Places, given []string, skip func(schema.Source) bool) (Result, schema.Diagnostics) {
	usual, moved := r.Profile().Usual(p)
	if !moved || len(given) > 0 {
		return load(r, p, given, len(given) == 0, skip)
	}
	res, ds := load(r, usual, nil, true, skip)
	more, found := load(marking{r, sourcesOf(r, usual, &res)}, p, nil, true, skip)
	res.unite(&more)
	for _, d := range found { // the project's files were read twice
		if !slices.ContainsFunc(ds, func(have schema.Diagnostic) bool { return have.String() == d.String() }) {
			ds = append(ds, d)
		}
	}
	return res, ds
}

// LoadAll reads the files that given names and the agent's own files.
func LoadAll(r Reader, p schema.Places, given []string) (Result, schema.Diagnostics) {
	return load(r, p, given, true, nil)
}

// LoadOwn reads the agent's own files, except sources for which skip returns true.
func LoadOwn(r Reader, p schema.Places, skip func(schema.Source) bool) (Result, schema.Diagnostics) {
	if usual, moved := r.Profile().Usual(p); moved {
		r = marking{r, sourcesOf(r, usual, &Result{})}
	}
	return load(r, p, nil, true, skip)
}

// LoadPlugin reads the files of the plugin in the folder root as its agent does. The agent that has installed the
// plugin may have renamed the manifest to installed. Several agents may read the files: events of others aren't an
// error.
func LoadPlugin(r Reader, root, installed string) (Result, schema.Diagnostics) {
	var res Result
	rules := r.Profile().Plugins
	manifest, _ := rules.Manifest(root, Read)
	if manifest == "" && installed != "" {
		rules.Manifests = []string{installed}
	}
	_, ds := rules.Files(root, Read)
	sources := rules.Sources(root, Read)
	if manifest == "" {
		moved := filepath.Join(root, filepath.FromSlash(dialect.PluginFileOf(r.Profile().Name)))
		sources = append(sources, schema.Source{File: moved, Scope: schema.ScopePlugin, Plugin: root})
	}
	for _, s := range sources {
		res.add(r, s, false, &ds)
	}
	hooks, more := r.Resolve(res.Configs)
	res.Hooks = hooks
	foreign := func(d schema.Diagnostic) bool { return d.Code == schema.CodeSkippedEvent }
	return res, slices.DeleteFunc(append(ds, more...), foreign)
}

func load(r Reader, p schema.Places, given []string, own bool, skip func(schema.Source) bool) (Result,
	schema.Diagnostics) {
	res := Result{budget: NewBudget(p)}
	var ds schema.Diagnostics
	for _, f := range given {
		for _, s := range named(r, f, &ds) {
			if skip == nil || !skip(s) {
				res.add(r, s, s.File == f, &ds)
			}
		}
	}

	if own {
		for _, s := range r.Locate(p) {
			if skip != nil && skip(s) {
				continue
			}
			for _, s := range Files(s) {
				res.add(r, s, false, &ds)
			}
		}
		for _, folder := range r.Plugins(p, res.Configs, res.budget.Read) {
			for _, s := range Files(folder) {
				res.add(r, s, false, &ds)
			}
		}
	}

	hooks, more := r.Resolve(res.Configs)
	res.Hooks = hooks
	return res, append(ds, more...)
}

// named lists the sources for a file: the hook files of the plugin for a manifest, else the file itself.
func named(r Reader, file string, ds *schema.Diagnostics) (out []schema.Source) {
	plugins := &r.Profile().Plugins
	if root := plugins.RootOf(file); root != "" {
		files, more := plugins.Files(root, Read)
		*ds = append(*ds, more...)
		for _, f := range files {
			if filepath.Clean(f.File) != filepath.Clean(file) {
				out = append(out, schema.Source{File: f.File, Scope: schema.ScopePlugin, Plugin: root})
			}
		}
	}
	return append(out, r.Given(file))
}

// Files lists the files of a source: itself, or those in its folder.
func Files(s schema.Source) []schema.Source {
	if !s.Folder {
		return []schema.Source{s}
	}
	entries, err := os.ReadDir(s.File) // sorted by name
	if err != nil {
		_, gone := os.Lstat(s.File)
		if gone != nil && errors.Is(err, fs.ErrNotExist) { // Windows also returns this for a file
			return nil
		}
		s.Folder = false // reading it reports why it can't be read
		return []schema.Source{s}
	}
	var out []schema.Source
	for _, e := range entries {
		if name := e.Name(); name[0] != '.' && filepath.Ext(name) == ".json" {
			out = append(out, schema.Source{File: filepath.Join(s.File, name), Scope: s.Scope, Moved: s.Moved})
		}
	}
	return out
}

func (res *Result) add(r Reader, s schema.Source, must bool, ds *schema.Diagnostics) {
	read := res.budget.Read
	if s.OfProject() && res.budget != nil {
		read = res.budget.read
	}
	text, err := read(s.File)
	if errors.Is(err, errOver) && res.Partial { // reported once
		return
	}

	if err != nil {
		if !must && errors.Is(err, fs.ErrNotExist) {
			return
		}
		res.Failed, res.Partial = true, res.Partial || errors.Is(err, errOver)
		ds.Add(schema.CodeUnreadable, "", Reason(err)).File = s.File
		return
	}

	cfg, more := r.ParseConfig(text, s)
	for _, d := range more {
		res.Failed = res.Failed || d.Severity == schema.Error
	}
	*ds = append(append(*ds, more...), Refused(r, s)...)
	res.Configs = append(res.Configs, cfg)
	res.Texts = append(res.Texts, text)
}

// Refused reports that the agent rejects the file because of a symbolic link. hookbridge still runs its hooks, as some
// programs of the agent may do.
func Refused(r Reader, s schema.Source) (ds schema.Diagnostics) {
	if s.NoLinks != "" && dialect.Linked(s.NoLinks, s.File) {
		d := ds.Add(schema.CodeRefusedFile, "", r.Profile().Title+" refuses this file because a symbolic link leads "+
			"to it, so none of its hooks run there")
		d.File, d.Line, d.Col, d.Fix = s.File, 1, 1, "put the file itself in the place of the link"
	}
	return ds
}

// Read reads a plain file of at most MaxFile bytes. Anything else (a folder, a pipe, a device) is an error and is never
// waited for.
func Read(file string) ([]byte, error) {
	text, size, err := ReadStart(file, MaxFile)
	if err == nil && size > MaxFile {
		return nil, &fs.PathError{Op: "read", Path: file, Err: fmt.Errorf("larger than %d bytes", MaxFile)}
	}
	return text, err
}

// Reason returns an error of Read without the file's name, for a finding that has it; "" for nil.
func Reason(err error) string {
	if err == nil {
		return ""
	}
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err.Error()
	}
	return err.Error()
}

var (
	errFolder = errors.New("this is a folder, not a file")
	errNoFile = errors.New("this isn't a regular file")
)

// ReadStart reads at most limit bytes of a plain file, and returns the file's
// size. It never waits.
func ReadStart(file string, limit int64) (text []byte, size int64, err error) {
	f, err := os.OpenFile(file, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, 0, err
	case info.IsDir():
		return nil, 0, &fs.PathError{Op: "read", Path: file, Err: errFolder}
	case !info.Mode().IsRegular():
		return nil, 0, &fs.PathError{Op: "read", Path: file, Err: errNoFile}
	}
	text = make([]byte, min(info.Size()+1, limit))
	n, err := io.ReadFull(f, text)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, 0, err
	}
	return text[:n:n], max(info.Size(), int64(n)), nil
}

// IsFolder reports whether a path is a folder.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// IsFile reports whether a path is a plain file.
func IsFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
