package install

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/schema"
)

// approve shows the entries that await the hosts' reviews, asks for agreement, and writes the reviews. Only a person at
// a terminal, or the code of exactly these entries, can agree.
func (f *call) approve(job *install.Job, results []install.Result, std cli.IO) error {
	for _, host := range common.HostsOf(results) {
		if len(f.Hosts) == 0 && host.Abilities().Approves == nil {
			continue
		}
		a, err := job.ApprovalOf(host)
		if err != nil {
			return cli.AsUsage(err)
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

func (f *call) agree(a *install.Approval, host adapter.Dialect, std cli.IO) error {
	title := host.Profile().Title
	for _, h := range a.Off {
		fmt.Fprintf(std.Err, "hookbridge: note: %s: switched off in %s; that stays\n", schema.Printable(h.Native),
			title)
	}

	if len(a.Hooks) == 0 {
		fmt.Fprintf(std.Err, "hookbridge: note: every entry of hookbridge is approved in %s\n", title)
		return nil
	}

	fmt.Fprintf(std.Err, "%s runs these entries once they are approved in %s:\n", title,
		schema.Printable(cli.Shown(a.File)))
	for _, h := range a.Hooks {
		fmt.Fprintf(std.Err, "  %s  %s  %s\n", schema.Printable(cli.AtLine(cli.Shown(h.Source.File), h.Line)),
			schema.Printable(matched(h.Native, h.Matcher)), schema.Printable(h.Command))
	}

	talk := cli.NewDialog(std)
	switch {
	case f.Trust.Code == a.Code():
	case f.Trust.Code != "":
		return fmt.Errorf("nothing is approved: --trust=%s means other entries. These are --trust=%s",
			f.Trust.Code, a.Code())
	case talk == nil:
		return errors.New("nothing is approved: this isn't a terminal, so hookbridge can't ask. To approve exactly " +
			"these entries, add --trust=" + a.Code())
	case !talk.Yes("Approve them?", false):
		return errors.New("nothing is approved")
	}

	if err := a.Write(); err != nil {
		return err
	}

	fmt.Fprintf(std.Err, "approved  %s in %s\n", cli.Counted(len(a.Hooks), "entry"),
		schema.Printable(cli.Shown(a.File)))
	return nil
}

// matched returns an event with its matcher.
func matched(native, matcher string) string {
	if matcher == "" {
		return native
	}
	return native + "(" + matcher + ")"
}
