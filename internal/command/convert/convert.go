// Package convert is the command convert.
package convert

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

//go:embed convert.txt
var help string

// Command is the command convert.
func Command() cli.Command { return cli.Documented[flags](help) }

type flags struct {
	from, to, out, merge, wrap, report, format, allow string
	strict, json, permissions                         bool
	input                                             string
	reportOut                                         string       // form of the report on stdout; "": text on stderr
	document                                          []byte       // the result, if the report contains it
	given                                             bytes.Buffer // the contents of stdin
	rules                                             []convert.Rule
}

func (f *flags) Define(fs *cli.Flags) {
	fs.Text(&f.from, "from", "")
	fs.Text(&f.to, "to", "")
	fs.Text(&f.out, "o", "")
	fs.Text(&f.merge, "merge", "")
	fs.Text(&f.wrap, "wrap", "auto")
	fs.Text(&f.format, "format", "")
	fs.Text(&f.allow, "allow", "pass")
	fs.Yes(&f.permissions, "permissions")
	fs.Yes(&f.strict, "strict")
	fs.Text(&f.report, "report", "text")
	fs.Yes(&f.json, "json")
}

func (f *flags) finish(rest []string) error {
	if f.out == "-" {
		f.out = ""
	}
	switch {
	case len(rest) > 1:
		return cli.Usage("takes one FILE or DIR")
	case f.out != "" && f.merge != "":
		return cli.Usage("use either -o or --merge")
	}
	f.input = append(rest, ".")[0]
	switch f.format {
	case "json", "github", "sarif":
		f.reportOut, f.format = f.format, ""
	case "text":
		f.format = ""
	}
	if f.json {
		f.reportOut = "json"
	}
	if target := cmp.Or(f.merge, f.out); target != "" {
		return cli.Inside(f.places().Project, target)
	}
	return nil
}

// ofOneVersion reports hooks of a plugin whose folder is named after its version: an update moves them, and the entries
// keep the old path.
func ofOneVersion(cfg *schema.Config, to adapter.Dialect) (ds schema.Diagnostics) {
	if cfg == nil || len(cfg.Hooks) == 0 {
		return nil
	}
	for _, part := range strings.Split(filepath.ToSlash(cfg.Source.Plugin), "/") {
		digits := strings.TrimLeft(strings.TrimPrefix(part, "v"), "0123456789")
		if len(digits) == len(part) || !strings.HasPrefix(digits, ".") || strings.Trim(digits, "0123456789.") != "" {
			continue
		}
		d := ds.Add(schema.CodePluginMoves, "", "the folder "+part+
			" has one version of the plugin; after an update the entries name an old one")
		d.File, d.Fix = cfg.Source.File, "hookbridge install --host "+to.Profile().Full()+
			" --scope user runs the hooks of installed plugins"
		break
	}
	return ds
}

func (f *flags) Run(_ *cli.Flags, rest []string, std cli.IO) (int, error) {
	err := f.finish(rest)
	var from, to adapter.Dialect
	if err == nil {
		from, std.In, err = f.source(std)
	}
	if err == nil {
		to, err = cli.FindDialect("--to", f.to)
	}
	if err == nil {
		err = f.chooseFormat(to)
	}

	switch {
	case err != nil:
		return 0, err
	case adapter.NameOf(from) != adapter.NameOf(to):
	case from.Profile().IsModule(f.input):
		return 0, cli.Usage(f.input + " is a module for " + from.Profile().Name +
			" already; name another agent with --to")
	default:
		return f.same(from, std), nil
	}

	switch {
	case !f.permissions:
	case from.Abilities().Rules == nil:
		return 0, cli.Usage("--permissions: no such rules of " + from.Profile().TitleChecked() + " are known")
	case f.module():
		return 0, cli.Usage("--permissions writes entries, and a module has none; use --format options")
	}

	c, cfg, ds := f.convert(from, to, io.TeeReader(std.In, &f.given))
	if cfg != nil {
		ds = append(ds, inspect.Idle(from, cfg.Hooks, ds)...)
	}

	c.Diagnostics = findings(from, append(ds, c.Diagnostics...), f.given.Bytes())
	c.Diagnostics = append(c.Diagnostics, ofOneVersion(cfg, to)...)
	c.Diagnostics = append(c.Diagnostics, f.unread(c, to, nil)...)
	if cfg != nil && len(cfg.Hooks) == 0 && len(f.rules) == 0 && c.Diagnostics.Max() < schema.Error {
		c.Diagnostics = append(c.Diagnostics, convert.Empty(from, cfg))
	}

	code := cli.OK
	if cfg == nil || c.Diagnostics.Max() == schema.Error {
		code = cli.Failed
	} else if c.Diagnostics.Max() > schema.Note {
		code = cli.Lossy
		if f.strict {
			code = cli.Failed
		}
	}

	if code != cli.Failed {
		if err := f.write(c, to, std); err != nil {
			d := c.Diagnostics.Add(schema.CodeBridge, "", err.Error())
			d.Message, code = err.Error(), cli.Failed
		}
	}

	switch {
	case code != cli.Failed:
		c.Diagnostics = append(c.Diagnostics, f.importedToo(cfg, to)...)
	case f.strict && c.Diagnostics.Max() < schema.Error:
		c.Out = 0
		report(std, f, c)
		return code, errors.New("nothing was written, because --strict is given and something is lost or weaker")
	default:
		c.Out = 0
	}

	report(std, f, c)
	return code, nil
}

// convert reads and converts the input. The Config is nil if the input can't be read.
func (f *flags) convert(from, to adapter.Dialect, stdin io.Reader) (*convert.Conversion, *schema.Config,
	schema.Diagnostics) {
	wrap, policy := convert.WrapPolicyOf(f.wrap), cmdline.PolicyOf("", f.allow)
	if from.Profile().IsModule(f.input) && wrap != convert.WrapAlways {
		text, _ := discover.Read(f.input)
		if c, cfg, ok := convert.Original(from, to, text); ok {
			return c, cfg, nil
		}
	}
	cfg, ds := common.ReadHooks(from, f.input, stdin)
	if cfg == nil {
		return &convert.Conversion{}, nil, ds
	}
	if f.module() {
		c := convert.ConvertModule(from, to, cfg, ds, f.format == "mjs", policy)
		return c, cfg, ds
	}
	if f.permissions {
		f.rules = f.rulesOf(from, cfg)
	}
	o := convert.ConvertOptions{Wrap: wrap, Policy: policy, Rules: f.rules}
	if file := cmp.Or(f.out, f.merge); file != "" {
		o.Target = cli.Desk().Source(to, file)
	}
	return convert.Convert(from, to, cfg, o), cfg, ds
}

// findings adds the places in the files to the diagnostics; "" is stdin. It removes consecutive duplicates, because a
// group of hooks may produce the same finding for each hook.
func findings(from adapter.Dialect, ds schema.Diagnostics, stdin []byte) schema.Diagnostics {
	read := map[string]bool{}
	for _, d := range ds {
		if read[d.File] {
			continue
		}
		read[d.File] = true
		text := stdin
		if d.File != "" {
			text, _ = discover.Read(d.File)
		}
		text, _ = hookfile.HooksOf(from, d.File, text)
		if json, err := jsonedit.Standard(text); err == nil { // otherwise it may have a field twice
			text = json
		}
		inspect.Place(ds, d.File, text)
	}
	return lists.Unique(ds)
}

// module reports whether a module of callbacks is to be written.
func (f *flags) module() bool { return f.format == "ts" || f.format == "mjs" }

// chooseFormat chooses the form of the result if the target has several.
func (f *flags) chooseFormat(to adapter.Dialect) error {
	writes := to.Profile().Modules != nil
	switch {
	case !writes && f.format != "":
		return cli.Usage("--format needs --to qoder-sdk")
	case !writes || f.format != "":
	case f.merge != "" || strings.HasSuffix(f.out, ".json"):
		f.format = "options"
	case strings.HasSuffix(f.out, ".mjs") || strings.HasSuffix(f.out, ".js"):
		f.format = "mjs"
	default:
		f.format = "ts"
	}
	switch {
	case f.module() && f.merge != "":
		return cli.Usage("--merge adds to a JSON file; to write a module, use -o")
	case f.merge != "" && !install.Mergeable(f.merge, to):
		return cli.Usage("for " + to.Profile().Title + " hookbridge writes a whole file; use -o in place of --merge")
	case f.module() && f.wrap == "never":
		return cli.Usage("--wrap never isn't possible here: the callbacks of a module call hookbridge")
	}
	return nil
}

// same returns a file of the same dialect unchanged.
func (f *flags) same(d adapter.Dialect, std cli.IO) int {
	c := &convert.Conversion{}
	text, err := common.ReadInput(f.input, std.In)
	cfg, ds := (*schema.Config)(nil), schema.Diagnostics(nil)
	switch {
	case discover.IsFolder(f.input):
		ds.Add(schema.CodeUnreadable, "", "this is a folder; from an agent to the same agent, name one FILE").File =
			f.input
	case err != nil:
		ds = hookfile.Unreadable(f.input, err)
	default:
		cfg, ds = d.ParseConfig(text, cli.Desk().Given(d, f.input))
	}

	c.Diagnostics = ds
	code := cli.OK
	switch {
	case cfg == nil || ds.Max() == schema.Error:
		code = cli.Failed
	case f.merge != "":
		c.Diagnostics.Add(schema.CodeBridge, "", "--merge needs two different agents")
		code = cli.Failed
	default:
		c.In, c.Out = len(cfg.Hooks), len(cfg.Hooks)
		c.Entries = lists.Map(cfg.Hooks, func(h schema.Hook) convert.Placed {
			return convert.Placed{Pointer: "/" + h.Native}
		})
		unread := f.unread(c, d, text)
		switch c.Diagnostics = append(ds, unread...); {
		case unread.Max() == schema.Error:
		case f.out != "":
			err = f.writeNew(nil, text)
		default:
			err = f.print(std, text)
		}
		if err != nil {
			c.Diagnostics.Add(schema.CodeBridge, "", err.Error())
		}
		if err != nil || unread.Max() == schema.Error {
			code, c.Out = cli.Failed, 0
		}
	}

	report(std, f, c)
	return code
}

func (f *flags) write(c *convert.Conversion, to adapter.Dialect, std cli.IO) error {
	switch {
	case f.merge != "":
		return mergeInto(f.merge, c, to)
	case f.out != "":
		before, text := f.earlier(to), convert.File(to, c.Document(to))
		if f.isCopy(to, text) {
			if err := install.CheckCopies(to, f.out, text); err != nil {
				return err
			}
		}
		if err := f.writeNew(before, text); err != nil {
			return err
		}
		return f.copies(before, text, to, std)
	}
	text := convert.File(to, c.Document(to))
	if err := f.print(std, text); err != nil {
		return err
	}
	return f.copies(nil, text, to, std)
}

// isCopy reports whether -o is one of the file names under which the target finds hooks.
func (f *flags) isCopy(to adapter.Dialect, text []byte) bool {
	return slices.Contains(install.CopyNames(to, f.out, text), filepath.Base(f.out))
}

// copies writes the other files for a target that finds hooks by file name. If -o isn't one of these files, it names
// them all.
func (f *flags) copies(before, text []byte, to adapter.Dialect, std cli.IO) error {
	names := install.CopyNames(to, f.out, text)
	if len(names) == 0 {
		return nil
	}
	note := "each of these files needs this text, and has to be executable: "
	if f.isCopy(to, text) {
		note = "each of these files has the text: "
		if err := install.WriteCopies(to, f.out, before, text); err != nil {
			return err
		}
	}
	if f.report != "json" { // stderr then contains only the report
		fmt.Fprintln(std.Err, schema.Printable("hookbridge: note: "+to.Profile().Title+
			" finds a hook by the name of its file; "+note+strings.Join(names, ", ")))
	}
	return nil
}

// writeNew writes the file of -o, but only if it still contains before.
func (f *flags) writeNew(before, text []byte) error {
	err := jsonedit.MakeParent(f.out)
	if err == nil {
		err = jsonedit.WriteFile(f.out, before, text)
	}
	if _, there := os.Stat(f.out); there == nil && before == nil && errors.Is(err, jsonedit.ErrChanged) {
		return errors.New(f.out + " exists already; --merge adds the hooks to it, or name a new file")
	}
	return err
}

// print writes the result to stdout, or leaves it to the report there.
func (f *flags) print(std cli.IO, text []byte) (err error) {
	if f.document = text; f.reportOut == "" {
		_, err = std.Raw().Write(text)
	}
	return err
}

func report(std cli.IO, f *flags, c *convert.Conversion) {
	switch {
	case f.reportOut == "json":
		cli.PrintJSON(std.Out, conversionDocOf(f, c))
	case cli.Formatted(std.Out, f.reportOut, c.Diagnostics):
	case f.report == "json":
		cli.PrintJSON(std.Err, conversionDocOf(f, c))
	default:
		cli.PrintDiagnostics(std.Err, "", c.Diagnostics)
		read := cli.Counted(c.In, "hook")
		if len(f.rules) > 0 {
			read += " and " + cli.Counted(len(f.rules), "rule")
		}
		fmt.Fprintf(std.Err, "%s read, %s written\n", read, cli.Counted(c.Out, "entry"))
	}
}

// Doc is the report of convert, in the form that --json prints.
type Doc struct {
	From        string              `json:"from"`
	To          string              `json:"to"`
	HooksIn     int                 `json:"hooks_in"`
	HooksOut    int                 `json:"hooks_out"`
	Diagnostics []schema.Diagnostic `json:"diagnostics"`
	Output      jsondoc.Raw         `json:"output,omitempty"` // if it isn't written elsewhere
}

func conversionDocOf(f *flags, c *convert.Conversion) Doc {
	doc := Doc{From: f.from, To: f.to, HooksIn: c.In, HooksOut: c.Out,
		Diagnostics: cli.FindingDocs(c.Diagnostics)}
	if f.reportOut == "json" && f.out == "" && f.merge == "" {
		doc.Output = jsondoc.Document(f.document)
	}
	return doc
}
