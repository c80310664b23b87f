package inspect

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// Standing is how a hook stands with a host. The zero Standing is invalid.
type Standing uint8

const (
	_       Standing = iota
	Reached          // it runs there, with its effects
	Weaker           // it runs, and something of it does not hold
	Twice            // it runs more than once for one act
	Never            // it does not run
)

var standingNames = [...]string{"standing(invalid)", "reached", "weaker", "twice", "never"}

// String returns the word used in reports.
func (s Standing) String() string {
	if int(s) >= len(standingNames) {
		s = 0
	}
	return standingNames[s]
}

// A Finding says how one hook stands with one host, and why.
type Finding struct {
	Host, Hooks string
	File, Path  string
	Line        int
	Event       string
	Status      Standing
	Why, Fix    string
	Also        []Problem // what else is wrong, worst first; none is worse than Status
}

// A Problem is one reason why a hook doesn't work as under its own agent.
type Problem struct {
	Status   Standing
	Why, Fix string
}

// worst makes one finding of several about a hook: the worst of them, with the
// others behind it.
func worst(list ...Finding) Finding {
	list = slices.DeleteFunc(list, func(f Finding) bool { return f.Status == Reached && f.Why == "" && len(list) > 1 })
	slices.SortStableFunc(list, func(a, b Finding) int { return cmp.Compare(b.Status, a.Status) })
	f := list[0]
	for _, other := range list[1:] {
		f.Also = append(f.Also, Problem{other.Status, other.Why, other.Fix})
	}
	return f
}

// Examined says what to examine beside the files that are found in their places.
type Examined struct {
	Given   []string // more files of the host's own
	Hooks   string   // only hooks of this agent; "": of all
	Imports Import   // whether the host runs other agents' files by itself
}

// An Import says whether a host's import of other agents' files is on, which no
// file shows.
type Import uint8

const (
	ImportUnknown Import = iota
	ImportOn
	ImportOff
)

// Examine tells for every hook that a known agent would load here how it stands
// with the host.
func Examine(host dialect.Dialect, p schema.Places, what Examined) []Finding {
	x := examine(host, p, what)
	for _, d := range adapter.Dialects() {
		switch {
		case what.Hooks != "" && d.Profile().Name != what.Hooks:
		case dialect.Related(d, host):
			x.native()
		default:
			x.foreign(d)
		}
	}
	return x.found
}

// ExamineModule tells the same of the callbacks of one module, which a host calls
// through the bridge. cfg is nil if the module cannot be used; ds then says why.
func ExamineModule(host, d dialect.Dialect, cfg *schema.Config, ds schema.Diagnostics, p schema.Places) []Finding {
	x := examine(host, p, Examined{})
	x.dead(d, ds)
	if cfg == nil {
		return x.found
	}
	for i := range cfg.Hooks {
		h := &cfg.Hooks[i]
		if dialect.Related(d, host) {
			x.add(finding(d, h, Reached, "", ""))
		} else {
			x.add(x.bridgedHook(d, h))
		}
	}
	return x.found
}

func examine(host dialect.Dialect, p schema.Places, what Examined) *examination {
	x := &examination{host: host, places: p, imports: what.Imports}
	x.ofProject = func(h *schema.Hook) bool { return h.Source.OfProject() }
	x.own, x.ownFindings = discover.LoadAll(host, p, what.Given)
	if importer := dialect.AbilitiesOf(host).Imports; importer != nil && what.Imports != ImportOff {
		x.imported = importer.Imported(p, discover.Read)
	}
	return x
}

// runsImported reports whether the host loads the hook's file by itself and runs the
// hook.
func (x *examination) runsImported(h *schema.Hook) bool {
	return slices.Contains(x.imported, h.Source.File) && dialect.AbilitiesOf(x.host).Imports.Imports(h)
}

type examination struct {
	host        dialect.Dialect
	places      schema.Places
	own         discover.Result
	ownFindings schema.Diagnostics
	imported    []string
	imports     Import
	ofProject   func(*schema.Hook) bool // tells the project's hooks of the agent that is looked at
	found       []Finding
}

func (x *examination) add(f Finding) {
	f.Host = x.host.Profile().Name
	x.found = append(x.found, f)
}

func finding(d dialect.Dialect, h *schema.Hook, s Standing, why, fix string) Finding {
	return Finding{Hooks: d.Profile().Name, File: h.Source.File, Path: h.Path, Line: h.Line, Event: h.Native, Status: s, Why: why, Fix: fix}
}

// dead are the findings on a file that keep a hook from ever running.
func (x *examination) dead(d dialect.Dialect, ds schema.Diagnostics) {
	for _, f := range ds {
		if f.Severity < schema.Loss {
			continue
		}
		x.add(Finding{Hooks: d.Profile().Name, File: f.File, Path: f.Path, Line: f.Line, Event: f.Event, Status: Never, Why: string(f.Code) + " " + f.Message, Fix: f.Fix})
	}
}

// native are the host's own hooks.
func (x *examination) native() {
	x.dead(x.host, x.ownFindings)
	x.switchedOff(x.host, &x.own, x.ownFindings)
	for i := range x.own.Hooks {
		h := &x.own.Hooks[i]
		s, why, fix := Reached, "", ""
		if problem, help := x.selfProblem(x.host, h); problem != "" {
			s, why, fix = Never, problem, help
		}
		x.add(finding(x.host, h, s, why, fix))
	}
}

// foreign are the hooks of another agent, which need the bridge.
func (x *examination) foreign(d dialect.Dialect) {
	res, ds := discover.Load(d, x.places, nil)
	x.ofProject = plan.ProjectHooks(d, x.places, res.Configs)
	x.dead(d, ds)
	x.switchedOff(d, &res, ds)
	for i := range res.Hooks {
		h := &res.Hooks[i]
		if cmdline.FindsHooks(h.Command) {
			continue // the bridge of another direction
		}
		x.add(x.bridgedHook(d, h))
	}
}

// switchedOff are the hooks that a setting of their agent switches off; a host
// that imports their file may not heed it.
func (x *examination) switchedOff(d dialect.Dialect, res *discover.Result, ds schema.Diagnostics) {
	why := map[string]string{} // by file
	for _, f := range ds {
		if f.Code == schema.CodeDisabled {
			why[f.File] = f.Message
		}
	}
	for _, c := range res.Configs {
		for i := range c.Hooks {
			h := &c.Hooks[i]
			said := cmp.Or(why[h.Source.File], "a setting of "+d.Profile().Name+" switches it off")
			switch {
			case schema.HasHook(res.Hooks, h) || cmdline.FindsHooks(h.Command) && !dialect.Related(d, x.host):
			case !dialect.Related(d, x.host) && x.runsImported(h):
				x.add(finding(d, h, Weaker, x.host.Profile().Name+" imports the file by itself and runs the hook with its own payload, though "+said, "take the hook out, or switch the import off in "+x.host.Profile().Name))
			default:
				x.add(finding(d, h, Never, said, "take the switch out if the hook is to run"))
			}
		}
	}
}

// bridgedHook tells of a hook that needs the bridge: whether it is called, and what
// doesn't hold when it is.
func (x *examination) bridgedHook(d dialect.Dialect, h *schema.Hook) Finding {
	if entries := plan.New(d, x.host).Entries(h, true); len(entries) > 0 {
		return worst(append(x.carried(d, h), x.called(d, h, entries))...)
	}
	none := finding(d, h, Never, plan.NoPlace(d, x.host, h), "")
	if problem, fix := x.selfProblem(d, h); problem != "" {
		return worst(none, finding(d, h, Never, problem, fix))
	}
	return none
}

// reach counts the calls of a hook at the events that it needs.
type reach struct {
	missing, most int
	broken        string
	copies        []string // files that have the hook converted
	beside        bool     // at an event that calls the bridge too, or more than once at one
}

func (x *examination) reach(d dialect.Dialect, h *schema.Hook, entries []schema.Entry) (r reach) {
	for _, e := range entries {
		n, problem := x.calls(d, h, e.Native)
		have := x.copies(d, h, e.Native)
		if n+len(have) == 0 {
			r.missing++
		}
		r.broken = cmp.Or(problem, r.broken)
		r.most = max(r.most, n)
		r.beside = r.beside || len(have) > 0 && n+len(have) > 1
		r.copies = append(r.copies, have...)
	}
	return r
}

// install is the command by which the host would call the hook.
func (x *examination) install(d dialect.Dialect, h *schema.Hook) string {
	install := "hookbridge install --host " + x.host.Profile().Name + " --hooks " + d.Profile().Name
	if h.Handler == schema.HandlerCallback { // found only in the module that is named
		install += " --module " + shell.Quote(h.Command)
	}
	if x.host.Profile().Modules != nil {
		install = "hookbridge convert --from " + d.Profile().Name + " --to " + x.host.Profile().Name + " -o hooks.ts"
	}
	return install
}

// called tells whether the host runs the hook once at every event that it needs.
func (x *examination) called(d dialect.Dialect, h *schema.Hook, entries []schema.Entry) Finding {
	r := x.reach(d, h, entries)
	install := x.install(d, h)
	switch imported := x.runsImported(h); {
	case r.missing == len(entries) && imported:
		return finding(d, h, Weaker, x.host.Profile().Name+" imports the file by itself and runs the hook with its own payload, which is not what it was written for", install)
	case r.missing == len(entries) && r.broken != "":
		return finding(d, h, Never, "the bridge's entry cannot run: "+r.broken, "install hookbridge where "+x.host.Profile().Name+" finds it")
	case r.missing == len(entries) && x.converted(d):
		return finding(d, h, Never, "the bridge is not called at "+entries[0].Native+", and other hooks of "+d.Profile().Name+
			" are converted", "convert this one too: hookbridge convert --from "+d.Profile().Name+" --to "+x.host.Profile().Name+" --merge FILE")
	case r.missing == len(entries):
		return finding(d, h, Never, "the bridge is not called at "+entries[0].Native, install)
	case imported:
		return x.importedToo(d, h, &r)
	case r.beside && r.most == 0:
		return finding(d, h, Twice, "the hook stands converted more than once, in "+r.copies[0], "keep one of them")
	case r.beside:
		return finding(d, h, Twice, "the hook stands converted in "+r.copies[0]+", beside the bridge, which finds it too", "take it out of "+r.copies[0]+", or uninstall the bridge")
	case r.most > 1:
		return finding(d, h, Twice, "the bridge stands in more than one file for the same event", "keep one of them: hookbridge uninstall --scope user")
	case r.missing > 0:
		return finding(d, h, Weaker, "the bridge is not called at every event that the hook needs", install)
	}
	return finding(d, h, Reached, "", "")
}

// importedToo is a hook that the host may run by itself beside the bridge: twice
// only if the import is known to be on.
func (x *examination) importedToo(d dialect.Dialect, h *schema.Hook, r *reach) Finding {
	beside := "the bridge"
	if r.most == 0 {
		beside = "the hook as it was converted into " + r.copies[0]
	}
	if x.imports == ImportOn {
		return finding(d, h, Twice, x.host.Profile().Name+" imports the file by itself, beside "+beside, "switch the import off in "+x.host.Profile().Name)
	}
	return finding(d, h, Weaker, x.host.Profile().Name+" runs the hook a second time if it imports the file by itself, beside "+beside,
		"switch the import off in "+x.host.Profile().Name+" and state it in hookbridge.yaml: facts: {"+x.host.Profile().Name+": {"+ImportFact+": off}}")
}

// ImportFact is the name of the fact in hookbridge.yaml that answers Import.
const ImportFact = "third-party-imports"

// converted reports whether hooks of d stand converted in the host's files: to
// install the bridge there would run those twice.
func (x *examination) converted(d dialect.Dialect) bool {
	return slices.ContainsFunc(x.own.Hooks, func(own schema.Hook) bool {
		w, ok := cmdline.Unwrap(own.Command)
		return ok && dialect.BaseName(w.Hooks) == d.Profile().Name
	})
}

// carried tells what a hook cannot do on the host even when it is called.
func (x *examination) carried(d dialect.Dialect, h *schema.Hook) (found []Finding) {
	add := func(s Standing, why, fix string) { found = append(found, finding(d, h, s, why, fix)) }
	if problem, fix := x.selfProblem(d, h); problem != "" {
		add(Never, problem, fix)
	}
	switch h.Handler {
	case schema.HandlerPrompt, schema.HandlerAgent:
		add(Weaker, schema.An(h.Handler.String())+" hook needs an evaluator", "add --evaluator COMMAND to the bridge's entry")
	case schema.HandlerMCPTool:
		add(Never, schema.An(h.Handler.String())+" hook cannot run outside its own agent", "")
	case schema.HandlerHTTP:
		if !InPath("curl", x.places.Env.Get("PATH")) {
			add(Never, "an HTTP hook needs curl, which is not in PATH", "install curl")
		}
	}
	if code, severity, message := plan.Absence(d, x.host, h); severity >= schema.Loss {
		status := Weaker
		if code == schema.CodeNoEvent {
			status = Never
		}
		add(status, message, "keep it in "+d.Profile().Name)
	}
	row := d.Profile().Row(h.Native)
	for _, c := range Matrix(d, x.host) {
		if c.From == h.Native && row.Blocks != 0 && c.Carried&row.Blocks == 0 && c.Lost&row.Blocks != 0 {
			add(Weaker, x.host.Profile().Name+" ignores a block on "+h.Native, "")
		}
	}
	if dead, _ := plan.Unsent(d, x.host, h); len(dead) > 0 {
		add(Reached, plan.NeverSent(x.host, h, dead)+"; the hook runs for the matcher's other values", "")
	}
	return found
}

// copies lists the files of the host that have the hook as convert writes it,
// once for each entry at an event.
func (x *examination) copies(d dialect.Dialect, h *schema.Hook, native string) (files []string) {
	for i := range x.own.Hooks {
		own := &x.own.Hooks[i]
		if own.Native != native {
			continue
		}
		w, ok := cmdline.Unwrap(own.Command)
		if !(ok && dialect.BaseName(w.Hooks) == d.Profile().Name && w.Event == h.Native && w.Hook.Command == h.Command && slices.Equal(w.Hook.Args, h.Args) &&
			w.Hook.Matcher == h.Matcher && w.Hook.Condition == h.Condition) {
			continue
		}
		if problem, _ := x.selfProblem(x.host, own); problem == "" {
			files = append(files, filepath.ToSlash(strings.TrimPrefix(own.Source.File, x.places.Project+string(filepath.Separator))))
		}
	}
	return files
}

// calls counts the entries by which the host calls the bridge for a hook of d, and
// tells what keeps one of them from running. Of the project's entry and the user's
// one runs the hook.
func (x *examination) calls(d dialect.Dialect, h *schema.Hook, native string) (n int, problem string) {
	count := map[schema.Scope]int{}
	for i := range x.own.Hooks {
		own := &x.own.Hooks[i]
		call, ok := cmdline.Parse(own.Command, own.Args)
		if !ok || own.Native != native || !call.RunsHooksOf(d.Profile().Name) {
			continue
		}
		if p, _ := x.selfProblem(x.host, own); p != "" {
			problem = p
			continue
		}
		count[call.Scope()]++
	}
	mine, other := schema.ScopeUser, schema.ScopeProject
	switch {
	case x.ofProject(h):
		mine, other = other, mine
	case h.Source.Scope != schema.ScopeManaged:
		other = schema.ScopeUser
	}
	if n = count[mine]; n == 0 {
		n = count[other]
	}
	return n + count[schema.ScopeGiven], problem
}

// selfProblem finds what keeps a hook from running in its own agent too.
func (x *examination) selfProblem(d dialect.Dialect, h *schema.Hook) (problem, fix string) {
	if _, err := matcher.Compile(d.Profile().GrammarOf(h.Native), h.Matcher); err != nil {
		return err.Error(), ""
	}
	if h.Handler != schema.HandlerCommand {
		return "", ""
	}
	return commandProblem(d, h, x.places)
}

// commandProblem looks for the program and the script of a plain command; of a
// line that only a shell understands nothing is said.
func commandProblem(d dialect.Dialect, h *schema.Hook, p schema.Places) (problem, fix string) {
	spec, err := d.Spec(h, &schema.Call{Dialect: d.Profile().Name, Project: p.Project, Cwd: p.Project}, p)
	if err != nil {
		return err.Error(), ""
	}
	var pairs []string // the folders that the agent itself tells the hook
	for _, v := range spec.Env {
		if name, value, _ := strings.Cut(v, "="); filepath.IsAbs(value) {
			pairs = append(pairs, "${"+name+"}", value, "$"+name+"/", value+"/")
		}
	}
	fill := strings.NewReplacer(append(pairs, `"`, "")...)
	words := append([]string{fill.Replace(h.Command)}, h.Args...)
	if h.Args == nil {
		var ok bool
		if words, ok = shell.Words(words[0]); !ok || len(words) == 0 {
			return "", ""
		}
	} else {
		for i := range words {
			words[i] = fill.Replace(words[i])
		}
	}
	if strings.Contains(words[0], "=") {
		return "", ""
	}
	if strings.Contains(words[0], "/") {
		return fileProblem(words[0], true, p.Home, spec.Dir)
	}
	if strings.EqualFold(h.Shell, "powershell") || strings.EqualFold(h.Shell, "pwsh") {
		return "", "" // most of its commands are no files
	}
	if !InPath(words[0], p.Env.Get("PATH")) {
		return words[0] + " is not found in PATH", "install it, or name it by its path"
	}
	if shell.IsInterpreter(words[0]) && len(words) > 1 && strings.ContainsAny(words[1], "/.") && !strings.HasPrefix(words[1], "-") {
		if problem, fix = fileProblem(words[1], false, p.Home, spec.Dir); problem != "" {
			return problem + "; " + words[0] + " ends with an error, with status 2 in some, which blocks", fix
		}
	}
	return "", ""
}

func fileProblem(file string, run bool, home, dir string) (problem, fix string) {
	if strings.HasPrefix(file, "~/") {
		file = filepath.Join(home, file[2:])
	}
	if strings.ContainsAny(file, "$`") {
		return "", ""
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return "the script " + file + " does not exist", "create it, or correct the command"
	case run && info.Mode()&0o111 == 0:
		return "the script " + file + " is not executable", "chmod +x " + file
	}
	return "", ""
}

// builtins of the shell are found by no search.
var builtins = []string{":", ".", "cd", "echo", "eval", "exec", "exit", "export", "false", "if", "printf", "read", "set", "test", "true", "["}

// InPath reports whether a plain command word would be found.
func InPath(name, path string) bool {
	if slices.Contains(builtins, name) {
		return true
	}
	endings := []string{""}
	if runtime.GOOS == "windows" {
		endings = []string{"", ".exe", ".cmd", ".bat"}
	}
	for _, dir := range filepath.SplitList(path) {
		for _, end := range endings {
			if info, err := os.Stat(filepath.Join(dir, name+end)); err == nil && !info.IsDir() {
				return true
			}
		}
	}
	return false
}
