package doctor

import (
	"cmp"
	"fmt"
	"io"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/schema"
)

// printSeen writes a line for each entry of the hosts.
func (x *doctor) printSeen(w io.Writer) {
	p := cli.PainterFor(w)
	fmt.Fprintf(w, "\n%s\n", p.Paint(cli.Strong, "Last calls"))
	for _, d := range x.hosts {
		for _, s := range common.SeenEntries(d, x.bridge.Places) {
			fmt.Fprintf(w, "  %-10s %s  %s  %s\n", d.Profile().Name,
				schema.Printable(cli.AtLine(x.InProject(s.File), s.Line)), schema.Printable(s.Event),
				schema.Printable(s.Says(x.bridge.Now())))
		}
	}
}

// seenOf returns the entries of a finding's host that run its hook.
func (x *doctor) seenOf(host string, owner string, h *schema.Hook) (list []common.SeenDoc) {
	d, err := adapter.Find(host)
	of, ownerErr := adapter.Find(owner)
	if cmp.Or(err, ownerErr) != nil || h == nil {
		return nil
	}
	for _, s := range common.SeenEntries(d, x.bridge.Places) {
		for _, e := range plan.New(of, d).Outcome(h, true).Own {
			if e.Native == s.Event && s.Call.RunsHooksOf(owner) {
				s.File = x.InProject(s.File)
				list = append(list, s)
			}
		}
	}
	return list
}
