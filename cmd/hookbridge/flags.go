package main

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
	"github.com/hookbridge/hookbridge/internal/suggest"
)

// errUsage marks a mistake on the command line.
type errUsage struct{ msg string }

func (e errUsage) Error() string { return e.msg }

// A flagDoc says what one flag means. Help, completion, the manual page and the
// check of values are made from it.
type flagDoc struct {
	name string
	// arg is the value's placeholder in help: "" a switch, words separated by | all that there
	// are, AGENT, EVENT, FILE, DIR and others as they read.
	arg  string
	help string
}

// words lists the values that the flag takes, nil if there are others.
func (d flagDoc) words() []string {
	return cmdline.WordsOf(d.arg)
}

func (d flagDoc) dashed() string { return cmdline.Dashed(d.name) }

type flags struct {
	set     *flag.FlagSet
	list    []flagDoc
	program *cmdline.Call // gets what follows --, nil where nothing may
}

func newFlags(name string) *flags {
	f := &flags{set: flag.NewFlagSet(name, flag.ContinueOnError)}
	f.set.SetOutput(io.Discard)
	if !answersHost(name) {
		f.text(new(string), "color", "auto", "auto|always|never",
			"color the output; auto (default): on a terminal, unless NO_COLOR is set, or where\nFORCE_COLOR is")
	}
	return f
}

func (f *flags) doc(name, arg, help string) { f.list = append(f.list, flagDoc{name, arg, help}) }

func (f *flags) text(p *string, name, value, arg, help string) {
	f.set.StringVar(p, name, value, "")
	f.doc(name, arg, help)
}

func (f *flags) number(p *float64, name string, value float64, arg, help string) {
	f.set.Float64Var(p, name, value, "")
	f.doc(name, arg, help)
}

func (f *flags) whole(p *int, name string, value int, arg, help string) {
	f.set.IntVar(p, name, value, "")
	f.doc(name, arg, help)
}

func (f *flags) many(p *listFlag, name, arg, help string) {
	f.set.Var(p, name, "")
	f.doc(name, arg, help)
}

func (f *flags) yes(p *bool, name, help string) {
	f.set.BoolVar(p, name, false, "")
	f.doc(name, "", help)
}

// A rowValue is a flag of run in the call that it is read into.
type rowValue struct {
	call *cmdline.Call
	row  *cmdline.FlagRow
}

func (v rowValue) String() string {
	if v.call == nil { // package flag asks a zero value
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

// rows declares the flags of run, but for some, and the program behind --.
func (f *flags) rows(call *cmdline.Call, but ...string) {
	f.program = call
	for _, row := range runRows(but...) {
		f.row(call, row.Name, "")
	}
}

// removedRows accepts the flags that only older versions of run had.
func (f *flags) removedRows(call *cmdline.Call) {
	for _, row := range cmdline.RemovedRows() {
		f.set.Var(rowValue{call, &row}, row.Name, "")
	}
}

// entryRows declares the flags of run that install and init write into their entries.
func (f *flags) entryRows(call *cmdline.Call) {
	for _, row := range cmdline.FlagRows() {
		if row.Entries != "" {
			f.row(call, row.Name, row.Entries)
		}
	}
}

// row declares one flag of run. help is what the command says of it, "": what run says.
func (f *flags) row(call *cmdline.Call, name, help string) {
	row := cmdline.Row(name)
	f.set.Var(rowValue{call, row}, name, "")
	f.doc(name, row.Arg, cmp.Or(help, row.Help))
}

func (f *flags) given(name string) (set bool) {
	f.set.Visit(func(fl *flag.Flag) { set = set || fl.Name == name })
	return set
}

// parse reads the command line and returns the arguments that aren't flags; flags may
// also follow them. The error is flag.ErrHelp or an errUsage. A program after -- is
// removed before: package flag would drop the --, and a missing one would look the same.
func (f *flags) parse(args []string) (rest []string, err error) {
	if i := slices.Index(args, "--"); i >= 0 && f.program != nil {
		if args, f.program.Program = args[:i], args[i+1:]; len(f.program.Program) == 0 {
			return nil, errUsage{"-- needs a program"}
		}
	}
	args = f.filled(args)
	for len(args) > 0 {
		if err := f.set.Parse(args); err != nil {
			return nil, f.mistake(err)
		}
		if args = f.set.Args(); len(args) > 0 {
			rest, args = append(rest, args[0]), args[1:]
		}
	}
	return rest, f.checkWords()
}

// filled gives flags without a value the one that they stand for alone.
func (f *flags) filled(args []string) []string {
	args = slices.Clone(args)
	for i, word := range args {
		name := strings.TrimPrefix(strings.TrimPrefix(word, "-"), "-")
		row := cmdline.Row(name)
		if name == word || row == nil || row.Alone == "" || f.set.Lookup(name) == nil {
			continue
		}
		if i+1 == len(args) || strings.HasPrefix(args[i+1], "-") {
			args[i] = word + "=" + row.Alone
		}
	}
	return args
}

// meant is the flag that an argument was probably meant for: an agent's name without --host.
func (f *flags) meant(argument string) string {
	_, err := adapter.Find(argument)
	if err != nil {
		argument = suggest.Nearest(argument, adapter.Names())
	}
	i := slices.IndexFunc(f.list, func(d flagDoc) bool { return d.arg == "AGENT" })
	if i < 0 || argument == "" {
		return ""
	}
	return "; did you mean " + f.list[i].dashed() + " " + argument + "?"
}

// mistake rewords an error of package flag.
func (f *flags) mistake(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	msg := err.Error()
	if name, ok := strings.CutPrefix(msg, "flag provided but not defined: -"); ok {
		return errUsage{"unknown flag " + dashed(name) + suggest.Question(dashed(name), each(f.list, flagDoc.dashed))}
	}
	if name, ok := strings.CutPrefix(msg, "flag needs an argument: -"); ok {
		return errUsage{dashed(name) + " needs a value" + f.want(name)}
	}
	if value, rest, ok := strings.Cut(strings.TrimPrefix(msg, "invalid value "), " for flag -"); ok {
		name, _, _ := strings.Cut(rest, ":")
		return errUsage{dashed(name) + ": invalid value " + value + f.want(name)}
	}
	return errUsage{msg}
}

func dashed(name string) string { return flagDoc{name: strings.TrimLeft(name, "-")}.dashed() }

func (f *flags) want(name string) string {
	for _, d := range f.list {
		switch {
		case d.name != name || d.arg == "":
		case d.arg == "AGENT":
			return ": " + either(adapter.Names())
		case d.words() != nil:
			return ": " + either(d.words())
		default:
			return ": " + d.dashed() + " " + d.arg
		}
	}
	return ""
}

// checkWords holds the flags with a closed list of values to it.
func (f *flags) checkWords() (err error) {
	f.set.Visit(func(fl *flag.Flag) {
		if err == nil {
			err = f.checkWord(fl.Name, fl.Value.String())
		}
	})
	return err
}

func (f *flags) checkWord(name, value string) error {
	for _, d := range f.list {
		if words := d.words(); d.name == name && words != nil && !slices.Contains(words, value) {
			return errUsage{d.dashed() + " is " + either(words) + ", not " + strconv.Quote(value) +
				suggest.Question(value, words)}
		}
	}
	return nil
}

func either(words []string) string { return plan.Listed(words, "or") }

func findDialect(flag, name string) (adapter.Dialect, error) {
	if name == "" {
		return nil, errUsage{flag + " is needed: " + either(adapter.Names())}
	}
	d, err := cmdline.FindDialect(flag, name)
	return d, asUsage(err)
}

type listFlag []string

func (l *listFlag) String() string { return strings.Join(*l, ",") }

func (l *listFlag) Set(s string) error { *l = append(*l, s); return nil }

// asUsage makes a mistake of package cmdline one of this command line.
func asUsage(err error) error {
	var m *cmdline.Mistake
	if errors.As(err, &m) {
		return errUsage{m.Text}
	}
	return err
}

// runRows are the flags of run but for some.
func runRows(but ...string) []cmdline.FlagRow {
	return slices.DeleteFunc(cmdline.FlagRows(), func(r cmdline.FlagRow) bool { return slices.Contains(but, r.Name) })
}
