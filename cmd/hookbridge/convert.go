package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/discover"
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
	if from.Name() == to.Name() {
		return f.same(from, std)
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

// same gives a file of the same dialect back as it is.
func (f *convertFlags) same(d adapter.Dialect, std stdio) int {
	c := &adapter.Conversion{}
	var text []byte
	var err error
	if f.input == "-" {
		text, err = io.ReadAll(std.in)
	} else {
		text, err = discover.Read(f.input)
	}
	cfg, ds := (*schema.Config)(nil), schema.Diagnostics(nil)
	if err != nil {
		ds.Add(schema.CodeUnreadable, "", err.Error()).File = f.input
	} else {
		cfg, ds = d.ParseConfig(text, d.Given(f.input))
	}
	c.Diagnostics = ds
	code := exitOK
	switch {
	case cfg == nil || ds.Max() == schema.Error:
		code = exitFail
	case f.merge != "":
		c.Diagnostics.Add(schema.CodeBridge, "", "--merge joins files of different dialects")
		code = exitFail
	default:
		c.In, c.Out = len(cfg.Hooks), len(cfg.Hooks)
		if f.out != "" {
			err = jsonedit.WriteFile(f.out, nil, text)
		} else {
			_, err = std.out.Write(text)
		}
		if err != nil {
			c.Diagnostics.Add(schema.CodeBridge, "", err.Error())
			code, c.Out = exitFail, 0
		}
	}
	report(std.err, f, c)
	return code
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
