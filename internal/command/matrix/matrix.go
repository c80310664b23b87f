// Package matrix is the command matrix.
package matrix

import (
	_ "embed"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

//go:embed matrix.txt
var help string

// Command is the command matrix.
func Command() cli.Command { return cli.Looking[flags](help) }

type flags struct {
	from, to, format string
	json             bool
}

func (f *flags) Define(fs *cli.Flags) {
	fs.Text(&f.from, "from", "")
	fs.Text(&f.to, "to", "")
	fs.Text(&f.to, "host", "")
	fs.Text(&f.format, "format", "table")
	fs.Yes(&f.json, "json")
}

func (f *flags) Run(_ *cli.Flags, _ []string, std cli.IO) (int, error) {
	pairs, err := ChoosePairs(f.from, f.to)
	detail := f.from != "" || f.to != "" // agents were chosen
	switch {
	case err != nil:
		return 0, err
	case f.json || f.format == "json":
		cli.PrintJSON(std.Out, Doc{pairs, lists.Map(dialectsOf(pairs), dialectDocOf)})
	case f.format == "markdown":
		matrixMarkdown(std.Out, pairs, detail)
	default:
		matrixTable(std.Out, pairs, detail)
	}
	return cli.OK, nil
}

// ChoosePairs lists the pairs that --from and --to select.
func ChoosePairs(from, to string) (pairs []inspect.Pair, err error) {
	side := func(flag, name string, all []adapter.Dialect) []adapter.Dialect {
		if name == "" {
			return all
		}
		d, wrong := cli.FindDialect(flag, name)
		if wrong != nil && err == nil {
			err = wrong
		}
		return []adapter.Dialect{d}
	}
	owners, hosts := side("--from", from, adapter.WithHooks()), side("--to", to, adapter.Dialects())
	if err != nil {
		return nil, err
	}
	for _, hooks := range owners {
		for _, host := range hosts {
			if !adapter.SameAgent(hooks, host) || from != "" && to != "" && adapter.OtherVersion(hooks, host) {
				pairs = append(pairs, inspect.NewPair(hooks, host))
			}
		}
	}
	if len(pairs) == 0 {
		return nil, cli.Usage("the two agents must differ: name two agents, or two versions of one")
	}
	return pairs, nil
}

func dialectsOf(pairs []inspect.Pair) []adapter.Dialect {
	return adapter.Where(func(d adapter.Dialect) bool {
		return slices.ContainsFunc(pairs, func(p inspect.Pair) bool {
			return dialect.BaseName(p.From) == d.Profile().Name || dialect.BaseName(p.To) == d.Profile().Name
		})
	})
}

// withHooks leaves out the dialects without hooks of their own.
func withHooks(list []adapter.Dialect) []adapter.Dialect {
	return slices.DeleteFunc(slices.Clone(list), func(d adapter.Dialect) bool { return d.Profile().HostOnly != "" })
}

// Doc lists the pairs, in the form that --format json prints.
type Doc struct {
	Pairs    []inspect.Pair `json:"pairs"`
	Dialects []dialectDoc   `json:"dialects"`
}

type dialectDoc struct {
	Name   string        `json:"name"`
	Events []ownEventDoc `json:"events"`
}

type ownEventDoc struct {
	Event  schema.Event   `json:"event"`
	Native string         `json:"native"`
	Honors schema.Feature `json:"honors"`
	Since  string         `json:"since"`
	Source string         `json:"source"`
}

func dialectDocOf(d adapter.Dialect) dialectDoc {
	return dialectDoc{d.Profile().Name, lists.Map(d.Profile().Events, func(r schema.EventRow) ownEventDoc {
		return ownEventDoc{r.Event, r.Native, r.Honors, r.Since, r.Source}
	})}
}
