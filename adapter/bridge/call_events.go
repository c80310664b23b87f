package bridge

import (
	"hash/fnv"
	"strconv"

	"github.com/hookbridge/hookbridge/schema"
)

// callEvents finds the other events that the host sends for the same tool call, and names the call.
type callEvents struct{ stage }

// twin reports whether the host sends a second event for the call, and whether that
// comes later. Before the tool runs, the gate event follows the generic event; after
// it, the gate event comes first.
func (r callEvents) twin() (exists, later bool) {
	row, later := r.twinRow()
	return row != nil, later
}

// twinRow returns the row of that event, nil if there is none.
func (r callEvents) twinRow() (second *schema.EventRow, later bool) {
	own := r.Host.Profile().Row(r.call.Native)
	rows := r.Host.Profile().Events
	for i := range rows {
		row := &rows[i]
		if own == nil || row.Event != own.Event || row.Gate == own.Gate || row.Inline {
			continue
		}
		if own.Gate || len(row.Kinds) > 0 && row.Kinds[0].Base() == r.call.Tool.Kind().Base() {
			return row, own.Gate == (own.Event != schema.PreTool)
		}
	}
	return nil, false
}

func (r callEvents) genericEvent() string {
	return r.Host.Profile().Generic(r.Host.Profile().Row(r.call.Native).Event)
}

func (r callEvents) ranKey(in schema.Args) string {
	key := keyRan
	if own := r.Host.Profile().Row(r.call.Native); own != nil { // a hook that ran before the tool didn't run after it
		key += own.Event.String() + "|"
	}
	key += r.Hooks.Profile().Name + "|" + r.mem.callKey(r.call, in) // bridges of other hooks run beside this one
	if r.Single != nil {
		key += "|" + r.mark(pick{hook: *r.Single})
	}
	return key
}

// mark names a hook in a view.
func (r callEvents) mark(p pick) string {
	h := fnv.New64a()
	h.Write([]byte(r.Hooks.Profile().KeyOf(&p.hook) + "\x00" + p.view.Tool + "\x00" + p.view.Server))
	if root := r.rootOfHook(&p.hook); root != "" {
		h.Write([]byte("\x00" + root))
	}
	return strconv.FormatUint(h.Sum64(), 16)
}

func (r callEvents) rememberedServer() string {
	s, _ := r.mem.get(keyServer + r.mem.callKey(r.call, r.call.Tool.Input))
	return s
}
