package convert

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"runtime"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// source returns the agent that the hooks are written for: the named one, or else the one detected from the input. It
// returns the rest of stdin.
func (f *flags) source(std cli.IO) (adapter.Dialect, io.Reader, error) {
	d, unknown := cli.FindDialect("--from", f.from)
	if f.from != "" {
		return d, std.In, unknown
	}

	name, in, text := f.input, std.In, []byte(nil)
	switch {
	case name == "-":
		var err error
		if text, err = common.ReadAll(in); err != nil {
			return nil, nil, err
		}
		name, in = "stdin", bytes.NewReader(text)
	case discover.IsFolder(name):
		owner, err := f.ownerIn(name, unknown)
		if err == nil {
			fmt.Fprintln(std.Err, schema.Printable("hookbridge convert: note: only "+owner.Profile().Title+
				" has hooks here: --from "+owner.Profile().Name))
		}
		return owner, in, err
	default:
		if owner := adapter.OwnerByName(filepath.ToSlash(cli.Absolute(name))); owner != nil {
			return nil, nil, cli.Usage("hookbridge can't convert " + name + ", a file of " + owner.Title +
				": it knows " + owner.Title + " by name only")
		}
		var err error
		if text, err = discover.Read(name); err != nil && name != "" {
			return nil, nil, err
		}
	}

	owner, _ := common.OwnerOf(name, text)
	if owner == nil {
		return nil, nil, cli.Usage("found no hooks of an agent in " + name + "; " + unknown.Error())
	}

	fmt.Fprintln(std.Err, schema.Printable("hookbridge convert: note: "+name+" is a file of "+owner.Profile().Title+
		": --from "+owner.Profile().Name))
	return owner, in, nil
}

// ownerIn returns the only agent with hooks in a folder, apart from the target, or else the error unknown.
func (f *flags) ownerIn(dir string, unknown error) (adapter.Dialect, error) {
	found, _ := survey.Owners(schema.Places{OS: runtime.GOOS, Project: cli.Absolute(dir)}, schema.ScopeProject)
	if to, err := adapter.Find(f.to); err == nil {
		found = adapter.Without(found, to)
	}
	switch len(found) {
	case 0:
		return nil, unknown
	case 1:
		return found[0], nil
	}
	return nil, cli.Usage("--from is needed, one of the agents that have hooks here: " +
		cli.Either(adapter.NamesOf(found)))
}
