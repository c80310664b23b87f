package adapter_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// TestStepsMayLack checks that every dialect works without each of its agent's steps, and without all of them. A
// derived agent need not have a step, and a panic at a hook leaves the call undecided.
func TestStepsMayLack(t *testing.T) {
	steps, tried := reflect.TypeFor[family.Steps](), 0
	for _, d := range adapter.Dialects() {
		for i := range steps.NumField() + 1 {
			lacking, ok := without(d, i)
			if !ok {
				continue
			}
			tried++
			what := "any step"
			if i < steps.NumField() {
				what = steps.Field(i).Name
			}
			if wrong := exercised(lacking, d); wrong != "" {
				t.Errorf("%s without %s: %s", d.Profile().Name, what, wrong)
			}
		}
	}
	if tried < 8*steps.NumField() {
		t.Errorf("%d dialects with a step less", tried)
	}
}

// without returns a dialect whose agent lacks the i-th step, or all of them after the last; false if its agent isn't
// the family's.
func without(d dialect.Dialect, i int) (dialect.Dialect, bool) {
	copied := reflect.New(reflect.TypeOf(d)).Elem()
	copied.Set(reflect.ValueOf(d))
	if copied.Kind() != reflect.Struct || !copied.FieldByName("Agent").IsValid() {
		return nil, false
	}
	field := copied.FieldByName("Agent")
	agent, ok := field.Interface().(*family.Agent)
	if !ok {
		return nil, false
	}
	less := *agent
	if steps := reflect.ValueOf(&less.Steps).Elem(); i < steps.NumField() {
		steps.Field(i).SetZero()
	} else {
		steps.SetZero()
	}
	field.Set(reflect.ValueOf(&less))
	return copied.Interface().(dialect.Dialect), true
}

// exercised uses all of a dialect's functions on a hook at each event, with payloads of the whole dialect, and returns
// what panicked.
func exercised(d, whole dialect.Dialect) (wrong string) {
	at := ""
	defer func() {
		if r := recover(); r != nil {
			wrong = fmt.Sprint(at, ": ", r)
		}
	}()
	p := whole.Profile()
	places := schema.Places{OS: "linux", Home: "/home", Project: "/project"}
	for _, row := range p.Events {
		at = row.Native
		h := schema.Hook{Handler: schema.HandlerCommand, Command: "true", Event: row.Event, Native: row.Native}
		entry := schema.Entry{Native: row.Native, Pointer: p.EventsAt + "/" + row.Native, Matcher: "*"}
		value, _ := d.WriteHook(entry, &h)
		d.Plan(&h, d.Select(&h))
		text := fmt.Appendf(nil, `{"hooks":{%q:[%s]}}`, row.Native, value)
		d.ParseConfig(text, schema.Source{File: "/project/x.json"})

		for k := schema.Shell; k < schema.NumKinds; k++ {
			e := sample.Event{Event: row.Native, Tool: k.String(), Project: places.Project}
			if k == schema.MCP {
				e.Server = "server"
			}
			payload, err := sample.Payload(whole, sample.ForHost(whole, e))
			if err != nil {
				continue
			}
			c, _ := d.DecodeCall(payload, nil)
			if c == nil {
				continue
			}
			for _, v := range d.Views(c) {
				d.Shown(c, v)
				d.AppendCall(nil, c, v)
				d.DecodeReply(&h, v, &dialect.Result{Stdout: []byte(
					`{"decision":"block","reason":"r","hookSpecificOutput":{"hookEventName":"` + row.Native + `"}}`)})
			}
			d.Spec(&h, c, places)
			d.Asks(c)
			d.AppendReply(nil, c, &schema.Reply{Verdict: schema.Deny, Reason: "r", Context: "c", Output: []byte(`"o"`),
				Input: c.Tool.Input})
		}
	}
	return ""
}
