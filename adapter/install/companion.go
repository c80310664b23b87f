package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
)

// A companion is a file that a host needs next to entries of hookbridge.
type companion struct {
	host   adapter.Dialect
	main   string // the hook file
	file   string
	text   []byte
	needed bool // a hook file of the folder calls hookbridge after the job's changes
}

// companionsOf lists the companions of a host in the job's scope.
func (x *Job) companionsOf(host adapter.Dialect) (list []companion) {
	if host.Abilities().Companion == nil {
		return nil
	}
	name, text := host.Abilities().Companion.Companion()
	sources := host.Locate(x.Places)
	for _, s := range sources {
		if s.Scope != x.Scope {
			continue
		}
		dir := filepath.Dir(s.File)
		c := companion{host: host, main: s.File, file: filepath.Join(dir, filepath.FromSlash(name)), text: text}
		for _, other := range sources {
			c.needed = c.needed || filepath.Dir(other.File) == dir && x.calls(host, other.File)
		}
		list = append(list, c)
	}
	return list
}

// calls reports whether a hook file will have entries of hookbridge after the job's changes.
func (x *Job) calls(host adapter.Dialect, file string) bool {
	all, _ := entries(host, x.pending.text(file))
	return len(all) > 0
}

// companions is the step that writes companions and removes those that no entry needs any more. It removes them before
// the hook file, so that no folder is left for them, and writes them after it.
func (x *Job) companions() (removed, written []Result, err error) {
	for _, host := range adapter.Dialects() {
		for _, c := range x.companionsOf(host) {
			before, err := discover.Read(c.file)
			switch {
			case err != nil && !errors.Is(err, fs.ErrNotExist):
				return nil, nil, err
			case c.needed && before != nil && !c.wrote(before):
				return nil, nil, fmt.Errorf("%s is not hookbridge's: move it away and install again; nothing was "+
					"written", c.file)
			case c.needed && !bytes.Equal(before, c.text):
				written = append(written, x.changed(&c, before, c.text, "written"))
			case !c.needed && c.wrote(before):
				removed = append(removed, x.changed(&c, before, nil, "removed"))
			}
		}
	}
	return removed, written, nil
}

// changed returns the result of changing a companion's text; after nil removes the file.
func (x *Job) changed(c *companion, before, after []byte, state string) Result {
	change := removal(c.file, filepath.Dir(c.main), before)
	if after != nil {
		change = &rewrite{before: before, after: after, write: func() error {
			return errors.Join(jsonedit.MakeParent(c.file), jsonedit.WriteFile(c.file, before, after))
		}}
	}
	return Result{Host: c.host.Profile().Name, Scope: x.Scope.String(), File: c.file, State: state, change: change}
}

// wrote reports whether some version of hookbridge wrote a text.
func (c *companion) wrote(text []byte) bool {
	line, _, _ := bytes.Cut(c.text, []byte("\n"))
	first, _, ended := bytes.Cut(text, []byte("\n"))
	return ended && bytes.Equal(bytes.TrimSuffix(first, []byte("\r")), line)
}

// companionStatus compares the companions with those that install writes.
func (x *Job) companionStatus(targets []*Target) (results []Result) {
	for _, host := range adapter.Where(func(d adapter.Dialect) bool {
		return slices.ContainsFunc(targets, func(t *Target) bool { return adapter.SameAgent(t.Host, d) })
	}) {
		for _, c := range x.companionsOf(host) {
			if !c.needed {
				continue
			}
			r := Result{Host: host.Profile().Name, Scope: x.Scope.String(), File: c.file, State: "current"}
			switch before, err := discover.Read(c.file); {
			case err != nil:
				r.State = "absent"
			case !bytes.Equal(before, c.text):
				r.State = "edited"
			}
			r.Fails = r.State != "current"
			results = append(results, r)
		}
	}
	return results
}
