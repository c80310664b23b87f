package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

const convertUsage = `usage: hookbridge convert --from D --to D [FLAG...] [FILE|DIR|-]

Turns a configuration of one agent's hooks into another's. FILE is a settings file,
hooks.json, plugin.json or a Markdown file with hooks in its front matter; DIR a project
(default: here); - is stdin. The result goes to stdout, what could not be carried to stderr.

  -o FILE                   write the result to a new file
  --merge FILE              add the hooks to this file: all else in it keeps its bytes
  --wrap auto|always|never  commands run through hookbridge (auto, the default), or are copied (never)
  --strict                  write nothing if anything is lost or weaker
  --report text|json        form of the report (default text)

Exit status: 0 nothing lost, 3 written and something is lost or weaker, 1 nothing written,
64 wrong usage.
`

type convertFlags struct {
	from, to, out, merge, wrap, report string
	strict                             bool
	input                              string
}

func parseConvert(args []string) (*convertFlags, error) {
	f := &convertFlags{}
	fs := flag.NewFlagSet("convert", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&f.from, "from", "", "")
	fs.StringVar(&f.to, "to", "", "")
	fs.StringVar(&f.out, "o", "", "")
	fs.StringVar(&f.merge, "merge", "", "")
	fs.StringVar(&f.wrap, "wrap", "auto", "")
	fs.StringVar(&f.report, "report", "text", "")
	fs.BoolVar(&f.strict, "strict", false, "")
	// Flags may stand after the file too.
	var rest []string
	for len(args) > 0 {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		if args = fs.Args(); len(args) > 0 {
			rest, args = append(rest, args[0]), args[1:]
		}
	}
	if len(rest) > 1 {
		return nil, errUsage{"one FILE or DIR at a time"}
	}
	f.input = "."
	if len(rest) == 1 {
		f.input = rest[0]
	}
	if f.report != "text" && f.report != "json" {
		return nil, errUsage{"--report is text or json"}
	}
	if f.out != "" && f.merge != "" {
		return nil, errUsage{"-o and --merge exclude each other"}
	}
	return f, nil
}

var wrapPolicies = []struct {
	name   string
	policy adapter.WrapPolicy
}{{"auto", adapter.WrapAuto}, {"always", adapter.WrapAlways}, {"never", adapter.WrapNever}}

func convertCommand(args []string, std stdio) int {
	f, err := parseConvert(args)
	if errors.Is(err, flag.ErrHelp) {
		io.WriteString(std.out, convertUsage)
		return exitOK
	}
	var from, to adapter.Dialect
	wrap, known := adapter.WrapAuto, false
	if err == nil {
		var ok bool
		if from, ok = adapter.Find(f.from); !ok {
			err = unknownDialect("--from", f.from)
		} else if to, ok = adapter.Find(f.to); !ok {
			err = unknownDialect("--to", f.to)
		}
		for _, p := range wrapPolicies {
			if p.name == f.wrap {
				wrap, known = p.policy, true
			}
		}
		if err == nil && !known {
			err = errUsage{"--wrap is auto, always or never"}
		}
	}
	if err != nil {
		fmt.Fprintf(std.err, "hookbridge convert: %v\n", err)
		return exitUsage
	}
	c, cfg, ds := convert(from, to, f.input, wrap, std.in)
	c.Diagnostics = append(ds, c.Diagnostics...)
	code := exitOK
	if cfg == nil || c.Diagnostics.Max() == schema.Error {
		code = exitFail
	} else if c.Diagnostics.Max() > schema.Note {
		code = exitLoss
		if f.strict {
			code = exitFail
		}
	}
	if code != exitFail {
		if err := f.write(c, from, to, cfg, std); err != nil {
			d := c.Diagnostics.Add(schema.CodeBridge, "", err.Error())
			d.Message, code = err.Error(), exitFail
		}
	}
	if code == exitFail {
		c.Out = 0
	}
	report(std.err, f, c)
	return code
}

// convert reads and converts the input; the Config is nil if it cannot be read.
func convert(from, to adapter.Dialect, input string, wrap adapter.WrapPolicy, stdin io.Reader) (*adapter.Conversion, *schema.Config, schema.Diagnostics) {
	cfg, ds := readHooks(from, input, stdin)
	if cfg == nil {
		return &adapter.Conversion{}, nil, ds
	}
	return adapter.Convert(from, to, cfg, wrap), cfg, ds
}

// readHooks reads the file, the project, or stdin.
func readHooks(d adapter.Dialect, input string, stdin io.Reader) (*schema.Config, schema.Diagnostics) {
	var ds schema.Diagnostics
	if input == "-" {
		text, err := io.ReadAll(stdin)
		if err != nil {
			ds.Add(schema.CodeUnreadable, "", err.Error())
			return nil, ds
		}
		return parseHooks(d, schema.Source{}, text)
	}
	info, err := os.Stat(input)
	if err == nil && info.IsDir() {
		return readProject(d, input)
	}
	text, err := discover.Read(input)
	if err != nil {
		ds.Add(schema.CodeUnreadable, "", err.Error()).File = input
		return nil, ds
	}
	return parseHooks(d, d.Given(input), text)
}

// readProject unites the files of a project, those of this machine left out.
func readProject(d adapter.Dialect, dir string) (*schema.Config, schema.Diagnostics) {
	var all *schema.Config
	var ds schema.Diagnostics
	for _, s := range d.Locate(schema.Places{Project: dir}) {
		text, err := discover.Read(s.File)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			ds.Add(schema.CodeUnreadable, "", err.Error()).File = s.File
			continue
		}
		cfg, more := d.ParseConfig(text, s)
		ds = append(ds, more...)
		if all == nil {
			all = cfg
		} else {
			all.Hooks = append(all.Hooks, cfg.Hooks...)
		}
	}
	if all == nil && ds.Max() < schema.Error {
		ds.Add(schema.CodeUnreadable, "", "no hook file of "+d.Name()+" in this project").File = dir
	}
	return all, ds
}

// parseHooks reads one text, whatever kind of file it is.
func parseHooks(d adapter.Dialect, at schema.Source, text []byte) (*schema.Config, schema.Diagnostics) {
	var ds schema.Diagnostics
	refuse := func(c schema.Code, msg string) (*schema.Config, schema.Diagnostics) {
		ds.Add(c, "", msg).File = at.File
		return nil, ds
	}
	if name := adapter.OtherAgent(at.File, text); name != "" {
		return refuse(schema.CodeShape, "this is a file of "+name+", which hookbridge does not read")
	}
	if strings.EqualFold(filepath.Ext(at.File), ".md") {
		return parseFrontmatter(d, at, text)
	}
	if other := adapter.LooksLike(d, text); other != nil {
		return refuse(schema.CodeShape, "this looks like a file of "+other.Name()+", not of "+d.Name())
	}
	if cfg, more, ok := parseManifest(d, at, text); ok {
		return cfg, more
	}
	return checked(d.ParseConfig(text, at))
}

// checked turns a file that its own agent refuses into no config.
func checked(cfg *schema.Config, ds schema.Diagnostics) (*schema.Config, schema.Diagnostics) {
	for i := range ds {
		if ds[i].Code == schema.CodeVoidFile {
			ds[i].Severity = schema.Error
		}
	}
	if ds.Max() == schema.Error {
		return nil, ds
	}
	return cfg, ds
}

func parseFrontmatter(d adapter.Dialect, at schema.Source, text []byte) (*schema.Config, schema.Diagnostics) {
	var ds schema.Diagnostics
	hooks, found, err := frontmatter.JSON(text, "hooks")
	var fe *frontmatter.Error
	switch {
	case errors.As(err, &fe):
		x := ds.Add(schema.CodeSyntax, "", fe.Msg)
		x.File, x.Line, x.Col = at.File, fe.Line, fe.Col
		return nil, ds
	case err != nil:
		ds.Add(schema.CodeSyntax, "", err.Error()).File = at.File
		return nil, ds
	case !found:
		ds.Add(schema.CodeShape, "", "the file has no hooks in its front matter").File = at.File
		return nil, ds
	}
	cfg, more := checked(d.ParseConfig(append(append([]byte(`{"hooks":`), hooks...), '}'), at))
	if cfg != nil && len(cfg.Hooks) > 0 {
		x := more.Add(schema.CodeUnknownMember, "/hooks", "these hooks live as long as their skill or agent; converted they are the project's and always run")
		x.File = at.File
	}
	return cfg, more
}

// parseManifest reads a plugin.json, whose hooks may be a path, a list of paths,
// or the hooks themselves.
func parseManifest(d adapter.Dialect, at schema.Source, text []byte) (cfg *schema.Config, ds schema.Diagnostics, ok bool) {
	if !strings.HasSuffix(at.File, "plugin.json") {
		return nil, nil, false
	}
	o, err := ordjson.Parse(text)
	if err != nil {
		return nil, nil, false
	}
	raw, _ := o.Get("hooks")
	root := filepath.Dir(filepath.Dir(at.File))
	at.Plugin, at.Scope = root, schema.ScopePlugin
	var files []string
	switch ordjson.KindOf(raw) {
	case ordjson.StringKind:
		s, _ := ordjson.String(raw)
		files = []string{s}
	case ordjson.Array:
		list, _ := ordjson.Elements(raw, 0)
		for _, m := range list {
			s, _ := ordjson.String(m.Value)
			files = append(files, s)
		}
	case ordjson.ObjectKind:
		if inner, err := ordjson.Members(raw, 0); err == nil {
			if _, nested := inner.Get("hooks"); !nested {
				raw = ordjson.Object{{Name: "hooks", Value: raw}}.Append(nil)
			}
		}
		cfg, ds = checked(d.ParseConfig(raw, at))
		return cfg, ds, true
	default:
		files = []string{"hooks/hooks.json"}
	}
	cfg = &schema.Config{Source: at}
	for _, f := range files {
		path := filepath.Join(root, filepath.FromSlash(f))
		if rel, err := filepath.Rel(root, path); err != nil || strings.HasPrefix(rel, "..") {
			ds.Add(schema.CodeRefusedFile, "/hooks", f+" lies outside the plugin").File = at.File
			continue
		}
		text, err := discover.Read(path)
		if err != nil {
			ds.Add(schema.CodeUnreadable, "/hooks", err.Error()).File = at.File
			continue
		}
		one, more := checked(d.ParseConfig(text, schema.Source{File: path, Scope: schema.ScopePlugin, Plugin: root}))
		ds = append(ds, more...)
		if one != nil {
			cfg.Hooks = append(cfg.Hooks, one.Hooks...)
		}
	}
	return cfg, ds, true
}

// write puts the result where the flags say.
func (f *convertFlags) write(c *adapter.Conversion, from, to adapter.Dialect, cfg *schema.Config, std stdio) error {
	switch {
	case f.merge != "":
		return mergeInto(f.merge, c, to)
	case f.out != "":
		if err := jsonedit.WriteFile(f.out, nil, c.Document(to)); err != nil {
			return err
		}
		return nil
	}
	_, err := std.out.Write(c.Document(to))
	return err
}

// mergeInto adds the entries that the file does not have yet.
func mergeInto(file string, c *adapter.Conversion, to adapter.Dialect) error {
	before, err := discover.Read(file)
	text := before
	if errors.Is(err, fs.ErrNotExist) {
		before, text = nil, append(c.Document(to)[:0:0], to.Skeleton()...)
		text = (&adapter.Conversion{}).Document(to)
	} else if err != nil {
		return err
	}
	for _, e := range c.Entries {
		have, err := jsonedit.Elements(text, e.Pointer)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if containsJSON(have, e.Value) {
			continue
		}
		if text, err = jsonedit.Insert(text, e.Pointer, e.Value); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	if bytes.Equal(before, text) {
		return nil
	}
	if before != nil {
		if _, err := jsonedit.Backup(file, before); err != nil {
			return err
		}
	}
	return jsonedit.WriteFile(file, before, text)
}

func containsJSON(list [][]byte, value []byte) bool {
	want := ordjson.AppendCompact(nil, value)
	for _, v := range list {
		if bytes.Equal(ordjson.AppendCompact(nil, v), want) {
			return true
		}
	}
	return false
}

// report writes what could not be carried.
func report(w io.Writer, f *convertFlags, c *adapter.Conversion) {
	if f.report == "json" {
		w.Write(append(reportJSON(f, c), '\n'))
		return
	}
	for _, d := range c.Diagnostics {
		fmt.Fprintln(w, d.String())
	}
	fmt.Fprintf(w, "%d hooks read, %d entries written\n", c.In, c.Out)
}

func reportJSON(f *convertFlags, c *adapter.Conversion) []byte {
	r := ordjson.NewWriter(nil)
	r.String("from", f.from)
	r.String("to", f.to)
	r.Int("hooks_in", int64(c.In))
	r.Int("hooks_out", int64(c.Out))
	r.Raw("diagnostics", diagnosticsJSON(c.Diagnostics))
	return r.Bytes()
}

func diagnosticsJSON(ds schema.Diagnostics) []byte {
	list := []byte{'['}
	for i, d := range ds {
		if i > 0 {
			list = append(list, ',')
		}
		w := ordjson.NewWriter(list)
		w.String("code", string(d.Code))
		w.String("severity", d.Severity.String())
		w.String("path", d.Path)
		w.Int("line", int64(d.Line))
		w.Int("column", int64(d.Col))
		w.String("file", d.File)
		w.String("event", d.Event)
		w.String("message", d.Message)
		w.String("fix", d.Fix)
		list = w.Bytes()
	}
	return append(list, ']')
}
