package main

import (
	"errors"
	"flag"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
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
	// are, D a dialect, E an event, FILE, DIR and others as they read.
	arg  string
	help string
}

// words lists the values that the flag takes, nil if there are others.
func (d flagDoc) words() []string {
	if !strings.Contains(d.arg, "|") || strings.ToLower(d.arg) != d.arg {
		return nil
	}
	return strings.Split(d.arg, "|")
}

func (d flagDoc) dashed() string {
	if len(d.name) == 1 {
		return "-" + d.name
	}
	return "--" + d.name
}

type flags struct {
	set     *flag.FlagSet
	list    []flagDoc
	program *[]string // gets what follows --, nil where nothing may
}

func newFlags(name string) *flags {
	f := &flags{set: flag.NewFlagSet(name, flag.ContinueOnError)}
	f.set.SetOutput(io.Discard)
	if name != "run" { // a host reads its output
		f.text(new(string), "color", "auto", "auto|always|never", "color the output; auto (default): on a terminal, unless NO_COLOR is set, or where\nFORCE_COLOR is")
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

func (f *flags) given(name string) (set bool) {
	f.set.Visit(func(fl *flag.Flag) { set = set || fl.Name == name })
	return set
}

// value is the flag's value, "" for a flag that the command does not have.
func (f *flags) value(name string) string {
	if fl := f.set.Lookup(name); fl != nil {
		return fl.Value.String()
	}
	return ""
}

// parse reads the command line and returns the arguments that aren't flags; flags may
// also follow them. The error is flag.ErrHelp or an errUsage. A program after -- is
// removed before: package flag would drop the --, and a missing one would look the same.
func (f *flags) parse(args []string) (rest []string, err error) {
	if i := slices.Index(args, "--"); i >= 0 && f.program != nil {
		if args, *f.program = args[:i], args[i+1:]; len(*f.program) == 0 {
			return nil, errUsage{"-- needs a program"}
		}
	}
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
		case d.arg == "D":
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
			return errUsage{d.dashed() + " is " + either(words) + ", not " + strconv.Quote(value) + suggest.Question(value, words)}
		}
	}
	return nil
}

func either(words []string) string { return plan.Listed(words, "or") }

func findDialect(flag, name string) (adapter.Dialect, error) {
	if name == "" {
		return nil, errUsage{flag + " is needed: " + either(adapter.Names())}
	}
	d, err := adapter.Find(name)
	if err != nil {
		return nil, errUsage{flag + " " + strconv.Quote(name) + ": " + err.Error() + suggest.Question(name, adapter.Names())}
	}
	return d, nil
}
