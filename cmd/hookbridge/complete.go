package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/suggest"
)

// shells are those that completion is written for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

func completionCommand(all []command, rest []string, std stdio) (int, error) {
	if len(rest) != 1 {
		return 0, errUsage{"name one shell: " + either(shells)}
	}
	switch rest[0] {
	case "bash":
		completeBash(std.out, all)
	case "zsh":
		completeZsh(std.out, all)
	case "fish":
		completeFish(std.out, all)
	case "powershell":
		completePowershell(std.out, all)
	default:
		return 0, errUsage{"no completion for " + strconv.Quote(rest[0]) + ": the shells are " +
			strings.Join(shells, ", ") + suggest.Question(rest[0], shells)}
	}
	return exitOK, nil
}

// wordsAfter lists what may follow a command: its arguments and flags.
func wordsAfter(c *command, all []command) []string {
	words, _ := values(c.args, commandNames(all)...)
	return append(append(words, each(c.flags(), flagDoc.dashed)...), "--help")
}

func completeBash(w io.Writer, all []command) {
	fmt.Fprint(w, "# hookbridge completion for bash: eval \"$(hookbridge completion bash)\"\n_hookbridge() {\n"+
		"\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd=${COMP_WORDS[1]} words=\n"+
		"\tCOMPREPLY=()\n"+
		"\tif [ \"$cur\" = = ]; then cur=; elif [ \"$prev\" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi # "+
		"--flag=value\n"+
		"\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\tCOMPREPLY=($(compgen -W \""+strings.Join(commandNames(all), " ")+
		"\" -- \"$cur\"))\n\t\treturn\n\tfi\n"+"\tcase \"$cmd $prev\" in\n")
	for _, c := range all {
		for _, f := range c.flags() {
			if f.arg == "" {
				continue
			}
			words, _ := values(f.arg)
			do := "return"
			if words != nil {
				do = "words=\"" + strings.Join(words, " ") + "\""
			}
			fmt.Fprintf(w, "\t%q) %s ;;\n", c.name+" "+f.dashed(), do)
		}
	}
	fmt.Fprint(w, "\tesac\n\tif [ -z \"$words\" ]; then\n\t\tcase \"$cmd\" in\n")
	for _, c := range all {
		fmt.Fprintf(w, "\t\t%s) words=%q ;;\n", c.name, strings.Join(wordsAfter(&c, all), " "))
	}
	fmt.Fprint(w, "\t\tesac\n\tfi\n\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\ncomplete -o bashdefault "+
		"-o default -F _hookbridge hookbridge\n")
}

func completeZsh(w io.Writer, all []command) {
	fmt.Fprint(w, "#compdef hookbridge\n# hookbridge completion for zsh: put it into a folder of $fpath as "+
		"_hookbridge\n_hookbridge() {\n"+
		"\tlocal -a commands\n\tcommands=(\n")
	for _, c := range all {
		fmt.Fprintf(w, "\t\t%s\n", shellQuoted(c.name+":"+c.summary))
	}
	fmt.Fprint(w, "\t)\n\tif (( CURRENT == 2 )); then\n\t\t_describe command commands\n\t\treturn\n\tfi\n\tlocal "+
		"command=$words[2]\n\tshift words\n\t(( CURRENT-- ))\n\tcase $command in\n")
	for _, c := range all {
		fmt.Fprintf(w, "\t%s)\n\t\t_arguments", c.name)
		for _, f := range c.flags() {
			spec := f.dashed() + "[" + zshText(f.help) + "]"
			if f.arg != "" {
				spec += ":" + zshText(f.arg) + ":" + zshAction(f.arg)
			}
			fmt.Fprintf(w, " \\\n\t\t\t%s", shellQuoted(spec))
		}
		fmt.Fprintf(w, " \\\n\t\t\t%s \\\n\t\t\t%s\n\t\t;;\n", shellQuoted("--help[show how to use it]"),
			shellQuoted("*:argument:"+zshAction(c.args, commandNames(all)...)))
	}
	fmt.Fprint(w, "\tesac\n}\nif [ \"$funcstack[1]\" = _hookbridge ]; then _hookbridge \"$@\"; else compdef "+
		"_hookbridge hookbridge; fi\n")
}

func zshAction(arg string, commands ...string) string {
	words, files := values(arg, commands...)
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

func completeFish(w io.Writer, all []command) {
	fmt.Fprint(w, "# hookbridge completion for fish: hookbridge completion fish | source\ncomplete -c hookbridge -f\n")
	for _, c := range all {
		fmt.Fprintf(w, "complete -c hookbridge -n __fish_use_subcommand -a %s -d %s\n", c.name, shellQuoted(c.summary))
		when := "complete -c hookbridge -n '__fish_seen_subcommand_from " + c.name + "'"
		if words, files := values(c.args, commandNames(all)...); words != nil {
			fmt.Fprintf(w, "%s -a %s\n", when, shellQuoted(strings.Join(words, " ")))
		} else if files {
			fmt.Fprintf(w, "%s -F\n", when)
		}
		for _, f := range c.flags() {
			option := "-l " + f.name
			if len(f.name) == 1 {
				option = "-s " + f.name
			}
			if f.arg != "" {
				words, files := values(f.arg)
				switch {
				case words != nil:
					option += " -x -a " + shellQuoted(strings.Join(words, " "))
				case files:
					option += " -r -F"
				default:
					option += " -x"
				}
			}
			fmt.Fprintf(w, "%s %s -d %s\n", when, option, shellQuoted(strings.ReplaceAll(f.help, "\n", " ")))
		}
	}
}

// completePowershell completes by tables: what may follow a command, and the values
// that a flag takes.
func completePowershell(w io.Writer, all []command) {
	list := func(words []string) string {
		quoted := each(words, func(word string) string { return "'" + strings.ReplaceAll(word, "'", "''") + "'" })
		return "@(" + strings.Join(quoted, ", ") + ")"
	}
	fmt.Fprint(w, "# hookbridge completion for PowerShell: hookbridge completion powershell | Out-String | "+
		"Invoke-Expression\n"+
		"Register-ArgumentCompleter -Native -CommandName hookbridge -ScriptBlock {\n\tparam($word, $ast, $cursor)\n"+
		"\t$after = @{\n")
	for _, c := range all {
		fmt.Fprintf(w, "\t\t'%s' = %s\n", c.name, list(wordsAfter(&c, all)))
	}
	fmt.Fprint(w, "\t}\n\t$values = @{\n")
	for _, c := range all {
		for _, f := range c.flags() {
			if words, _ := values(f.arg); words != nil {
				fmt.Fprintf(w, "\t\t'%s %s' = %s\n", c.name, f.dashed(), list(words))
			}
		}
	}
	fmt.Fprint(w, "\t}\n\t$words = @($ast.CommandElements | ForEach-Object { $_.ToString() })\n"+
		"\tif ($word -ne '') { $words = @($words | Select-Object -SkipLast 1) }\n"+
		"\tif ($words.Count -le 1) { $known = "+list(commandNames(all))+" }\n"+
		"\telseif ($values.ContainsKey(\"$($words[1]) $($words[-1])\")) { $known = $values[\"$($words[1]) "+
		"$($words[-1])\"] }\n"+
		"\telse { $known = $after[$words[1]] }\n"+
		"\t$known | Where-Object { $_ -like \"$word*\" } | ForEach-Object { "+
		"[System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }\n}\n")
}

// shellQuoted is one word of a shell's source.
func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
