// Package version is the command version.
package version

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/command/cli"
)

//go:embed version.txt
var help string

// Command is the command version.
func Command() cli.Command { return cli.Documented[flags](help) }

type flags struct{ json, clients bool }

func (f *flags) Define(fs *cli.Flags) {
	fs.Yes(&f.json, "json")
	fs.Yes(&f.clients, "clients")
}

func (f *flags) Run(_ *cli.Flags, _ []string, std cli.IO) (int, error) {
	checked := map[string]string{}
	for _, d := range adapter.Dialects() {
		p := d.Profile()
		if !f.clients || len(p.Known) == 0 {
			continue
		}
		checked[p.Name] = p.Known[0]
		for _, g := range p.Programs {
			if g.FullName != "" && g.Version != "" {
				checked[g.FullName] = g.Version
			}
		}
	}

	if f.json {
		doc := map[string]any{"version": cli.VersionText()}
		if f.clients {
			doc["clients"] = checked
		}
		cli.PrintJSON(std.Out, doc)
		return cli.OK, nil
	}

	fmt.Fprintln(std.Out, "hookbridge", cli.VersionText())
	for _, name := range slices.Sorted(maps.Keys(checked)) {
		fmt.Fprintf(std.Out, "%-10s %s\n", name, checked[name])
	}

	return cli.OK, nil
}
