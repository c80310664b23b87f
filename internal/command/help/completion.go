package help

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/suggest"
)

// Shells are those that completion is written for.
var Shells = []string{"bash", "zsh", "fish", "powershell"}

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
	fmt.Fprint(w, "# hookbridge completion for bash: eval \"$(hookbridge completion bash)\"\n_hookbridge() {\n"+
		"\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd=${COMP_WORDS[1]} words=\n"+
		"\tCOMPREPLY=()\n"+
		"\tif [ \"$cur\" = = ]; then cur=; elif [ \"$prev\" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi # "+
		"--flag=value\n"+
		"\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\tCOMPREPLY=($(compgen -W \""+strings.Join(cli.Names(all), " ")+
		"\" -- \"$cur\"))\n\t\treturn\n\tfi\n"+"\tcase \"$cmd $prev\" in\n")
	for _, c := range all {
		for _, f := range c.Flags() {
			if f.Arg == "" {
				continue
			}
			words, _ := cli.Values(f.Arg)
			do := "return"
			if words != nil {
				do = "words=\"" + strings.Join(words, " ") + "\""
			}
			fmt.Fprintf(w, "\t%q) %s ;;\n", c.Name+" "+f.Dashed(), do)
		}
	}

	fmt.Fprint(w, "\tesac\n\tif [ -z \"$words\" ]; then\n\t\tcase \"$cmd\" in\n")
	for _, c := range all {
		fmt.Fprintf(w, "\t\t%s) words=%q ;;\n", c.Name, strings.Join(wordsAfter(&c, all), " "))
	}

	fmt.Fprint(w, "\t\tesac\n\tfi\n\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\ncomplete -o bashdefault "+
		"-o default -F _hookbridge hookbridge\n")
}

func completeZsh(w io.Writer, all []cli.Command) {
	fmt.Fprint(w, "#compdef hookbridge\n# hookbridge completion for zsh: put it into a folder of $fpath as "+
		"_hookbridge\n_hookbridge() {\n"+
		"\tlocal -a commands\n\tcommands=(\n")
	for _, c := range all {
		fmt.Fprintf(w, "\t\t%s\n", shellQuoted(c.Name+":"+c.Summary))
	}
	fmt.Fprint(w, "\t)\n\tif (( CURRENT == 2 )); then\n\t\t_describe command commands\n\t\treturn\n\tfi\n\tlocal "+
		"command=$words[2]\n\tshift words\n\t(( CURRENT-- ))\n\tcase $command in\n")
	for _, c := range all {
		fmt.Fprintf(w, "\t%s)\n\t\t_arguments", c.Name)
		for _, f := range c.Flags() {
			spec := f.Dashed() + "[" + zshText(f.Help) + "]"
			if f.Arg != "" {
				spec += ":" + zshText(f.Arg) + ":" + zshAction(f.Arg)
			}
			fmt.Fprintf(w, " \\\n\t\t\t%s", shellQuoted(spec))
		}
		fmt.Fprintf(w, " \\\n\t\t\t%s \\\n\t\t\t%s\n\t\t;;\n", shellQuoted("--help[show how to use it]"),
			shellQuoted("*:argument:"+zshAction(c.Args, cli.Names(all)...)))
	}
	fmt.Fprint(w, "\tesac\n}\nif [ \"$funcstack[1]\" = _hookbridge ]; then _hookbridge \"$@\"; else compdef "+
		"_hookbridge hookbridge; fi\n")
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

// zshText is a text inside a specification, where some characters have a meaning.
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

// completePowershell completes by tables: what may follow a command, and the values
// that a flag takes.
func completePowershell(w io.Writer, all []cli.Command) {
	list := func(words []string) string {
		quoted := lists.Map(words, func(word string) string { return "'" + strings.ReplaceAll(word, "'", "''") + "'" })
		return "@(" + strings.Join(quoted, ", ") + ")"
	}
	fmt.Fprint(w, "# hookbridge completion for PowerShell: hookbridge completion powershell | Out-String | "+
		"Invoke-Expression\n"+
		"Register-ArgumentCompleter -Native -CommandName hookbridge -ScriptBlock {\n\tparam($word, $ast, $cursor)\n"+
		"\t$after = @{\n")
	for _, c := range all {
		fmt.Fprintf(w, "\t\t'%s' = %s\n", c.Name, list(wordsAfter(&c, all)))
	}

	fmt.Fprint(w, "\t}\n\t$values = @{\n")
	for _, c := range all {
		for _, f := range c.Flags() {
			if words, _ := cli.Values(f.Arg); words != nil {
				fmt.Fprintf(w, "\t\t'%s %s' = %s\n", c.Name, f.Dashed(), list(words))
			}
		}
	}

	fmt.Fprint(w, "\t}\n\t$words = @($ast.CommandElements | ForEach-Object { $_.ToString() })\n"+
		"\tif ($word -ne '') { $words = @($words | Select-Object -SkipLast 1) }\n"+
		"\tif ($words.Count -le 1) { $known = "+list(cli.Names(all))+" }\n"+
		"\telseif ($values.ContainsKey(\"$($words[1]) $($words[-1])\")) { $known = $values[\"$($words[1]) "+
		"$($words[-1])\"] }\n"+
		"\telse { $known = $after[$words[1]] }\n"+
		"\t$known | Where-Object { $_ -like \"$word*\" } | ForEach-Object { "+
		"[System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }\n}\n")
}

// shellQuoted is one word of a shell's source.
func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
