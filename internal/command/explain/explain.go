// Package explain is the command explain.
package explain

import (
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

//go:embed explain.txt
var help string

// Command is the command explain.
func Command() cli.Command { return cli.Looking[flags](help) }

type flags struct{ list, json bool }

func (f *flags) Define(fs *cli.Flags) {
	fs.Yes(&f.list, "list")
	fs.Yes(&f.json, "json")
}

func (f *flags) Run(_ *cli.Flags, args []string, std cli.IO) (int, error) {
	switch {
	case f.list && len(args) > 0:
		return 0, cli.Usage("--list takes no code")
	case f.list && f.json:
		cli.PrintJSON(std.Out, ListDoc{Codes: lists.Map(schema.Codes(), codeDocOf)})
		return cli.OK, nil
	case f.list:
		for _, c := range schema.Codes() {
			cli.PrintWrapped(std.Out, fmt.Sprintf("%s  %-6s  ", c.Code, c.Severity), c.Title)
		}
		return cli.OK, nil
	case len(args) != 1:
		return 0, cli.Usage("name one code, as in hookbridge explain HB204; --list lists them")
	}

	code := strings.ToUpper(args[0])
	if _, err := strconv.Atoi(code); err == nil {
		code = "HB" + code
	}

	info, isCode := schema.Code(code).Info()
	switch {
	case isCode && f.json:
		cli.PrintJSON(std.Out, codeDocOf(info))
	case isCode:
		explainCode(std.Out, info)
	case adapter.EventOf(args[0]) != 0:
		fmt.Fprintf(std.Err, "hookbridge explain: %q is an event; hookbridge matrix shows the events\n", args[0])
		return cli.Failed, nil
	default:
		known, _ := cli.Values("HBnnn")
		fmt.Fprintf(std.Err, "hookbridge explain: %q isn't a code%s\nhookbridge explain --list lists them\n", args[0],
			suggest.Question(args[0], known))
		return cli.Failed, nil
	}

	return cli.OK, nil
}

// CodeDoc is the explanation of a code, in the form that --json prints.
type CodeDoc struct {
	schema.CodeInfo
	Agents []codeInHost `json:"agents"`
}

type codeInHost struct {
	Agent string `json:"agent"`
	Text  string `json:"text"`
}

func codeDocOf(info schema.CodeInfo) CodeDoc {
	return CodeDoc{info, cli.Array(Meanings(info.About))}
}

// ListDoc is the list of all codes.
type ListDoc struct {
	Codes []CodeDoc `json:"codes"`
}

func explainCode(w io.Writer, info schema.CodeInfo) {
	cli.PrintWrapped(w, "", fmt.Sprintf("%s (usually %s): %s", info.Code, info.Severity, info.Title))
	fmt.Fprintln(w)
	cli.PrintWrapped(w, "", info.Text)
	fmt.Fprintln(w)
	cli.PrintWrapped(w, "What to do: ", info.Do)
	fmt.Fprintln(w)
	cli.PrintWrapped(w, "Before:  ", info.Before)
	cli.PrintWrapped(w, "After:   ", info.After)
	for i, l := range Meanings(info.About) {
		if i == 0 {
			fmt.Fprintln(w, "\nIn each agent:")
		}
		cli.PrintWrapped(w, fmt.Sprintf("  %-11s ", l.Agent), l.Text)
	}
}

// Meanings lists each dialect's form of a feature: the events that honor an effect, or the field for a setting of a
// hook.
func Meanings(f schema.Feature) (lines []codeInHost) {
	if f == 0 {
		return nil
	}
	for _, d := range adapter.Dialects() {
		var heeded []string
		for _, row := range d.Profile().Events {
			if row.Honors&f != 0 {
				heeded = append(heeded, row.Native)
			}
		}
		text := ""
		switch member := d.Profile().MemberName(f); {
		case member != "":
			text = "the field " + member + " of a hook"
		case len(heeded) > 0:
			text = "honors " + f.Name() + " on " + strings.Join(heeded, ", ")
		case f < schema.HookMatcher: // an effect of answers
			text = "honors " + f.Name() + " on no event"
		default:
			text = "hooks have no setting for it"
		}
		lines = append(lines, codeInHost{d.Profile().Name, text})
	}
	return lines
}
