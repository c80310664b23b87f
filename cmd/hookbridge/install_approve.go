package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/schema"
)

// approve shows the entries that the hosts wait with, asks, and writes the review. Only a person at a terminal, or the
// code of exactly these entries, agrees to it.
func (f *installTool) approve(job *install.Job, results []install.Result, std stdio) error {
	for _, host := range hostsOf(results) {
		if len(f.hosts) == 0 && host.Abilities().Approves == nil {
			continue
		}
		a, err := job.ApprovalOf(host)
		if err != nil {
			return asUsage(err)
		}
		if err := f.agree(a, host, std); err != nil {
			return err
		}
		review := host.Abilities().Trust.Review()
		for i := range results {
			results[i].Notes = slices.DeleteFunc(results[i].Notes, func(n string) bool { return n == review })
		}
	}
	return nil
}

func (f *installTool) agree(a *install.Approval, host adapter.Dialect, std stdio) error {
	title := host.Profile().Title
	for _, h := range a.Off {
		fmt.Fprintf(std.err, "hookbridge: note: %s: switched off in %s; that stays\n", schema.Printable(h.Native),
			title)
	}
	if len(a.Hooks) == 0 {
		fmt.Fprintf(std.err, "hookbridge: note: every entry of hookbridge is approved in %s\n", title)
		return nil
	}
	fmt.Fprintf(std.err, "%s runs these entries once they are approved in %s:\n", title,
		schema.Printable(shown(a.File)))
	for _, h := range a.Hooks {
		fmt.Fprintf(std.err, "  %s  %s  %s\n", schema.Printable(atLine(shown(h.Source.File), h.Line)),
			schema.Printable(matched(h.Native, h.Matcher)), schema.Printable(h.Command))
	}
	talk := newDialog(std)
	switch {
	case f.trust.code == a.Code():
	case f.trust.code != "":
		return fmt.Errorf("nothing is approved: --trust=%s means other entries. These are --trust=%s",
			f.trust.code, a.Code())
	case talk == nil:
		return errors.New("nothing is approved: this isn't a terminal, so nobody can agree to it. To approve exactly " +
			"these entries, add --trust=" + a.Code())
	case !talk.yes("Approve them?", false):
		return errors.New("nothing is approved")
	}
	if err := a.Write(); err != nil {
		return err
	}
	fmt.Fprintf(std.err, "approved  %s in %s\n", counted(len(a.Hooks), "entry"), schema.Printable(shown(a.File)))
	return nil
}

// matched is an event with its matcher.
func matched(native, matcher string) string {
	if matcher == "" {
		return native
	}
	return native + "(" + matcher + ")"
}
