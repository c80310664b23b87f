package cli

import (
	"cmp"
	"errors"
	"flag"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/suggest"
)

// UsageError marks a mistake on the command line.
type UsageError struct{ Msg string }

// Usage returns a UsageError with a text.
func Usage(text string) error { return UsageError{text} }

func (e UsageError) Error() string { return e.Msg }

// A FlagDoc documents one flag. Help, completion, the manual page and the check of values are made from it.
type FlagDoc struct {
	Name string
	// Arg is the placeholder of the value in help: "" for a switch, words separated by | for a closed list, or AGENT,
	// EVENT, FILE, DIR and others.
	Arg  string
	Help string
}

// Words lists the values that the flag accepts, or nil if the list isn't closed.
func (d FlagDoc) Words() []string {
	return cmdline.WordsOf(d.Arg)
}

// Dashed returns the flag as it is written on a command line.
func (d FlagDoc) Dashed() string { return cmdline.Dashed(d.Name) }

// Flags are the flags of one call of a command, and their documentation.
type Flags struct {
	Set     *flag.FlagSet
	List    []FlagDoc
	line    []string           // the words to read; nil: only the documentation is needed
	read    bool               // line is already read
	docs    map[string]FlagDoc // from the command's help, for the flags that it names
	program *cmdline.Call      // gets the words after --; nil: they aren't allowed
}

// NewFlags returns the flags that every command has: --color, except for commands that answer a host.
func NewFlags(name string) *Flags {
	f := &Flags{Set: flag.NewFlagSet(name, flag.ContinueOnError)}
	f.Set.SetOutput(io.Discard)
	if !AnswersHost(name) {
		f.Set.StringVar(new(string), "color", "auto", "")
		f.Doc("color", "auto|always|never",
			"color the output; auto (default): on a terminal, unless NO_COLOR is set, or where\nFORCE_COLOR is")
	}
	return f
}

// Doc documents a flag that is declared directly in Set, unless the help of the command does.
func (f *Flags) Doc(name, arg, help string) {
	doc, stated := f.docs[name]
	if !stated {
		doc = FlagDoc{name, arg, help}
	}
	f.List = append(f.List, doc)
}

// Text declares a flag with a text.
func (f *Flags) Text(p *string, name, value string) {
	f.Set.StringVar(p, name, value, "")
	f.Doc(name, "", "")
}

// Many declares a flag that may be repeated.
func (f *Flags) Many(p *ListFlag, name string) {
	f.Set.Var(p, name, "")
	f.Doc(name, "", "")
}

// Yes declares a switch.
func (f *Flags) Yes(p *bool, name string) {
	f.Set.BoolVar(p, name, false, "")
	f.Doc(name, "", "")
}

// A rowValue is a flag of run, and the call that stores its value.
type rowValue struct {
	call *cmdline.Call
	row  *cmdline.FlagRow
}

func (v rowValue) String() string {
	if v.call == nil { // package flag calls it on a zero value
		return ""
	}
	return v.call.Text(v.row.Name)
}

func (v rowValue) Set(s string) error {
	err := v.row.Check(s)
	if err == nil {
		v.call.Set(v.row.Name, s)
	}
	return err
}

func (v rowValue) IsBoolFlag() bool { return v.row.Kind == cmdline.Switch }

// Rows declares the flags of run, except but, and the program after --. It accepts flags that only older versions had.
// If the short reader accepts the line, Rows declares nothing, and Given reports no flags of the line.
func (f *Flags) Rows(call *cmdline.Call, but ...string) {
	f.program = call
	if f.read = f.line != nil && len(but) == 0 && call.Read(f.line); f.read {
		return
	}
	for _, row := range cmdline.AllRows() {
		if !slices.Contains(but, row.Name) {
			f.row(call, &row, row.Help)
		}
	}
}

// EntryRows declares the flags of run that install and init write into their entries.
func (f *Flags) EntryRows(call *cmdline.Call) {
	for _, row := range cmdline.FlagRows() {
		if row.Entries != "" {
			f.Row(call, row.Name, row.Entries)
		}
	}
}

// Row declares one flag of run. help is its text for this command, or "" for run's.
func (f *Flags) Row(call *cmdline.Call, name, help string) {
	row := cmdline.Row(name)
	f.row(call, row, cmp.Or(help, row.Help))
}

func (f *Flags) row(call *cmdline.Call, row *cmdline.FlagRow, help string) {
	f.Set.Var(rowValue{call, row}, row.Name, "")
	if !row.Removed {
		f.Doc(row.Name, row.Arg, help)
	}
}

// Given reports whether the command line has the flag.
func (f *Flags) Given(name string) (set bool) {
	f.Set.Visit(func(fl *flag.Flag) { set = set || fl.Name == name })
	return set
}

// parse reads the command line and returns the arguments that aren't flags. Flags may also follow arguments. The error
// is flag.ErrHelp or a UsageError. A program after -- is removed first: package flag would drop the --, and without it
// the program would look the same.
func (f *Flags) parse(args []string) (rest []string, err error) {
	if f.read {
		return nil, nil
	}
	if i := slices.Index(args, "--"); i >= 0 && f.program != nil {
		if args, f.program.Program = args[:i], args[i+1:]; len(f.program.Program) == 0 {
			return nil, UsageError{"-- needs a program"}
		}
	}
	args = f.filled(args)
	for len(args) > 0 {
		if err := f.Set.Parse(args); err != nil {
			return nil, f.mistake(err)
		}
		if args = f.Set.Args(); len(args) > 0 {
			rest, args = append(rest, args[0]), args[1:]
		}
	}
	return rest, f.checkWords()
}

// filled adds the default value to flags without a value.
func (f *Flags) filled(args []string) []string {
	args = slices.Clone(args)
	for i, word := range args {
		name := strings.TrimPrefix(strings.TrimPrefix(word, "-"), "-")
		row := cmdline.Row(name)
		if name == word || row == nil || row.Alone == "" || f.Set.Lookup(name) == nil {
			continue
		}
		if i+1 == len(args) || strings.HasPrefix(args[i+1], "-") {
			args[i] = word + "=" + row.Alone
		}
	}
	return args
}

// meant suggests the flag that an argument was probably meant for: an agent's name without --host.
func (f *Flags) meant(argument string) string {
	_, err := adapter.Find(argument)
	if err != nil {
		argument = suggest.Nearest(argument, adapter.Names())
	}
	i := slices.IndexFunc(f.List, func(d FlagDoc) bool { return d.Arg == "AGENT" })
	if i < 0 || argument == "" {
		return ""
	}
	return "; did you mean " + f.List[i].Dashed() + " " + argument + "?"
}

// mistake rewords an error of package flag.
func (f *Flags) mistake(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	msg := err.Error()
	if name, ok := strings.CutPrefix(msg, "flag provided but not defined: -"); ok {
		return UsageError{"unknown flag " + dashed(name) +
			suggest.Question(dashed(name), lists.Map(f.List, FlagDoc.Dashed))}
	}
	if name, ok := strings.CutPrefix(msg, "flag needs an argument: -"); ok {
		return UsageError{dashed(name) + " needs a value" + f.want(name)}
	}
	if value, rest, ok := strings.Cut(strings.TrimPrefix(msg, "invalid value "), " for flag -"); ok {
		name, _, _ := strings.Cut(rest, ":")
		return UsageError{dashed(name) + ": invalid value " + value + f.want(name)}
	}
	return Usage(msg)
}

func dashed(name string) string { return FlagDoc{Name: strings.TrimLeft(name, "-")}.Dashed() }

func (f *Flags) want(name string) string {
	for _, d := range f.List {
		switch {
		case d.Name != name || d.Arg == "":
		case d.Arg == "AGENT":
			return ": " + Either(adapter.Names())
		case d.Words() != nil:
			return ": " + Either(d.Words())
		default:
			return ": " + d.Dashed() + " " + d.Arg
		}
	}
	return ""
}

// checkWords checks the values of all given flags against their closed lists.
func (f *Flags) checkWords() (err error) {
	f.Set.Visit(func(fl *flag.Flag) {
		if err == nil {
			err = f.CheckWord(fl.Name, fl.Value.String())
		}
	})
	return err
}

// CheckWord checks a value against the words that its flag accepts, if they are a closed list.
func (f *Flags) CheckWord(name, value string) error {
	for _, d := range f.List {
		if words := d.Words(); d.Name == name && words != nil && !slices.Contains(words, value) {
			return UsageError{d.Dashed() + " is " + Either(words) + ", not " + strconv.Quote(value) +
				suggest.Question(value, words)}
		}
	}
	return nil
}

// Either lists words: a, b or c.
func Either(words []string) string { return plan.Listed(words, "or") }

// FindDialect finds the agent that a flag names. It returns a UsageError if the name is missing or unknown.
func FindDialect(flag, name string) (adapter.Dialect, error) {
	if name == "" {
		return nil, UsageError{flag + " is needed: " + Either(adapter.Names())}
	}
	d, err := cmdline.FindDialect(flag, name)
	return d, AsUsage(err)
}

// A ListFlag collects the values of a flag that may be repeated.
type ListFlag []string

func (l *ListFlag) String() string { return strings.Join(*l, ",") }

func (l *ListFlag) Set(s string) error { *l = append(*l, s); return nil }

// AsUsage turns a mistake of package cmdline into a UsageError.
func AsUsage(err error) error {
	var m *cmdline.Mistake
	if errors.As(err, &m) {
		return UsageError{m.Text}
	}
	return err
}
