package convert

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/schema"
)

// earlier returns the module that an earlier call has written to the same file and that this one may replace, or nil.
func (f *flags) earlier(to adapter.Dialect) []byte {
	text, err := discover.Read(f.out)
	if !f.module() || err != nil || !convert.WroteModule(to, text) {
		return nil
	}
	return text
}

func mergeInto(file string, c *convert.Conversion, to adapter.Dialect) error {
	before, text, err := install.Merged(file, c, to)
	if err != nil || bytes.Equal(before, text) {
		return err
	}
	if before == nil {
		if err := jsonedit.MakeParent(file); err != nil {
			return err
		}
		return jsonedit.WriteFile(file, nil, text)
	}
	return jsonedit.WriteBackedUp(file, before, text)
}

// places returns the places around the output file. Without such a file there is no project.
func (f *flags) places() schema.Places {
	p := schema.Places{OS: runtime.GOOS, Home: cli.Desk().Home, Env: os.Environ()}
	if target := cmp.Or(f.merge, f.out); target != "" {
		p.Project = cli.ProjectRoot(filepath.Dir(cli.Absolute(target)), p)
	}
	return p
}

// unread reports why the target wouldn't run the entries in the file of -o or --merge, or would no longer run other
// hooks. Unless text is given, the text of -o is that of the entries.
func (f *flags) unread(c *convert.Conversion, to adapter.Dialect, text []byte) schema.Diagnostics {
	file, before, err := cmp.Or(f.merge, f.out), []byte(nil), error(nil)
	switch {
	case len(c.Entries) == 0 || file == "":
		return nil
	case f.merge != "":
		if before, text, err = install.Merged(file, c, to); err != nil {
			return nil // writing it reports the error
		}
	case text == nil:
		text = convert.File(to, c.Document(to))
	}
	ds := install.Unread(to, c, f.places(), cli.Desk().Source(to, file), before, text)
	for i := range ds {
		ds[i].File = file
	}
	return ds
}

// importedToo notes that the target's agent also loads the file with the original hooks.
func (f *flags) importedToo(cfg *schema.Config, to adapter.Dialect) (ds schema.Diagnostics) {
	importer, p, host := to.Abilities().Imports, f.places(), to.Profile()
	if importer == nil || p.Project == "" {
		return nil
	}

	file, err := common.LoadProjectFile(p.Project)
	if err != nil {
		return nil // other commands report it
	}

	imports, _ := inspect.StatedImports(file, to)
	how, fix := " imports", fmt.Sprintf("add %q: %s to one of its hooks: %s then skips the file", host.VoidMember.Name,
		host.VoidMember.Value, host.Title)
	if host.VoidMember.Name == "" {
		fix = "switch the import off in " + host.Title + ": " + importer.ImportSwitch()
		if imports != simulate.ImportsOn {
			how = " may import"
		}
	}

	for _, imported := range importer.Imported(p, discover.Read) {
		i := slices.IndexFunc(cfg.Hooks, func(h schema.Hook) bool {
			_, runs := importer.Import(h)
			return runs && cli.Absolute(h.Source.File) == imported
		})
		if i >= 0 && imports != simulate.ImportsOff {
			d := ds.Add(schema.CodeForeignImport, "", host.Title+how+
				" this file by itself, and its hooks then run a second time")
			d.Severity, d.File, d.Line, d.Col, d.Fix = schema.Note, cfg.Hooks[i].Source.File, 1, 1, fix
		}
	}

	return ds
}

// rulesOf lists the rules in the files that contain the hooks.
func (f *flags) rulesOf(d adapter.Dialect, cfg *schema.Config) (rules []convert.Rule) {
	if f.input == "-" {
		return convert.RulesIn(d, cfg.Source, f.given.Bytes())
	}
	sources := []schema.Source{cfg.Source}
	if discover.IsFolder(f.input) {
		sources = survey.Files(d, schema.Places{Project: f.input}, schema.Source.OfProject)
	}
	for _, s := range sources {
		if text, err := discover.Read(s.File); err == nil {
			rules = append(rules, convert.RulesIn(d, s, text)...)
		}
	}
	return rules
}
