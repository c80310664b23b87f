package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/help"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/schema"
)

func output(args ...string) (code int, out, err string) {
	var o, e bytes.Buffer
	code = dispatch(args, cli.IO{In: strings.NewReader(""), Out: &o, Err: &e})
	return code, o.String(), e.String()
}

// TestHelp checks that every command has a description and valid examples, and that --help and help print the same.
func TestHelp(t *testing.T) {
	for _, c := range commands() {
		code, text, _ := output(c.Name, "--help")
		code2, text2, _ := output("help", c.Name)
		if code != 0 || code2 != 0 || text != text2 || !strings.HasPrefix(text, "usage: hookbridge "+c.Name) {
			t.Errorf("%s --help: %d %d\n%s", c.Name, code, code2, text)
		}
		if c.Summary == "" || c.About == "" || c.Exits == "" || len(c.Examples) == 0 {
			t.Errorf("%s is not described", c.Name)
		}
		for _, f := range c.Flags() {
			if f.Help == "" {
				t.Errorf("%s %s is not described", c.Name, f.Dashed())
			}
		}
		for _, e := range c.Examples {
			checkExample(t, &c, e.Line)
		}
	}
}

// TestHelpFlags checks that the help of a command describes only its own flags and mentions only flags of some command.
func TestHelpFlags(t *testing.T) {
	files, _ := filepath.Glob("../../internal/command/*/*.txt")
	known, flags := map[string]bool{"--help": true}, map[string][]string{}
	for _, c := range commands() {
		for _, f := range c.Flags() {
			known[f.Dashed()] = true
			flags[c.Name] = append(flags[c.Name], f.Dashed())
		}
	}

	described := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		name, _, _ := strings.Cut(text, "\n")
		name, _, _ = strings.Cut(name, " ")
		if flags[name] == nil {
			continue
		}
		_, list, _ := strings.Cut(text, "\n\nFlags:\n")
		list, _, _ = strings.Cut(list, "\n\n")
		for line := range strings.Lines(list) {
			flag, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			if !strings.HasPrefix(line, "-") {
				continue
			}
			if described++; !slices.Contains(flags[name], flag) {
				t.Errorf("%s describes %s, which %s doesn't have", file, flag, name)
			}
		}
		for _, flag := range regexp.MustCompile(`--[a-z][a-z-]*`).FindAllString(text, -1) {
			if !known[flag] {
				t.Errorf("%s mentions %s, which no command has", file, flag)
			}
		}
	}
	if described == 0 {
		t.Error("no flag is described")
	}
}

// checkExample checks that the command has every flag of an example.
func checkExample(t *testing.T, c *cli.Command, line string) {
	_, rest, ok := strings.Cut(line, "hookbridge "+c.Name)
	if !ok {
		t.Errorf("%s: an example for something else: %s", c.Name, line)
	}
	for i, part := range strings.Split(rest, "'") {
		if i%2 == 1 { // quoted
			rest = strings.Replace(rest, part, "", 1)
		}
	}
	for _, word := range strings.Fields(rest) {
		if slices.Contains([]string{"<", ">", "|", "--", "&&"}, word) {
			return
		}
		if !strings.HasPrefix(word, "-") || word == "-" {
			continue
		}
		name, _, _ := strings.Cut(word, "=")
		known := false
		for _, f := range c.Flags() {
			known = known || f.Dashed() == name
		}
		if !known {
			t.Errorf("%s has no flag %s: %s", c.Name, name, line)
		}
	}
}

// TestMistakes checks that a typing mistake is answered with a suggestion, and that nothing ends with status 2.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"isntall", "did you mean install?"},
		{"run --hots cursor", "did you mean --host?"},
		{"run --host cursr", "did you mean cursor?"},
		{"run --host", "--host needs a value: claude, cursor"},
		{"run --ask", "--ask needs a value: deny, relay or allow"},
		{"run --timeout x", "--timeout SECONDS"},
		{"explain", "hookbridge explain HB204"},
		{"check --formt json", "did you mean --format?"},
		{"fire --host cursor --event stop --expect dney", "did you mean deny?"},
		{"fire --host cursor --event stpo", "did you mean stop?"},
		{"run --ask alow", "did you mean allow?"},
		{"run -c true --event pretooluse", "did you mean PreToolUse?"},
		{"convert --from cladue --to cursor", "did you mean claude?"},
		{"convert --to cursor", "--from is needed: claude, cursor"},
		{"install", "--host is needed: claude, cursor"},
		{"install --host cursor --scope usr", "did you mean user?"},
		{"matrix --from claude --to curser", "did you mean cursor?"},
		{"matrix --format jsn", "did you mean json?"},
		{"translate", "name what to translate: hookbridge translate call, translate reply or translate config"},
		{"completion", "bash, zsh, fish or powershell"},
		{"completion fihs", "did you mean fish?"},
		{"help isntall", "did you mean install?"},
		{"doctor extra", `unexpected argument "extra"`},
		{"version extra", `unexpected argument "extra"`},
	} {
		code, out, err := output(strings.Fields(c.line)...)
		if code != cli.WrongUsage || out != "" || !strings.Contains(err, c.want) {
			t.Errorf("%s: %d %s%s", c.line, code, out, err)
		}
		if !strings.Contains(err, "--help") && !strings.Contains(err, "hookbridge help") {
			t.Errorf("%s: does not say what to do next: %s", c.line, err)
		}
	}
}

// TestManPage compares docs/hookbridge.1 with the table of commands.
func TestManPage(t *testing.T) {
	_, want, _ := output("man")
	golden.File(t, "../../docs/hookbridge.1", want)
}

// TestCompletionBash calls the completion itself.
func TestCompletionBash(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash here")
	}
	_, script, _ := output("completion", "bash")
	for _, c := range []struct{ words, want string }{
		{"hookbridge uni", "uninstall"},
		{"hookbridge run --host cu", "cursor"},
		{"hookbridge run --fail", "--fail-closed"},
		{"hookbridge run --ask re", "relay"},
		{"hookbridge run --ask = re", "relay"}, // as bash splits --ask=re
		{"hookbridge run --host =", strings.Join(adapter.Names(), " ")},
		{"hookbridge explain HB20", "HB201 HB202 HB203 HB204 HB205 HB206 HB207 HB208 HB209"},
		{"hookbridge fire --event beforeSh", "beforeShellExecution"},
		{"hookbridge translate re", "reply"},
		{"hookbridge schema cursor-c", "cursor-config"},
		{"hookbridge run --shell po", "powershell"},
		{"hookbridge run --scope u", "user"},
		{"hookbridge fire --tool web", "web-search"},
		{"hookbridge completion b", "bash"},
		{"hookbridge help conv", "convert"},
	} {
		n := len(strings.Fields(c.words)) - 1
		line := script + "\nCOMP_WORDS=(" + c.words + ")\nCOMP_CWORD=" + string(rune('0'+n)) +
			"\n_hookbridge\necho \"${COMPREPLY[@]}\"\n"
		out, err := exec.Command("bash", "--norc", "-c", line).CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != c.want {
			t.Errorf("%s: %q %v, want %q", c.words, got, err, c.want)
		}
	}
}

// TestCompletionSyntax has each installed shell parse its completion.
func TestCompletionSyntax(t *testing.T) {
	for _, shell := range help.Shells {
		_, script, _ := output("completion", shell)
		for _, c := range commands() {
			if !strings.Contains(script, c.Name) {
				t.Errorf("%s does not know %s", shell, c.Name)
			}
		}
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		file := t.TempDir() + "/hookbridge"
		if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(shell, "-n", file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
}

func TestValues(t *testing.T) {
	if words, _ := cli.Values("HBnnn|EVENT"); len(words) < len(schema.Codes())+int(schema.NumEvents)-1 {
		t.Error("codes and events are not offered")
	}
	if words, files := cli.Values("[FILE|DIR|-]"); words != nil || !files {
		t.Error(words, files)
	}
	if words, files := cli.Values("SECONDS"); words != nil || files {
		t.Error(words, files)
	}
}
