package common

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/choice"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/suggest"
)

// LoadProjectFile reads the hookbridge.yaml of a project. A missing file counts as empty.
func LoadProjectFile(project string) (*projectfile.File, error) {
	missing := func(err error) bool { return errors.Is(err, fs.ErrNotExist) }
	file, err := projectfile.Load(project, discover.Read, missing)
	if err == nil {
		err = cmp.Or(choice.Check(file), inspect.CheckImportsOff(file))
	}
	if err != nil {
		return nil, err
	}
	return file, nil
}

// WithAgents returns the text of hookbridge.yaml, and the text with another list of agents. after is nil if the present
// list isn't on a single line.
func WithAgents(file *projectfile.File, names []string) (before, after []byte, err error) {
	before, err = discover.Read(file.Path)
	if err != nil {
		return nil, nil, err
	}
	lines := bytes.SplitAfter(before, []byte("\n"))
	line := lines[file.Agents[0].Line-1]
	old := bytes.TrimSpace(line)
	if !bytes.HasPrefix(line, []byte("agents:")) || !bytes.HasSuffix(old, []byte("]")) {
		return before, nil, nil
	}
	list := []byte("agents: [" + strings.Join(names, ", ") + "]")
	lines[file.Agents[0].Line-1] = bytes.Replace(line, old, list, 1)
	after = bytes.Join(lines, nil)
	if _, bad := projectfile.Parse(projectfile.Name, after); bad != nil {
		return before, nil, nil
	}
	return before, after, nil
}

// WithLines adds lines to the end of hookbridge.yaml's text. A new file begins with the address of its schema.
func WithLines(text []byte, lines string) []byte {
	if len(text) == 0 {
		text = []byte(cli.SchemaLine("hookbridge-yaml"))
	} else if !bytes.HasSuffix(text, []byte("\n")) {
		lines = "\n" + lines
	}
	return append(bytes.Clone(text), lines...)
}

// MistakesIn lists the mistakes for which commands would reject the file.
func MistakesIn(file *projectfile.File) (errs []error) {
	known := entryFlags()
	for _, s := range file.Install {
		errs = append(errs, setDefault(file, known, s))
	}
	errs = append(errs, survey.Check(file), choice.Check(file), inspect.CheckImportsOff(file))
	for _, fact := range file.Facts {
		switch _, err := adapter.Find(fact.Agent); {
		case err != nil:
			errs = append(errs, file.Mistake(fact.Line, fact.Col, "facts: "+err.Error()+
				suggest.Question(fact.Agent, adapter.Names())))
		case fact.Name != inspect.ImportFact:
			errs = append(errs, file.Mistake(fact.Line, fact.Col, "facts: unknown fact "+strconv.Quote(fact.Name)+
				suggest.Question(fact.Name, []string{inspect.ImportFact})))
		}
	}
	for _, d := range adapter.Dialects() {
		_, err := inspect.StatedImports(file, d)
		errs = append(errs, err)
	}
	for _, a := range file.Accept {
		if _, ok := parseAccepted(a.Finding, ""); !ok {
			errs = append(errs, file.Mistake(a.Line, a.Col, acceptedForm))
		}
	}
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

// entryFlags returns the flags of run that install writes into its entries.
func entryFlags() *cli.Flags {
	known := cli.NewFlags("install")
	known.EntryRows(new(cmdline.Call))
	return known
}

// setDefault copies one setting of hookbridge.yaml into the flags of a command, which may lack some flags of install.
func setDefault(file *projectfile.File, set *cli.Flags, s projectfile.Setting) error {
	switch row := cmdline.Row(s.Flag); {
	case row != nil && row.Settable && row.Strictest != "" && s.Value != row.Strictest:
		return file.Mistake(s.Line, s.Col, "install: a project can only choose --"+s.Flag+" "+row.Strictest)
	case row != nil && row.Settable:
	case row != nil || newInstallFlags().Set.Lookup(s.Flag) != nil:
		return file.Mistake(s.Line, s.Col, "install: a project can't choose --"+s.Flag+"; pass it on the command line")
	default:
		names := lists.Map(entryFlags().List, func(d cli.FlagDoc) string { return d.Name })
		return file.Mistake(s.Line, s.Col, "install: there is no flag --"+s.Flag+suggest.Question(s.Flag, names))
	}
	if set.Given(s.Flag) || set.Set.Lookup(s.Flag) == nil {
		return nil
	}
	if alone := cmdline.Row(s.Flag).Alone; alone != "" && s.Value == "true" {
		s.Value = alone
	}
	err := set.CheckWord(s.Flag, s.Value)
	if err == nil && set.Set.Set(s.Flag, s.Value) != nil {
		err = errors.New(strconv.Quote(s.Value) + " is not a value for it")
	}
	if err != nil {
		return file.Mistake(s.Line, s.Col, "install: "+s.Flag+": "+err.Error())
	}
	return nil
}

func newInstallFlags() *cli.Flags {
	known := cli.NewFlags("install")
	new(InstallFlags).Define(known)
	return known
}

// tooOld returns a mistake if this hookbridge is older than hookbridge.yaml requires, else nil.
func tooOld(file *projectfile.File) error {
	if why := cmdline.TooOld(file.Requires.Version, cli.VersionText()); why != "" {
		return file.Mistake(file.Requires.Line, file.Requires.Col, why)
	}
	return nil
}
