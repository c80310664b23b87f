package inspect

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// planned returns the problems of a hook according to the tables.
func (b *bridged) planned() (found []Problem) {
	for _, f := range b.outcome(b.d, b.h).Found {
		status := Weaker
		switch {
		case f.Never:
			status = Never
		case f.Code == schema.CodeDeadValue, f.Code == schema.CodeEndTurn && f.Severity < schema.Loss:
			status = Reached
		case f.Severity < schema.Loss:
			continue
		}
		found = append(found, Problem{status, f.Code, f.Severity, f.Message, f.Fix})
	}
	return found
}

// carried lists what a hook can't do on the host even if it is called.
func (b *bridged) carried() []Problem {
	found := b.planned()
	if len(b.Entries()) == 0 {
		return append(b.selfProblem(b.d, b.h), found...)
	}

	add := func(s HookStatus, c schema.Code, why, fix string) {
		found = append(found, Problem{s, c, plan.GuardSeverity(b.d, b.h), why, fix})
	}
	found = append(found, b.selfProblem(b.d, b.h)...)
	found = append(found, b.missing(b.d, b.h)...)
	found = append(found, b.effects()...)

	switch what := schema.An(b.h.Handler.String()) + " hook"; b.h.Handler {
	case schema.HandlerPrompt, schema.HandlerAgent:
		if why := b.evaluatorProblem(); why != "" {
			add(Weaker, schema.CodeNoEvaluator, what+" needs an evaluator"+why, b.install()+" --evaluator COMMAND")
		}
	case schema.HandlerMCPTool:
		add(Never, schema.CodeNoHandler, what+" can't run outside "+b.d.Profile().Title, "")
	case schema.HandlerHTTP:
		if !InPath("curl", b.places.Env.Get("PATH")) {
			add(Never, schema.CodeHTTP, "an HTTP hook needs curl, which isn't in PATH", "install curl")
		}
	}

	return found
}

// evaluatorProblem returns why a prompt can't be answered, "" if it can.
func (b *bridged) evaluatorProblem() string {
	given := b.what.Evaluator
	for _, e := range b.Entries() {
		calls, _ := b.calls(e.Native)
		for _, c := range calls {
			given = c.call.Value("evaluator")
		}
	}
	if given == "" {
		return ", and hookbridge's entry names none"
	}
	own := schema.Hook{Handler: schema.HandlerCommand, Command: given, Native: b.h.Native, Source: b.h.Source}
	if problem, _ := CommandProblem(b.d, &own, b.places); problem != "" {
		return "; " + problem
	}
	return ""
}

// selfProblem finds what keeps a hook from running even in its own agent.
func (x *examination) selfProblem(d dialect.Dialect, h *schema.Hook) []Problem {
	row := d.Profile().Row(h.Native)
	if _, err := d.Profile().Matcher(h); err != nil && row != nil &&
		row.Match != schema.MatchNothing {
		return []Problem{{Never, schema.CodeDeadMatcher, schema.Weaker, err.Error(), "correct the matcher at " +
			x.placeOf(h)}}
	}
	if h.Handler != schema.HandlerCommand {
		return nil
	}
	why, fix := CommandProblem(d, h, x.startedIn(d))
	if why == "" {
		return nil
	}
	if fix == "" {
		fix = "correct the command at " + x.placeOf(h)
	}
	return []Problem{{Never, schema.CodeNotStarted, schema.Weaker, why, fix}}
}

// startedIn returns the places in which an agent starts its hooks. For the host's own hooks they are those of the
// simulated host.
func (x *examination) startedIn(d dialect.Dialect) schema.Places {
	if dialect.Related(d, x.host) {
		return x.own.Started(x.host, x.places)
	}
	return x.places
}

// specIn returns how the agent starts a hook in the project.
func specIn(d dialect.Dialect, h *schema.Hook, p schema.Places) (dialect.Spec, error) {
	return d.Spec(h, &schema.Call{Dialect: d.Profile().Name, Project: p.Project, Cwd: p.Project}, p)
}

// gitRoot is how commands refer to the project if their agent sets no variable.
const gitRoot = "$(git rev-parse --show-toplevel)"

// Started returns the known words of a hook's command, in a form that doesn't depend on its agent's name for the
// project; "" if only a shell can expand them.
func Started(d dialect.Dialect, h *schema.Hook, p schema.Places) string {
	spec, err := specIn(d, h, p)
	if err != nil || h.Handler != schema.HandlerCommand {
		return ""
	}
	inRoot := *h
	inRoot.Command = strings.ReplaceAll(h.Command, gitRoot, p.Project)
	if spec, err = specIn(d, &inRoot, p); err != nil {
		return ""
	}
	c := commandOf(&inRoot, spec, p.Home)
	words := slices.Clone(c.words)
	for i, w := range words {
		if strings.ContainsAny(w, "/.") && !filepath.IsAbs(w) {
			words[i] = filepath.Join(c.dir, w)
		}
	}
	return strings.Join(words, " ")
}

// CommandProblem checks the program and the script of a line's first command.
func CommandProblem(d dialect.Dialect, h *schema.Hook, p schema.Places) (problem, fix string) {
	spec, err := specIn(d, h, p)
	if err != nil {
		return err.Error(), ""
	}
	if missing := missingShell(h, spec.Argv[0], p); missing != "" {
		return missing + ", which runs the command, isn't installed: hookbridge refuses each call that the hook " +
			"could refuse", shellFix(missing)
	}
	path := schema.Environ(spec.Env).Get("PATH")
	_, byShell := lineOf(h, spec)
	if starts := spec.Argv[0]; byShell && p.OS != "windows" && !strings.Contains(starts, "/") &&
		simulate.LookPath(starts, path) == "" {
		return starts + ", which runs the command, isn't in PATH", "install " + shell.Quote(starts)
	}

	if problem, fix = unsetProblem(d, h, p, spec); problem != "" {
		return problem, fix
	}
	if word := backslashed(h, spec.Argv[0]); word != "" {
		return "the shell that runs the command removes the backslashes of " + word,
			"write / for each of them, or put the path in single quotes"
	}

	c := commandOf(h, spec, p.Home)
	words := c.words
	switch folder := c.folder(); {
	case h.Args == nil && strings.TrimSpace(h.Command) == "":
		return "the command is empty", "write a command, or remove the hook"
	case c.open:
		return "the command ends within a quote or a compound command, so that no shell runs it", "close it"
	case !byShell && h.Args == nil && len(words) == 1 && strings.Contains(words[0], "/"): // the command is a file
		return fileProblem(words[0], true, p, c.dir)
	case !c.needed:
		return "", ""
	case folder != "" && !discover.IsFolder(folder):
		return "folder not found: " + folder, ""
	case strings.Contains(words[0], "/"):
		problem, fix = fileProblem(words[0], true, p, c.dir)
		return problem, cmp.Or(fix, elsewhereIs(problem, words[0], h, p))
	case strings.EqualFold(h.Shell, "powershell") || strings.EqualFold(h.Shell, "pwsh"):
		return "", "" // most PowerShell commands aren't files
	case c.lacksWord(path) && !c.goesOn: // otherwise lacking reports it
		return words[0] + " isn't known to " + c.shell + ", which is dash here", "start it with bash -c"
	case c.shell != "" && InPath(words[0], path) || simulate.LookPath(words[0], path) != "":
	case c.shell == "" && InPath(words[0], path):
		return words[0] + " is a word of the shell, and " + d.Profile().Title + " starts this command without one",
			"start it with sh -c"
	case strings.Contains(words[0], `\`) && p.OS != "windows":
		return words[0] + " is a path on Windows",
			"write the program's name alone, which each machine finds in its PATH"
	default:
		return words[0] + " isn't in PATH", "install " + shell.Quote(words[0]) + ", or use its full path"
	}

	if shell.IsInterpreter(words[0]) && len(words) > 1 && strings.ContainsAny(words[1], "/.") &&
		!strings.HasPrefix(words[1], "-") {
		if problem, fix = fileProblem(words[1], false, p, c.dir); problem != "" {
			return problem + "; " + words[0] + " then fails, in some shells with exit code 2, which blocks",
				cmp.Or(fix, elsewhereIs(problem, words[1], h, p))
		}
	}

	return "", ""
}

// missingShell returns the shell of a hook on Windows if it is missing, see process.Find.
func missingShell(h *schema.Hook, starts string, p schema.Places) string {
	name := strings.TrimSuffix(starts[strings.LastIndexByte(starts, '/')+1:], ".exe")
	shells := append(slices.Clone(posixShells), "powershell", "pwsh", "cmd")
	if p.OS != "windows" || h.Args != nil || !slices.Contains(shells, name) || process.Find(starts, p.Env) != "" {
		return ""
	}
	return name
}

// shellFix returns the fix for a missing shell on Windows.
func shellFix(missing string) string {
	if slices.Contains(posixShells, missing) {
		return "install Git for Windows, or start a program without a shell (`args` next to `command`, where the " +
			"hook's agent reads it), or write it for PowerShell"
	}
	return "install PowerShell, or start a program without a shell"
}

// backslashed returns a path among the words of a line's first command from which a POSIX shell removes the
// backslashes, "" if there is none.
func backslashed(h *schema.Hook, starts string) string {
	script, ok := shell.Parse(h.Command)
	if h.Args != nil || !ok || len(script.Items) == 0 || !slices.Contains(posixShells, filepath.Base(starts)) {
		return ""
	}
	for _, w := range script.Items[0].Command.Words {
		path := strings.HasPrefix(w.Raw, `.\`) || len(w.Raw) > 3 && w.Raw[1:3] == `:\`
		if path && w.Text() != w.Raw {
			return w.Raw
		}
	}
	return ""
}

func fileProblem(file string, run bool, p schema.Places, dir string) (problem, fix string) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	info, err := os.Stat(file)
	windows := p.OS == "windows"                   // Windows files have no modes
	if err != nil && windows && withEnding(file) { // cmd.exe and PowerShell add the ending
		return "", ""
	}
	switch {
	case err != nil:
		return "script not found: " + file, ""
	case run && info.Mode()&0o111 == 0 && !windows:
		return "the script " + file + " isn't executable", "chmod +x " + shell.Quote(file)
	case run:
		return firstLineProblem(file, p.Env.Get("PATH"))
	}
	return "", ""
}

// withEnding reports whether a file exists with one of the endings that Windows tries for a program.
func withEnding(file string) bool {
	return slices.ContainsFunc([]string{".exe", ".cmd", ".bat", ".ps1"}, func(ending string) bool {
		_, err := os.Stat(file + ending)
		return err == nil
	})
}

// firstLineProblem checks the interpreter in a script's first line.
func firstLineProblem(file, path string) (problem, fix string) {
	text, _, err := discover.ReadStart(file, 256)
	line, ok := strings.CutPrefix(string(text), "#!")
	if err != nil || !ok {
		return "", ""
	}

	line, _, _ = strings.Cut(line, "\n")
	line, returns := strings.CutSuffix(line, "\r")
	switch {
	case runtime.GOOS == "windows" && returns && strings.HasSuffix(line, "sh"):
		return "the lines of " + file + " end with carriage returns, which the shell takes for a part of each command",
			"save it with line feeds alone, and add `*.sh text eol=lf` to .gitattributes"
	case runtime.GOOS == "windows":
		return "", ""
	case returns:
		return "the first line of " + file + " ends with a carriage return, so its interpreter isn't found",
			`sed -i.bak 's/\r$//' ` + shell.Quote(file)
	}

	words := strings.Fields(line)
	if len(words) == 0 {
		return "", ""
	}

	name := words[0]
	if filepath.Base(name) == "env" {
		words = slices.DeleteFunc(words[1:], func(w string) bool {
			return strings.HasPrefix(w, "-") || strings.Contains(w, "=")
		})
		if len(words) == 0 || InPath(words[0], path) {
			return "", ""
		}
		return words[0] + ", which runs " + file + ", isn't in PATH", "install " + shell.Quote(words[0])
	}

	if _, err := os.Stat(name); err != nil {
		return name + ", which runs " + file + ", isn't there", "correct the first line of " + file
	}

	return "", ""
}

// inFrontMatter returns the hooks in the project's skills and sub-agents of d.
func (x *examination) inFrontMatter(d dialect.Dialect) (hooks []schema.Hook) {
	for _, file := range survey.MarkdownFiles(d, x.places) {
		text, err := discover.Read(file)
		if err != nil {
			continue
		}
		cfg, ds := hookfile.ParseFile(d, text, d.Given(file))
		if cfg == nil {
			cfg = &schema.Config{}
		}
		x.mistakes(d, cfg.Hooks, ds)
		hooks = append(hooks, cfg.Hooks...)
	}
	return hooks
}

// scoped reports a hook that is active only during a skill or a subagent. No host reports when that is, so the hook
// runs always or never.
func (b *bridged) scoped() []Problem {
	if len(b.Entries()) == 0 {
		return b.problems()
	}
	const why = "the hook belongs to a skill or a sub-agent, and "
	given := func(call *cmdline.Call) bool { return b.reading(call) && call.Has("config") }
	r := b.reach()
	for _, e := range b.Entries() {
		r.calls = append(r.calls, b.callers(e.Native, given)...)
	}
	if len(r.copies)+len(r.calls) > 0 {
		return append(b.carried(), Problem{Weaker, schema.CodeAlwaysRuns, schema.Note,
			why + "here it always runs", ""})
	}
	return append(b.selfProblem(b.d, b.h), Problem{Never, schema.CodeNotCalled, plan.GuardSeverity(b.d, b.h), why +
		b.host.Profile().Title + " doesn't say when that is active, so hookbridge doesn't run it; converted, it " +
		"always runs", b.convert()})
}
