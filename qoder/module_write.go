package qoder

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// moduleTail is the common part of all written modules, in TypeScript; text in /*: ... */ is a type, which is left out
// of a script.
//
//go:embed module.tail
var moduleTail string

// The first line of every written module.
const (
	headBegins = "// Hooks of "
	headEnds   = " for the Agent SDK of Qoder, written by hookbridge; to change them, change"
)

// WroteModule reports whether WriteModule generated a text.
func (Dialect) WroteModule(text []byte) bool {
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.HasPrefix(line, headBegins) && strings.HasSuffix(line, headEnds)
}

// ModuleConfigs parses a module of WriteModule. It returns the dialect of its hooks and the configuration of each of
// its groups, the untyped ones last.
func (d Dialect) ModuleConfigs(text []byte) (from string, configs [][]byte) {
	if !d.WroteModule(text) {
		return "", nil
	}
	head, rest, _ := strings.Cut(string(text), "\n")
	untyped, typed, _ := strings.Cut(rest, "\nexport const hooks")
	for _, section := range []string{typed, untyped} {
		for _, part := range strings.Split(section, "\n        bridge(")[1:] {
			config, _, _ := strings.Cut(part, "\n        }, ")
			configs = append(configs, []byte(config+"}"))
		}
	}
	return strings.TrimSuffix(strings.TrimPrefix(head, headBegins), headEnds), configs
}

// Typed reports whether the SDK's types include an event; a module with others needs a cast.
func (Dialect) Typed(native string) bool { return writtenIn(native, typings) }

// WriteModule writes a module that exports hooks for the SDK's options. The same groups give the same text.
func (Dialect) WriteModule(m *schema.Module) []byte {
	var b strings.Builder
	b.WriteString(headBegins + m.From + headEnds + "\n" +
		"// their own file and convert it again. They need hookbridge in PATH (or $HOOKBRIDGE).\n//\n" +
		"//     query({ prompt, options: { hooks } })\n//\n")
	if len(m.Lost) == 0 {
		b.WriteString("// Everything was translated.\n")
	} else {
		b.WriteString("// Not translated, or changed:\n")
	}
	for _, line := range m.Lost {
		b.WriteString("//   " + oneLine(line) + "\n")
	}

	b.WriteString("import { spawn } from \"node:child_process\";\n\n")
	var typed, untyped []schema.ModuleGroup
	for _, g := range m.Groups {
		if writtenIn(g.Native, typings) {
			typed = append(typed, g)
		} else {
			untyped = append(untyped, g)
		}
	}
	if len(untyped) > 0 {
		b.WriteString("// The SDK's types lack these events, but the client sends them.\n")
		b.WriteString("const untyped" + types(m, ": { [event: string]: Group[] }") + " = {\n")
		writeEvents(&b, untyped)
		b.WriteString("};\n\n")
	}

	names := lists.Map(eventsOf(typed), strconv.Quote)
	b.WriteString("export const hooks" + types(m, ": { [event in "+cmp.Or(strings.Join(names, " | "), "never")+
		"]: Group[] }") + " = {\n")
	writeEvents(&b, typed)
	if len(untyped) > 0 {
		b.WriteString("  ..." + types(m, "(") + "untyped" + types(m, " as {})") + ",\n")
	}

	b.WriteString("};\n\nexport default hooks;\n\nconst HOOKS = " + strconv.Quote(m.From) + ";\n")
	tail := moduleTail
	if m.Script {
		tail = withoutTypes(tail)
	}
	b.WriteString(strings.NewReplacer("/*:", "", ":*/", "").Replace(tail))
	return []byte(b.String())
}

func types(m *schema.Module, s string) string {
	if m.Script {
		return ""
	}
	return s
}

func oneLine(s string) string { return strings.Join(strings.Fields(schema.Printable(s)), " ") }

func eventsOf(groups []schema.ModuleGroup) (names []string) {
	for _, g := range groups {
		if !slices.Contains(names, g.Native) {
			names = append(names, g.Native)
		}
	}
	return names
}

func writeEvents(b *strings.Builder, groups []schema.ModuleGroup) {
	for _, event := range eventsOf(groups) {
		b.WriteString("  " + event + ": [\n")
		for _, g := range groups {
			if g.Native == event {
				writeGroup(b, g)
			}
		}
		b.WriteString("  ],\n")
	}
}

func writeGroup(b *strings.Builder, g schema.ModuleGroup) {
	b.WriteString("    {\n")
	if g.Matcher != "" {
		b.WriteString("      matcher: " + string(ordjson.AppendString(nil, g.Matcher)) + ",\n")
	}
	b.WriteString("      timeout: " + strconv.FormatFloat(g.Timeout.Seconds(), 'f', -1, 64) + ", // seconds\n")
	config := strings.ReplaceAll(strings.TrimSpace(string(g.Config)), "\n", "\n        ")
	b.WriteString("      hooks: [\n        bridge(" + config + ", " + cmp.Or(string(g.Refusal), "null"))
	for _, f := range g.Flags {
		b.WriteString(", " + string(ordjson.AppendString(nil, f)))
	}
	b.WriteString("),\n      ],\n    },\n")
}

// withoutTypes removes the marked types, and the text before them on their lines.
func withoutTypes(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "/*:")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, text, _ = strings.Cut(rest, ":*/")
		if strings.HasSuffix(before, "\n") { // the whole line was a type
			text = strings.TrimPrefix(text, "\n")
		}
	}
}
