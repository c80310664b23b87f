package install

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// canaryMark is only in the hook of a canary.
const canaryMark = "hookbridge canary: "

// canaryEvent returns the event at which a host calls a canary: the start of a session, or each tool call if the host
// has no such event or reads no answer there.
func canaryEvent(host adapter.Dialect) string {
	p := host.Profile()
	start := p.Generic(schema.SessionStart)
	if row := p.Row(start); row != nil && row.Honors != 0 {
		return start
	}
	return p.Generic(schema.PreTool)
}

// A Canary is a harmless entry that shows a user whether a host runs the entries of a file.
type Canary struct {
	Event string // event of the host that calls it
	Says  string // the message to the user or the agent
	There bool   // it is in the file already
	file  hostFile
	own   []convert.OwnEntry
	want  convert.Placed
}

// CanaryIn prepares a host's canary for the project file of the job, or for the user's file if the scope is user.
func (x *Job) CanaryIn(host adapter.Dialect) (*Canary, error) {
	x.pending = pending{}
	path := FileOf(host, x.Places, x.Scope)
	if host.Profile().Modules != nil || path == "" {
		return nil, fmt.Errorf("%s has no hook file of the scope %s", host.Profile().Title, x.Scope)
	}
	f, err := readFile(x, host, path)
	if err := cmp.Or(x.inside(path), err); err != nil {
		return nil, err
	}
	c := &Canary{Event: canaryEvent(host), Says: canaryMark + host.Profile().Title + " runs this hook", file: f}
	all, err := entries(host, f.before)
	if err != nil {
		return nil, InFile(f.path, err)
	}
	c.own = slices.DeleteFunc(all, func(e convert.OwnEntry) bool { return !isCanary(&e.Call) })
	c.There = len(c.own) > 0

	call := cmdline.Call{Path: cmp.Or(x.Program, x.Fixed)}
	call.Set("host", host.Profile().Full())
	call.Set("seen", "")
	call.Set("inline", canaryHook(c.Says, host.Profile().Row(c.Event).Event))
	if host.Profile().Unnamed {
		call.Set("event", c.Event)
	}
	row := host.Profile().Row(c.Event)
	h := schema.Hook{Handler: schema.HandlerCommand, Command: call.Command(), Event: row.Event, Timeout: time.Minute}
	c.want.Pointer = host.Profile().EventsAt + "/" + c.Event
	c.want.Value, _ = host.WriteHook(schema.Entry{Native: c.Event, Pointer: c.want.Pointer}, &h)
	return c, nil
}

// canaryHook returns the text of a file with the hook of a canary, which shows the user a message. It has the format of
// the default agent of --hooks.
func canaryHook(says string, e schema.Event) string {
	d, err := adapter.Find(adapter.Default)
	if err != nil {
		return "{}"
	}
	native := d.Profile().Generic(e)
	answer := d.AppendReply(nil, &schema.Call{Dialect: d.Profile().Name, Native: native, Event: e},
		&schema.Reply{Notice: says})
	command := "printf %s " + shell.Quote(string(answer))
	at := schema.Entry{Native: native, Pointer: d.Profile().EventsAt + "/" + native}
	value, _ := d.WriteHook(at, &schema.Hook{Handler: schema.HandlerCommand, Command: command, Event: e})
	text, err := jsonedit.Insert(OrEmpty(d, nil), at.Pointer, value)
	if err != nil {
		return "{}"
	}
	return string(ordjson.AppendCompact(nil, text))
}

// isCanary reports whether a call belongs to a canary.
func isCanary(c *cmdline.Call) bool {
	return c.On("seen") && strings.Contains(c.Text("inline"), canaryMark)
}

// File returns the path of the host's file.
func (c *Canary) File() string { return c.file.path }

// Review returns what the user has to do before the host runs the entry, "" if nothing is known.
func (c *Canary) Review() string {
	if c.file.host == nil {
		return ""
	}
	if keeper := c.file.host.Abilities().Trust; keeper != nil {
		return keeper.Review()
	}
	return ""
}

// Add adds the canary to the file and keeps everything else in it.
func (c *Canary) Add() error {
	f := c.file
	if f.host == nil {
		return errors.New("the canary has no file; CanaryIn makes one that has")
	}
	after, err := f.added(f.before, c.own, []convert.Placed{c.want})
	if err != nil {
		return err
	}
	if off := unheededChange(f.host, f.before, after, f.source()); off.Max() == schema.Error {
		return errors.New(off[0].String())
	}
	if err := CheckCopies(f.host, f.path, after); err != nil {
		return err
	}
	if f.before == nil {
		err = f.create(after)
	} else {
		err = jsonedit.WriteFile(f.path, f.before, after)
	}
	if err != nil {
		return err
	}
	return f.writeCopies(after)
}

// Remove takes the canary out again and restores the file, unless something else has changed in it.
func (c *Canary) Remove() error {
	if !c.There || c.file.host == nil {
		return nil
	}
	after, remove, err := c.file.original(c.own, nil)
	if err != nil {
		return err
	}
	return c.file.restore(after, remove, nil)
}
