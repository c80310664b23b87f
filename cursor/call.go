package cursor

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ascii"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is the Cursor dialect. Its zero value is ready to use and follows the newest version; Version ("2.4",
// "3.15.19") selects an older one if the payload has no version.
type Dialect struct {
	Version string
	profile *dialect.Profile // nil: the newest
}

// DecodeCall reads the payload that a hook gets from Cursor on stdin. The Call is nil only with an Error diagnostic.
func (d Dialect) DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	var ds schema.Diagnostics
	o, err := ordjson.Parse(src)
	if err != nil {
		return nil, *schema.SyntaxDiagnostic(&ds, err)
	}

	c := &schema.Call{Dialect: name, Raw: src, Remote: env.Get(remoteVariable)}
	c.Native = members.Text(o, schema.FieldEvent)
	if c.Native == "" {
		ds.Add(schema.CodeNoEventName, "/hook_event_name", "the payload has no hook_event_name")
		return nil, ds
	}

	row := rowOf(c.Native)
	if row == nil {
		ds.Add(schema.CodeUnknownEvent, "/hook_event_name", d.Profile().TitleChecked()+
			" doesn't know the event "+c.Native)
		return nil, ds
	}

	c.Event, c.Gate, c.Inline = row.Event, row.Gate != nil, row.Inline()
	c.Values, c.Extra = members.Decode(o, row.Event)
	shape, usable := schema.CheckShape(c, true)
	ds, c.Malformed = append(ds, shape...), !usable
	words.Read(c)
	c.Version = d.versionOf(cmp.Or(c.Str(schema.FieldVersion), env.Get(versionVariable)))
	if raw := c.Get(schema.FieldAttachments); raw != nil && oldWords(c.Version) {
		i := slices.IndexFunc(c.Values, func(v schema.Value) bool { return v.Field == schema.FieldAttachments })
		c.Values[i].Raw = reattached(raw, false)
	}
	decodePlace(c, env)
	switch {
	case row.Gate != nil:
		decodeGate(c, row)
	case row.Event.IsTool():
		decodeTool(c)
	}
	decodeOutcome(c)
	return c, ds
}

// decodeOutcome reads how the event ended. It detects a stop that the agent didn't choose, a denied call that is
// reported as failed, and an MCP result that is an error (observed SDK 1.0.32).
func decodeOutcome(c *schema.Call) {
	switch {
	case c.Event == schema.Stop && failed(c.Str(schema.FieldStatus)):
		c.Event = schema.StopFailure
	case c.Event == schema.PostToolFailure && c.Str(schema.FieldFailure) == "permission-denied":
		c.Event = schema.PermissionDenied
	case c.Event == schema.PostToolFailure && c.Tool.Kind() == schema.Shell:
		splitFailure(c)
	case c.Event == schema.PostTool && c.Tool.Kind() == schema.MCP:
		raw, _ := c.Tool.Output.Get(schema.RoleIsError)
		if bad, _ := ordjson.Bool(raw); bad {
			c.Event = schema.PostToolFailure
			blocks, _ := c.Tool.Output.Get(schema.RoleBlocks)
			c.SetStr(schema.FieldError, blockText(blocks))
		}
	}
}

func blockText(blocks []byte) string {
	var texts []string
	for _, o := range ordjson.Objects(blocks) {
		if s, ok := o.Text("text"); ok {
			texts = append(texts, s)
		}
	}
	return strings.Join(texts, "\n")
}

// decodePlace determines the project and the working directory: roots may be empty (editor 3.15, agents window), the
// tool's folder may be "" (all programs).
func decodePlace(c *schema.Call, env schema.Environ) {
	roots, _ := ordjson.Elements(c.Get(schema.FieldRoots), 0)
	for _, r := range roots {
		if s, _ := ordjson.String(r.Value); s != "" {
			c.Roots = append(c.Roots, fixRoot(s))
		}
	}
	if len(c.Roots) > 0 {
		c.Project = c.Roots[0]
	}
	c.Project = cmp.Or(c.Project, fixRoot(env.Get(projectVariable)), fixRoot(startedIn(env)))
	c.Cwd = cmp.Or(inProject(c, fixRoot(c.Str(schema.FieldToolCwd))), c.Project)
}

// startedIn returns the folder in which a project's hook was started, which is the project (observed SDK 1.0.32). For
// the folder of other hooks it returns "".
func startedIn(env schema.Environ) string {
	dir, home := env.Get("PWD"), cmp.Or(env.Get("HOME"), env.Get("USERPROFILE"))
	for _, f := range files[:3] {
		if dir == path.Dir(f.Path) {
			return ""
		}
	}
	own := filepath.Join(home, ".cursor")
	if home != "" && (dir == own || dir == filepath.Join(home, ".claude") ||
		dialect.Within(filepath.Join(own, "plugins"), dir)) {
		return ""
	}
	return dir
}

// inProject makes a folder relative to the project's root absolute.
func inProject(c *schema.Call, dir string) string {
	absolute := filepath.IsAbs(dir) || path.IsAbs(dir) || len(dir) > 1 && dir[1] == ':'
	if dir == "" || absolute || !path.IsAbs(c.Project) {
		return dir
	}
	return path.Join(c.Project, dir)
}

// fixRoot removes the slash from a Windows path that was written like a URL's.
func fixRoot(s string) string {
	if len(s) > 2 && s[0] == '/' && ascii.Letter(s[1]) && s[2] == ':' {
		return s[1:]
	}
	return s
}

func decodeTool(c *schema.Call) {
	t := &c.Tool
	tool, isMCP := strings.CutPrefix(c.Str(schema.FieldToolName), mcpPrefix)
	t.Name, t.Server, t.UseID, t.Kinds = tool, c.Str(schema.FieldServerName), c.Str(schema.FieldToolUseID),
		[]schema.Kind{schema.Other}
	row := profile.Tool(tool)
	if isMCP {
		row = &mcpTool
	}

	var in, out []schema.ArgRow
	if row != nil {
		in, out = row.Input, row.Output
	}
	if row != nil && len(row.Kinds) > 0 {
		t.Kinds = row.Kinds
	}
	if t.Kind() == schema.Shell {
		in, out = append(in[:len(in):len(in)], documentedInput...), append(out[:len(out):len(out)], documentedResult...)
	}

	t.Input, t.Whole = decodeObject(c.Get(schema.FieldToolInput), in)
	if raw, ok := t.Input.Get(schema.RoleCwd); ok && t.Kind() == schema.Shell && c.Get(schema.FieldToolCwd) == nil {
		if s, _ := ordjson.String(raw); s != "" { // editor 2.5 sends the folder only here
			c.Cwd = inProject(c, fixRoot(s))
		}
	}
	if raw := c.Get(schema.FieldToolOutput); raw != nil {
		t.Output = namePlain(t.Kind(), decodeOutput(raw, out))
	}
	dropValues(c, schema.FieldToolName, schema.FieldToolInput, schema.FieldToolOutput, schema.FieldToolUseID)
}

// Fields that are documented (2026-08) but that no client was seen to send: for the command's folder and its output.
var (
	documentedInput  = []schema.ArgRow{{Name: "working_directory", Role: schema.RoleCwd}}
	documentedResult = []schema.ArgRow{{Name: "stdout", Role: schema.RoleStdout},
		{Name: "stderr", Role: schema.RoleStderr}}
)

// namePlain sets the role of a result that is plain text: up to version 2.4 it is the tool's output or the file (docs
// 2026-01).
func namePlain(k schema.Kind, out schema.Args) schema.Args {
	switch plain := len(out) == 1 && out[0].Role == schema.RoleWhole &&
		ordjson.KindOf(out[0].Raw) == ordjson.StringKind; {
	case plain && k == schema.Shell:
		out[0].Role = schema.RoleStdout
	case plain && k == schema.Read:
		out[0].Role = schema.RoleContent
	}
	return out
}

// decodeObject reads an object, or a string that contains one; anything else is returned whole.
func decodeObject(raw []byte, rows []schema.ArgRow) (schema.Args, []byte) {
	if s, ok := ordjson.String(raw); ok {
		if o, _, err := ordjson.ParseLast([]byte(s)); err == nil {
			return schema.DecodeArgs(o, rows), nil
		}
		return nil, raw
	}
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return nil, raw
	}
	return schema.DecodeArgs(o, rows), nil
}

func decodeOutput(raw []byte, rows []schema.ArgRow) schema.Args {
	as, whole := decodeObject(raw, rows)
	if whole != nil {
		return schema.Args{{Role: schema.RoleWhole, Raw: whole}}
	}
	return as
}

// decodeGate reads a payload whose tool call is spread over the top level.
func decodeGate(c *schema.Call, row *schema.EventRow) {
	t := &c.Tool
	t.Kinds, t.UseID = row.Kinds(), c.Str(schema.FieldToolUseID)
	if t.Kind() == schema.MCP {
		t.Name, t.Server = strings.TrimPrefix(c.Str(schema.FieldToolName), mcpPrefix), c.Str(schema.FieldServerName)
		t.Input, t.Whole = decodeObject(c.Get(schema.FieldToolInput), nil)
		if raw := c.Get(schema.FieldResult); raw != nil {
			t.Output = decodeOutput(raw, mcpTool.Output)
		}
		for i := range c.Values { // the server's launch command
			if c.Values[i].Field == schema.FieldCommand {
				c.Values[i].Field = schema.FieldServerCommand
			}
		}
		dropValues(c, schema.FieldToolName, schema.FieldToolInput, schema.FieldResult, schema.FieldToolUseID)
		return
	}

	t.Name = profile.ToolOfKind(t.Kind()).Name
	for _, g := range gateArgs {
		raw := c.Get(g.Field)
		if raw == nil {
			continue
		}

		if g.Role == schema.RoleEdits {
			raw = edit.Convert(raw, schema.CanonicalEdits)
		}
		into := &t.Input
		if g.Out {
			into = &t.Output
		}
		*into = append(*into, schema.Arg{Role: g.Role, Raw: raw})
		if g.Role != schema.RoleEdits { // stays a value: its ranges have no role
			dropValues(c, g.Field)
		}
	}

	if raw, ok := c.Extra.Get(gateTimeout); ok && row.Native == "beforeShellExecution" {
		if ms, ok := scaled(raw, 1000); ok {
			c.Extra.Take(gateTimeout)
			t.Input = append(t.Input, schema.Arg{Role: schema.RoleTimeout, Name: gateTimeout, Raw: ms})
		}
	}

	if row.Native == "afterFileEdit" {
		decodeEdits(t)
	}
}

// decodeEdits distinguishes a new or rewritten file from an edited one: a single edit
// without an old text is a whole file.
func decodeEdits(t *schema.Tool) {
	raw, _ := t.Input.Get(schema.RoleEdits)
	es := schema.CanonicalEdits.Decode(raw)
	t.Kinds = []schema.Kind{schema.Edit, schema.Write, schema.Notebook}
	if len(es) == 1 && es[0].Old == "" {
		t.Kinds = []schema.Kind{schema.Write, schema.Edit, schema.Notebook}
		t.Input = t.Input.Set(schema.RoleContent, "", ordjson.AppendString(nil, es[0].New))
	}
}

func dropValues(c *schema.Call, fields ...schema.Field) {
	c.Values = slices.DeleteFunc(c.Values, func(v schema.Value) bool { return slices.Contains(fields, v.Field) })
}

// failed reports whether the agent didn't choose to stop: it then can't be sent back to work.
func failed(status string) bool { return status == "error" || status == "aborted" }

// silentFailure and the exit code are the error of a failed command that printed only blanks. For any other, the error
// is its output, and the exit code isn't sent (observed SDK 1.0.32).
const silentFailure = "Command failed with exit code "

// splitFailure extracts the exit code from the error of a silent command. A number out of range is a signal and stays.
func splitFailure(c *schema.Call) {
	code, ok := strings.CutPrefix(c.Str(schema.FieldError), silentFailure)
	n, err := strconv.Atoi(code)
	isStatus := err == nil && n >= 0 && n <= 255 && strconv.Itoa(n) == code
	if !ok || !isStatus {
		return
	}
	c.Tool.Output = c.Tool.Output.Set(schema.RoleExitCode, "", []byte(code))
	c.SetStr(schema.FieldError, "")
}

func (e *encoder) failure() {
	code, has := e.c.Tool.Output.Get(schema.RoleExitCode)
	if e.v.Kind != schema.Shell || !has || unblank(e.c.Str(schema.FieldError)) != "" {
		e.fields(schema.FieldError)
		return
	}
	e.done[schema.FieldError] = true
	e.String(e.name(schema.FieldError), silentFailure+string(code))
}
