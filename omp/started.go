package omp

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

const taskTool = "task"

// startedBy lists the calls that a call makes under another tool's name: a program that hub starts, text that hub or
// write types into a running one, or each sub-agent of task.
func startedBy(c *schema.Call) (parts []*schema.Call) {
	o, _ := ordjson.Members(c.Get(schema.FieldToolInput), 0)
	command, as := "", c.Clone()
	switch c.Tool.Name {
	case "hub":
		command = hubCommand(o)
		as.Tool.Kinds = append(slices.Clip(as.Tool.Kinds), schema.Shell)
	case "write":
		command = typed(o)
		as.Tool.Kinds = []schema.Kind{schema.Shell}
		parts = append(parts, c.Clone())
	case taskTool:
		for _, e := range o.Objects("tasks") {
			p := c.Clone()
			p.Tool.Whole, p.Tool.Input = nil, schema.DecodeArgs(e, taskInput)
			parts = append(parts, p)
		}
		return parts
	}
	if command == "" {
		return nil
	}

	as.Tool.Whole = nil
	as.Tool.Input = schema.Args{{Role: schema.RoleCommand, Name: "command", Raw: ordjson.AppendString(nil, command)}}
	if dir, ok := o.Text("cwd"); ok {
		as.Tool.Input = as.Tool.Input.Set(schema.RoleCwd, "cwd", ordjson.AppendString(nil, dir))
	}
	return append(parts, as)
}

// hubCommand returns the program that a call of hub starts, with its arguments, or the text that it types into a
// running program; "" for its other operations (observed 18.2.3).
func hubCommand(o ordjson.Object) string {
	switch o.Str("op") {
	case "start":
		words := []string{o.Str("application")}
		return shell.Join(append(words, o.Strings("args")...))
	case "send":
		if strings.TrimSpace(o.Str("name")) != "" {
			return o.Str("text")
		}
	}
	return ""
}

// typed returns the text that a write to proc://ID types into a running program; "" for others (observed 18.3.4).
func typed(o ordjson.Object) string {
	if !strings.Contains(strings.ToLower(o.Str("path")), "proc://") {
		return ""
	}
	return o.Str("content")
}
