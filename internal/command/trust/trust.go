// Package trust is the commands trust and untrust.
package trust

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

var (
	//go:embed trust.txt
	trustHelp string
	//go:embed untrust.txt
	untrustHelp string
)

// Command is the command trust.
func Command() cli.Command { return cli.Documented[flags](trustHelp) }

// Untrust is the command untrust.
func Untrust() cli.Command { return cli.Documented[flags](untrustHelp) }

type flags struct {
	common.RunFlags
	unresolved, json bool
}

func (f *flags) Define(fs *cli.Flags) {
	fs.Row(&f.Call, "hooks", "")
	fs.Row(&f.Call, "config", "")
	fs.Yes(&f.unresolved, "allow-unresolved")
	fs.Row(&f.Call, "home", "")
	fs.Yes(&f.json, "json")
}

func (f *flags) Run(fs *cli.Flags, rest []string, std cli.IO) (int, error) {
	if len(rest) > 1 {
		return 0, cli.Usage("takes one folder")
	}

	one := f.Has("hooks")
	f.Set("project", append(rest, ".")[0])
	b, err := f.Bridge()
	if err != nil {
		return 0, cli.Usage(err.Error())
	}

	name, dir := fs.Set.Name(), b.Places.Project
	trusts := name == "trust"
	show := func(trusted bool, files []string) {
		cli.PrintJSON(std.Out, Doc{dir, trusted, cli.Array(files)})
	}
	var sums, files, left []string
	if trusts {
		if !discover.IsFolder(dir) {
			return 0, errors.New(dir + " isn't a folder")
		}
		list := []adapter.Dialect{b.Hooks}
		if !one {
			list = adapter.Dialects()
		}
		if sums, files, left = fingerprints(b, list, f.unresolved, std); len(left) > 0 && len(sums) == 0 {
			if f.json {
				show(false, nil)
			} else {
				fmt.Fprintln(std.Err, "hookbridge trust: nothing was recorded")
			}
			return cli.Failed, nil
		}
	}

	if err := b.Trusted.Set(&trust.Ground{Places: b.Places}, sums, trusts && (one || f.Has("config"))); err != nil {
		return 0, err
	}

	if f.json {
		show(trusts && len(left) == 0, files)
		return cli.FailIf(len(left) > 0), nil
	}

	but := ""
	if len(left) > 0 {
		but = ", but for the hooks of " + plan.Listed(left, "and")
	}

	fmt.Fprintf(std.Out, "%sed %s%s\n", name, schema.Printable(dir), but)
	for _, file := range files {
		fmt.Fprintln(std.Out, "  "+schema.Printable(file))
	}

	if trusts && len(files) == 0 {
		fmt.Fprintln(std.Err, "hookbridge trust: the project has no hook files yet; run trust again after you add one")
	}

	return cli.FailIf(len(left) > 0), nil
}

// Doc is a record of trust, in the form that --json prints.
type Doc struct {
	Project string   `json:"project"`
	Trusted bool     `json:"trusted"`
	Files   []string `json:"files"`
}

// fingerprints returns the fingerprints of the project's hook files as each dialect reads them, and the files that they
// cover. It reports and leaves out dialects whose files can't be read, or with a hook that doesn't show what it runs.
// left has their titles.
func fingerprints(b *bridge.Bridge, list []adapter.Dialect, unresolved bool, std cli.IO) (sums, files, left []string) {
	dir := b.Places.Project
	ground := &trust.Ground{Places: b.Places}
	for _, d := range list {
		foreign := ground.Foreign(d.Profile().Reads, b.Given)
		res, ds := survey.ForEntry(d, b.Places, b.Given)
		for _, d := range ds {
			if d.Severity == schema.Error {
				fmt.Fprintln(std.Err, "hookbridge: "+d.String())
			}
		}
		if !unresolved && !resolved(trust.Unresolved(d, dir, res, foreign), std) {
			left = append(left, d.Profile().Title)
			continue
		}
		sum, covers, err := trust.Fingerprint(dir, dir, res, foreign)
		if res.Failed || err != nil {
			why := ""
			if err != nil {
				why = ": " + schema.Printable(err.Error())
			}
			fmt.Fprintf(std.Err, "hookbridge trust: can't read all hook files of %s for %s, so they weren't "+
				"recorded%s\n", schema.Printable(dir), d.Profile().Title, why)
			left = append(left, d.Profile().Title)
			continue
		}
		if len(covers) > 0 && !slices.Contains(sums, sum) {
			sums = append(sums, sum)
		}
		for _, file := range covers {
			files = lists.With(files, file)
		}
	}

	return sums, files, left
}

// resolved reports whether every hook of the project shows which files it runs, and prints those that don't.
func resolved(hidden []schema.Hook, std cli.IO) bool {
	for _, h := range hidden {
		fmt.Fprintln(std.Err, schema.Printable(fmt.Sprintf("hookbridge trust: Not trusted: %s %s. hookbridge "+
			"can't see which files this command runs: %q. Move it into a script, or use --allow-unresolved.",
			h.Source.File, h.Path, h.Command)))
	}
	return len(hidden) == 0
}
