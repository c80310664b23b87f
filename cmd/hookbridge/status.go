package main

import (
	"fmt"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
)

// state compares what is there with what is needed.
func (x *installer) state() (string, error) {
	if x.before == nil {
		return "absent", nil
	}
	var have []adapter.Placed
	for _, e := range x.own {
		have = append(have, adapter.Placed{Pointer: e.Array, Value: e.Value})
	}
	if len(have) == 0 {
		return "absent", nil
	}
	missing, strange := 0, 0
	for _, w := range x.want {
		if !placed(have, w) {
			missing++
		}
	}
	for _, h := range have {
		if !placed(x.want, h) {
			if strings.Contains(string(h.Value), x.in.Command()+`"`) {
				strange++ // our call in another frame
				continue
			}
			return "edited", nil
		}
	}
	switch {
	case missing == 0 && strange == 0:
		return "current", nil
	case strange > 0 && missing > 0:
		return "edited", nil
	}
	return "stale", nil
}

func placed(list []adapter.Placed, p adapter.Placed) bool {
	for _, l := range list {
		if l.Pointer == p.Pointer && adapter.CompareEntry(l.Value, p.Value) {
			return true
		}
	}
	return false
}

func (x *installer) status() error {
	s, err := x.state()
	if err != nil {
		return err
	}
	fmt.Fprintf(x.std.out, "%s  %s  (%s needed)\n", s, x.file, counted(len(x.want), "entry"))
	return nil
}
