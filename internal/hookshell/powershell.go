package hookshell

import (
	"errors"
	"strings"
)

// PowerShellMain is a PowerShell for machines without one, as far as entries of hookbridge need it. After -Command it
// runs one program by its words, and it supports the ends of entries that deny. What Windows' own PowerShell rejects
// fails. It returns the exit code.
func PowerShellMain(args []string) int {
	command, _, _ := strings.Cut(args[len(args)-1], "\nif ($null -ne $LASTEXITCODE)")
	if len(args) < 2 || !strings.EqualFold(args[len(args)-2], "-Command") || PowerShell5(command) != nil {
		return 1
	}

	line := command
	if _, rest, ok := strings.Cut(command, "}; & (Join-Path $d "); ok { // how an entry looks for a launcher, upward
		line = strings.Replace(rest, ")", "", 1)
	}
	for _, end := range []string{"; exit $((2*!!(0+${hookbridge-1}-!$?)))", "; exit (2*!$?)"} {
		if rest, refuses := strings.CutSuffix(line, end); refuses {
			line = rest + " || exit 2"
		}
	}
	word, rest, _ := strings.Cut(line, " ")
	if strings.Contains(word, "/") { // the file for cmd is next to it
		word = "./" + word + ".cmd"
	}
	return Main([]string{"-c", word + " " + strings.ReplaceAll(rest, "''", `'\''`)})
}

// PowerShell5 returns why Windows' own PowerShell rejects a command as a whole, before it starts any of it; nil if it
// doesn't. It covers only what entries of hookbridge differ in: operators, quotes and braces. Its rules are those of
// the language specification (chapter 2, lexical structure) and of about_Operators, about_Quoting_Rules,
// about_Redirection and about_Pipeline_Chain_Operators.
func PowerShell5(command string) error {
	var open []byte // the closing token of each open one
	begins := true  // a command may begin here
	text := false   // the command began with a quoted text, which makes it an expression
	for rest := command; rest != ""; {
		size := 1

		switch c := rest[0]; {
		case strings.HasPrefix(rest, "||"), strings.HasPrefix(rest, "&&"):
			return errors.New(rest[:2] + " is for PowerShell 7")
		case c == '<', c == '&' && !begins:
			return errors.New(rest[:1] + " is reserved")
		case c == '\'', c == '"':
			if size = quoted(rest); size == 0 {
				return errors.New("a quote that nothing closes")
			}
			text, begins = text || begins, false
		case strings.HasPrefix(rest, "${"):
			if size = strings.IndexByte(rest, '}') + 1; size == 0 {
				return errors.New("a brace that nothing closes")
			}
			begins = false
		case c == '(', strings.HasPrefix(rest, "$("), c == '{':
			size = strings.IndexAny(rest, "({") + 1
			open, begins, text = append(open, ")}"[strings.IndexByte("({", rest[size-1])]), true, false
		case c == ')', c == '}':
			if len(open) == 0 || open[len(open)-1] != c {
				return errors.New(rest[:1] + " closes nothing")
			}
			open, begins, text = open[:len(open)-1], false, false
		case strings.IndexByte(";|\n=", c) >= 0:
			begins, text = true, false
		case c == '&': // calls what follows
			begins = false
		case c != ' ':
			if text {
				return errors.New("a word behind a text that nothing calls")
			}
			size = max(1, strings.IndexAny(rest[1:]+" ", " ;|&<(){}'\"$=\n")+1)
			begins = false
		}

		rest = rest[size:]
	}

	if len(open) > 0 {
		return errors.New("nothing closes with " + string(open[len(open)-1:]))
	}
	return nil
}

// quoted returns the length of the quoted text at the start of s, 0 if it has no end. A doubled quote is a quote; in
// double quotes a back quote escapes the next character.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '`' && s[0] == '"':
			i++
		case s[i] == s[0] && i+1 < len(s) && s[i+1] == s[0]:
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return 0
}
