package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

type trustFlags struct {
	runFlags
	unresolved, json bool
}

func (f *trustFlags) define(fs *flags) {
	hooks := "add the hook files of this agent to the record (default: replace the record with the\nfiles of every " +
		"agent)"
	config := "also record this file of the project, which an entry names with --config; may be\nrepeated"
	unresolved := "also record hooks whose command doesn't show which file it runs; hookbridge can't\ndetect " +
		"changes to that file"
	if fs.set.Name() == "untrust" {
		hooks = "ignored: untrust removes everything that is recorded for the project"
		config, unresolved = "ignored, like --hooks", "ignored, like --hooks"
	}
	fs.row(&f.Call, "hooks", hooks)
	fs.row(&f.Call, "config", config)
	fs.yes(&f.unresolved, "allow-unresolved", unresolved)
	fs.row(&f.Call, "home", "")
	fs.yes(&f.json, "json", "the result as one JSON object")
}

func (f *trustFlags) run(fs *flags, rest []string, std stdio) (int, error) {
	if len(rest) > 1 {
		return 0, errUsage{"takes one folder"}
	}
	one := f.Has("hooks")
	f.Set("project", append(rest, ".")[0])
	b, err := f.bridge()
	if err != nil {
		return 0, errUsage{err.Error()}
	}
	name, dir := fs.set.Name(), b.Places.Project
	trusts := name == "trust"
	show := func(trusted bool, files []string) {
		printJSON(std.out, trustDoc{dir, trusted, array(files)})
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
				fmt.Fprintln(std.err, "hookbridge trust: nothing was recorded")
			}
			return exitFail, nil
		}
	}
	if err := b.Trusted.Set(&trust.Ground{Places: b.Places}, sums, trusts && (one || f.Has("config"))); err != nil {
		return 0, err
	}
	if f.json {
		show(trusts && len(left) == 0, files)
		return failIf(len(left) > 0), nil
	}
	but := ""
	if len(left) > 0 {
		but = ", but for the hooks of " + plan.Listed(left, "and")
	}
	fmt.Fprintf(std.out, "%sed %s%s\n", name, schema.Printable(dir), but)
	for _, file := range files {
		fmt.Fprintln(std.out, "  "+schema.Printable(file))
	}
	if trusts && len(files) == 0 {
		fmt.Fprintln(std.err, "hookbridge trust: the project has no hook files yet; run trust again after you add one")
	}
	return failIf(len(left) > 0), nil
}

type trustDoc struct {
	Project string   `json:"project"`
	Trusted bool     `json:"trusted"`
	Files   []string `json:"files"`
}

// fingerprints are those of the project's hook files as each of the dialects
// reads them, and the files that they cover. One whose files cannot be read is
// reported and left out, and so is one with a hook that does not show what it runs:
// left has their titles.
func fingerprints(b *bridge.Bridge, list []adapter.Dialect, unresolved bool, std stdio) (sums, files, left []string) {
	dir := b.Places.Project
	ground := &trust.Ground{Places: b.Places}
	for _, d := range list {
		foreign := ground.Foreign(d.Profile().Reads, b.Given)
		res, ds := hookfile.Load(d, b.Places, b.Given)
		for _, d := range ds {
			if d.Severity == schema.Error {
				fmt.Fprintln(std.err, "hookbridge: "+d.String())
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
			fmt.Fprintf(std.err, "hookbridge trust: can't read all hook files of %s for %s, so they weren't "+
				"recorded%s\n", schema.Printable(dir), d.Profile().Title, why)
			left = append(left, d.Profile().Title)
			continue
		}
		if len(covers) > 0 && !slices.Contains(sums, sum) {
			sums = append(sums, sum)
		}
		for _, file := range covers {
			if !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return sums, files, left
}

// resolved reports whether every hook of the project shows which files it runs, and
// names those that don't.
func resolved(hidden []schema.Hook, std stdio) bool {
	for _, h := range hidden {
		fmt.Fprintln(std.err, schema.Printable(fmt.Sprintf("hookbridge trust: Not trusted: %s %s. hookbridge "+
			"can't see which files this command runs: %q. Move it into a script, or use --allow-unresolved.",
			h.Source.File, h.Path, h.Command)))
	}
	return len(hidden) == 0
}
