package help

import (
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/suggest"
)

// Shells are the shells with completion.
var Shells = []string{"bash", "zsh", "fish", "powershell"}

// The scripts without the text about the commands. It replaces words and comments in capitals.
var (
	//go:embed completion.bash
	bash string
	//go:embed completion.zsh
	zsh string
	//go:embed completion.ps1
	powershell string
)

func completionCommand(all []cli.Command, rest []string, std cli.IO) (int, error) {
	if len(rest) != 1 {
		return 0, cli.Usage("name one shell: " + cli.Either(Shells))
	}
	switch rest[0] {
	case "bash":
		completeBash(std.Out, all)
	case "zsh":
		completeZsh(std.Out, all)
	case "fish":
		completeFish(std.Out, all)
	case "powershell":
		completePowershell(std.Out, all)
	default:
		return 0, cli.Usage("no completion for " + strconv.Quote(rest[0]) + ": the shells are " +
			strings.Join(Shells, ", ") + suggest.Question(rest[0], Shells))
	}
	return cli.OK, nil
}

// wordsAfter lists what may follow a command: its arguments and flags.
func wordsAfter(c *cli.Command, all []cli.Command) []string {
	words, _ := cli.Values(c.Args, cli.Names(all)...)
	return append(append(words, lists.Map(c.Flags(), cli.FlagDoc.Dashed)...), "--help")
}

func completeBash(w io.Writer, all []cli.Command) {
	var values, after strings.Builder
	for _, c := range all {
		for _, f := range c.Flags() {
			if f.Arg == "" {
				continue
			}
			do := "return"
			if words, _ := cli.Values(f.Arg); words != nil {
				do = "words=\"" + strings.Join(words, " ") + "\""
			}
			fmt.Fprintf(&values, "\t%q) %s ;;\n", c.Name+" "+f.Dashed(), do)
		}
		fmt.Fprintf(&after, "\t\t%s) words=%q ;;\n", c.Name, strings.Join(wordsAfter(&c, all), " "))
	}
	strings.NewReplacer("COMMANDS", strings.Join(cli.Names(all), " "), "#VALUES\n", values.String(), "#WORDS\n",
		after.String()).WriteString(w, bash)
}

func completeZsh(w io.Writer, all []cli.Command) {
	var commands, arguments strings.Builder
	for _, c := range all {
		fmt.Fprintf(&commands, "\t\t%s\n", shellQuoted(c.Name+":"+c.Summary))
		fmt.Fprintf(&arguments, "\t%s)\n\t\t_arguments", c.Name)
		for _, f := range c.Flags() {
			spec := f.Dashed() + "[" + zshText(f.Help) + "]"
			if f.Arg != "" {
				spec += ":" + zshText(f.Arg) + ":" + zshAction(f.Arg)
			}
			fmt.Fprintf(&arguments, " \\\n\t\t\t%s", shellQuoted(spec))
		}
		fmt.Fprintf(&arguments, " \\\n\t\t\t%s \\\n\t\t\t%s\n\t\t;;\n", shellQuoted("--help[show how to use it]"),
			shellQuoted("*:argument:"+zshAction(c.Args, cli.Names(all)...)))
	}
	strings.NewReplacer("#COMMANDS\n", commands.String(), "#ARGUMENTS\n", arguments.String()).WriteString(w, zsh)
}

func zshAction(arg string, commands ...string) string {
	words, files := cli.Values(arg, commands...)
	switch {
	case words != nil:
		return "(" + strings.Join(words, " ") + ")"
	case files && arg == "DIR":
		return "_files -/"
	case files:
		return "_files"
	}
	return " "
}

// zshText escapes text in a specification, where some characters are special.
func zshText(s string) string {
	return strings.NewReplacer("\n", " ", "[", "(", "]", ")", ":", `\:`).Replace(s)
}

func completeFish(w io.Writer, all []cli.Command) {
	fmt.Fprint(w, "# hookbridge completion for fish: hookbridge completion fish | source\ncomplete -c hookbridge -f\n")
	for _, c := range all {
		fmt.Fprintf(w, "complete -c hookbridge -n __fish_use_subcommand -a %s -d %s\n", c.Name, shellQuoted(c.Summary))
		when := "complete -c hookbridge -n '__fish_seen_subcommand_from " + c.Name + "'"
		if words, files := cli.Values(c.Args, cli.Names(all)...); words != nil {
			fmt.Fprintf(w, "%s -a %s\n", when, shellQuoted(strings.Join(words, " ")))
		} else if files {
			fmt.Fprintf(w, "%s -F\n", when)
		}

		for _, f := range c.Flags() {
			option := "-l " + f.Name
			if len(f.Name) == 1 {
				option = "-s " + f.Name
			}
			if f.Arg != "" {
				words, files := cli.Values(f.Arg)
				switch {
				case words != nil:
					option += " -x -a " + shellQuoted(strings.Join(words, " "))
				case files:
					option += " -r -F"
				default:
					option += " -x"
				}
			}
			fmt.Fprintf(w, "%s %s -d %s\n", when, option, shellQuoted(strings.ReplaceAll(f.Help, "\n", " ")))
		}
	}
}

// completePowershell completes from tables: what may follow a command, and the values that a flag accepts.
func completePowershell(w io.Writer, all []cli.Command) {
	list := func(words []string) string {
		quoted := lists.Map(words, func(word string) string { return "'" + strings.ReplaceAll(word, "'", "''") + "'" })
		return "@(" + strings.Join(quoted, ", ") + ")"
	}
	var after, values strings.Builder
	for _, c := range all {
		fmt.Fprintf(&after, "\t\t'%s' = %s\n", c.Name, list(wordsAfter(&c, all)))
		for _, f := range c.Flags() {
			if words, _ := cli.Values(f.Arg); words != nil {
				fmt.Fprintf(&values, "\t\t'%s %s' = %s\n", c.Name, f.Dashed(), list(words))
			}
		}
	}
	strings.NewReplacer("#AFTER\n", after.String(), "#VALUES\n", values.String(), "COMMANDS",
		list(cli.Names(all))).WriteString(w, powershell)
}

// shellQuoted returns a word quoted for a shell's source.
func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
