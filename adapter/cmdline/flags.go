package cmdline

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/suggest"
)

// A Kind is the type of a flag's values.
type Kind uint8

const (
	Text   Kind = iota
	Switch      // on or off; takes no separate value
	Number
	Whole // a number without a fraction
	List  // may be repeated; every value counts
)

// A FlagRow is one flag of hookbridge run. Everything that reads, writes or documents the flag uses its row.
type FlagRow struct {
	Name    string
	Kind    Kind
	Arg     string // placeholder of the value in help; words separated by | are all allowed values
	Default string
	Alone   string // the value of the flag without one; "": it needs one
	Help    string // of run
	// Entries is the help of install and init, which write the flag into their entries; "": they don't have it.
	Entries string
	// Weakens is the value that may make an answer weaker than other values do: AnyValue if each may, "" if none does.
	Weakens string
	// Strictest is the value with which no answer is weaker than without the flag. A project can set only this value;
	// "": there is none.
	Strictest string
	Settable  bool // under install in hookbridge.yaml
	Hook      bool // a setting of a hook's own configuration, so it needs a hook
	Wraps     bool // convert writes it
	Removed   bool // of an older version: accepted and ignored
}

// UsualLog is the log of --log without a file.
const UsualLog = "~/.local/state/hookbridge/run.log"

// AnyValue is the Weakens of a flag whose values can't be ordered.
const AnyValue = "*"

// AllowHelp is the help of --allow in every command that translates answers.
const AllowHelp = "how to translate an allow that means only \"no objection\" to the hooks' agent, but skips\n" +
	"the prompt of the host: pass (default) gives no opinion, approve skips the prompt"

// flagRows has the flags of run in the order in which help lists them. A new flag is one row here and its use.
var flagRows = []FlagRow{
	{Name: "host", Arg: "AGENT", Wraps: true, Help: "the agent that calls (default: detected from the payload)"},
	{Name: "hooks", Arg: "AGENT", Default: adapter.Default, Wraps: true,
		Help: "the agents that the hooks are written for, separated by commas (default " + adapter.Default + ")"},
	{Name: "project", Arg: "DIR", Weakens: AnyValue, Help: "root of the project (default: from the payload)"},
	{Name: "home", Arg: "DIR", Weakens: AnyValue, Help: "home folder with the user's hooks (default $HOME)"},
	{Name: "config", Kind: List, Arg: "FILE", Weakens: AnyValue,
		Help: "use this hook file instead of the ones that the agent would load; may be repeated"},
	{Name: "inline", Arg: "JSON", Weakens: AnyValue, Wraps: true,
		Help: "use this text instead of hook files, in the format of the agent's file"},
	{Name: "timeout", Kind: Number, Arg: "SECONDS", Weakens: AnyValue, Wraps: true,
		Help: "upper time limit for each hook"},
	{Name: "ask", Arg: "deny|relay|allow", Default: "deny", Weakens: "allow", Settable: true, Wraps: true,
		Help: "if the host can't ask the user: deny (default), ask at another event\nof the same call, or let " +
			"the call proceed",
		Entries: "if the host can't ask the user; see run"},
	{Name: "allow", Arg: "pass|approve", Default: "pass", Weakens: "approve", Settable: true, Wraps: true,
		Help: AllowHelp, Entries: AllowHelp},
	{Name: "fail-closed", Kind: Switch, Weakens: "false", Settable: true, Wraps: true,
		Help: "deny if hookbridge itself fails", Entries: "the entries deny if hookbridge itself fails"},
	{Name: "own-failure", Arg: "deny|proceed", Default: "deny", Weakens: "proceed", Settable: true,
		Help: "if a limit or a fault of hookbridge's own keeps it from judging a call: deny it where the event\n" +
			"can deny (default), or let it proceed",
		Entries: "if hookbridge's own limits keep it from judging a call; see run"},
	{Name: "pin-hooks", Kind: Switch, Settable: true,
		Help:    "deny tool calls once the hook files have changed during a session",
		Entries: "written into the entries: deny tool calls once the hook files have changed during a session"},
	{Name: "require-trust", Kind: Switch, Weakens: "true",
		Help: "run a project's hooks only if hookbridge trust recorded them"},
	{Name: "evaluator", Arg: "COMMAND", Weakens: AnyValue, Settable: true,
		Help:    "program for prompt and agent hooks: gets the prompt on stdin, prints\n{\"ok\":bool,\"reason\":text}",
		Entries: "written into the entries: answers prompt and agent hooks, as with run"},
	{Name: "event", Arg: "EVENT", Weakens: AnyValue, Wraps: true,
		Help: "with -c or --: the event that the command is a hook for (default: every event);\n" +
			"else the host's event, where its payloads don't name it"},
	{Name: "c", Arg: "COMMAND", Weakens: AnyValue, Wraps: true,
		Help: "run this one hook with a shell; put a program without a shell after --"},
	{Name: "module", Arg: "FILE", Weakens: AnyValue,
		Help: "with --hooks qoder-sdk: run the callbacks that this module exports, with node; a relative\n" +
			"FILE is looked up in the project, then in the current folder"},
	{Name: "matcher", Arg: "MATCHER", Weakens: AnyValue, Hook: true, Wraps: true,
		Help: "with -c, -- or --module: the hook's matcher"},
	{Name: "if", Arg: "RULE", Weakens: AnyValue, Hook: true, Wraps: true, Help: "the hook's condition"},
	{Name: "on-failure", Arg: "block|continue", Weakens: AnyValue, Strictest: "block", Settable: true, Hook: true,
		Wraps: true,
		Help: "what a failure of the hook means; block also for all hooks that are found: one that fails\nor " +
			"times out denies where it can",
		Entries: "block: a hook that fails or times out denies where it can"},
	{Name: "async", Arg: "yes|rewake", Weakens: AnyValue, Hook: true, Wraps: true,
		Help: "run the hook in the background"},
	{Name: "shell", Arg: "SHELL", Weakens: AnyValue, Hook: true, Wraps: true,
		Help: "the shell that its configuration names"},
	{Name: "plugin-root", Arg: "DIR", Weakens: AnyValue, Hook: true, Wraps: true,
		Help: "the plugin that the hook belongs to"},
	{Name: "plugin", Arg: "DIR", Weakens: AnyValue,
		Help: "run the hooks of the plugin in this folder, in all agents but their own, which runs them itself"},
	{Name: "missing", Arg: "closed|say",
		Help: "for a launcher, where it finds no hookbridge: deny the call, or notify the user"},
	{Name: "requires", Arg: "VERSION", Help: "the oldest hookbridge that may run the entry: an older one refuses " +
		"with --missing closed,\nand else runs the hooks and notifies the user"},
	{Name: ExcludeFlag, Arg: "MARK", Help: "skip the project's hooks with these marks, separated by commas: install " +
		"writes those\nof the hooks that hookbridge.yaml excludes from the host"},
	{Name: ScopeFlag, Arg: "project|user|managed", Wraps: true,
		Help: "run only the project's hooks, only an administrator's, or (user) the others: with an entry\n" +
			"for each, none runs another's hooks. With -c: the hook is from the user's own file"},
	{Name: "loop-limit", Kind: Whole, Arg: "N", Weakens: AnyValue, Hook: true, Wraps: true,
		Help: "how often in a row the hook may keep the agent working"},
	{Name: "log", Arg: "FILE", Settable: true, Alone: UsualLog,
		Help: "append one JSON line per call, for hookbridge log; ~/ is the home folder, and --log alone is\n" +
			UsualLog,
		Entries: "written into the entries: where run keeps its log; --log alone is\n" + UsualLog},
	{Name: "log-reasons", Kind: Switch, Settable: true,
		Help:    "the log also has the reasons that hooks gave, which may quote the call",
		Entries: "written into the entries: the log also has the reasons that hooks gave"},
	{Name: "seen", Kind: Switch, Settable: true,
		Help:    "note when the entry ran last and what it answered, for hookbridge doctor --seen",
		Entries: "written into the entries: note when each ran last and what it answered, for doctor --seen"},
	{Name: "log-secrets", Kind: Switch, Help: "don't hide tokens and passwords in the log and on stderr"},
	{Name: "log-payload", Kind: Switch, Removed: true},
}

// FlagRows lists the flags that run has.
func FlagRows() []FlagRow {
	return slices.DeleteFunc(AllRows(), func(r FlagRow) bool { return r.Removed })
}

// AllRows lists the flags that run has, and those of older versions, which it accepts.
func AllRows() []FlagRow { return slices.Clone(flagRows) }

// Row returns the row of a flag, including removed ones; nil if run has no such flag.
func Row(name string) *FlagRow {
	return lists.Find(flagRows, func(r *FlagRow) bool { return r.Name == name })
}

// Words lists the values that the flag takes, nil if there is no fixed list.
func (r *FlagRow) Words() []string { return WordsOf(r.Arg) }

// WordsOf lists the values in the placeholder of a flag, nil if it has no list.
func WordsOf(arg string) []string {
	if !strings.Contains(arg, "|") || strings.ToLower(arg) != arg {
		return nil
	}
	return strings.Split(arg, "|")
}

// Check reports whether a text has the flag's kind.
func (r *FlagRow) Check(value string) error {
	var err error
	switch r.Kind {
	case Switch:
		_, err = strconv.ParseBool(value)
	case Number:
		_, err = strconv.ParseFloat(value, 64)
	case Whole:
		_, err = strconv.Atoi(value)
	}
	if err != nil {
		return errors.New("parse error")
	}
	return nil
}

// Takes reports whether a text is a value of the flag.
func (r *FlagRow) Takes(value string) bool {
	if r.Kind == Switch && value == "" {
		return true
	}
	words := r.Words()
	return r.Check(value) == nil && (words == nil || slices.Contains(words, value))
}

// A Mistake is an error in the command line; Text describes it.
type Mistake struct{ Text string }

func (m *Mistake) Error() string { return m.Text }

// Dashed returns a flag as written on a command line.
func Dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// ownerFlags are flags for the agent that hooks are written for.
var ownerFlags = []string{"--hooks", "--from", "--dialect"}

// FindDialect finds the dialect that a flag names. The error is a *Mistake.
func FindDialect(flag, name string) (adapter.Dialect, error) {
	if slices.Contains(ownerFlags, flag) {
		return FindOwner(flag, name)
	}
	return FindAgent(flag, name)
}

// FindOwner finds the dialect of an agent that hooks are written for.
func FindOwner(flag, name string) (adapter.Dialect, error) {
	d, err := FindAgent(flag, name)
	if err != nil {
		return nil, err
	}
	if p := d.Profile(); p.HostOnly != "" {
		return nil, &Mistake{flag + " " + name + ": " + p.Title + " " + p.HostOnly +
			"; it runs other agents' hooks with --host " + name}
	}
	return d, nil
}

// FindAgent finds any dialect, including one of an agent that only runs the hooks of others.
func FindAgent(flag, name string) (adapter.Dialect, error) {
	if name == "" {
		return nil, &Mistake{flag + " is needed: " + strings.Join(adapter.Names(), ", ")}
	}
	d, err := adapter.Find(name)
	if err != nil {
		if known := adapter.FindByName(name); known != nil {
			why := cmp.Or(known.Never, "hookbridge doesn't run "+known.Title+"'s hooks yet, and puts none into it")
			return nil, &Mistake{flag + " " + name + ": " + why}
		}
		return nil, &Mistake{flag + " " + strconv.Quote(name) + ": " + err.Error() +
			cmp.Or(programQuestion(name), suggest.Question(name, adapter.Names()))}
	}
	return d, nil
}

// programQuestion returns a suggestion if only one agent has a program of that name, as vscode is copilot@vscode.
func programQuestion(name string) string {
	var full []string
	for _, d := range adapter.Dialects() {
		for _, g := range d.Profile().Programs {
			if g.Name == name {
				full = append(full, d.Profile().Name+"@"+name)
			}
		}
	}
	if len(full) != 1 {
		return ""
	}
	return "; did you mean " + full[0] + "?"
}

// NoEvent reports that a dialect has no event of the name that a flag gives, and suggests one.
func NoEvent(flag, name string, d adapter.Dialect) error {
	text := flag + " " + strconv.Quote(name) + ": " + d.Profile().TitleChecked() + " doesn't know the event"
	if adapter.EventOf(name) != 0 {
		return &Mistake{text + ", so hooks on it never run there; see hookbridge matrix"}
	}
	var known, native []string
	for _, row := range d.Profile().Events {
		known, native = append(known, row.Native, row.Event.String()), append(native, row.Native)
	}
	return &Mistake{text + cmp.Or(suggest.Question(name, known), "; its events are "+strings.Join(native, ", "))}
}
