package install

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Mergeable reports whether entries can be added to this file of an agent.
func Mergeable(file string, to adapter.Dialect) bool {
	return to.Abilities().EntryFile == nil || inText(to, file) != nil
}

// Merged returns the text of a file, nil if there is no file, and that text with the entries of a conversion.
func Merged(file string, c *convert.Conversion, to adapter.Dialect) (before, after []byte, err error) {
	if before, err = discover.Read(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}

	if w := inText(to, file); w != nil && !looksLikeJSON(before) {
		list, ok := w.ReadEntryText(before)
		if !ok {
			return nil, nil, InFile(file, errUnreadEntries)
		}
		for _, e := range c.Entries {
			native := path.Base(e.Pointer)
			if !slices.ContainsFunc(list, func(x dialect.EventEntry) bool {
				return x.Native == native && ordjson.Equal(x.Value, e.Value)
			}) {
				list = append(list, dialect.EventEntry{Native: native, Value: e.Value})
			}
		}
		return before, w.WriteEntryText(before, list), nil
	}

	after = OrEmpty(to, before)
	within := convert.Within(to, after)
	for _, e := range c.Entries {
		e.Pointer = within + e.Pointer
		have, err := jsonedit.Elements(after, e.Pointer)
		if err != nil {
			return nil, nil, InFile(file, err)
		}
		if slices.ContainsFunc(have, func(v []byte) bool { return ordjson.Equal(v, e.Value) }) {
			continue
		}
		if after, err = jsonedit.Insert(after, e.Pointer, e.Value); err != nil {
			return nil, nil, InFile(file, err)
		}
	}

	return before, after, nil
}

// Unread reports why the agent wouldn't run a conversion's entries from the file with the text after, or would stop
// running hooks of its other files because of them. If there is an error, nothing may be written.
func Unread(to adapter.Dialect, c *convert.Conversion, p schema.Places, at schema.Source, before,
	after []byte) schema.Diagnostics {
	out := unheededChange(to, before, after, at)
	if out.Max() == schema.Error && !convert.Blank(before) {
		return out
	}
	read := readFrom(to, after, at)
	file, _ := filepath.Abs(at.File)

	for _, e := range c.Entries {
		native := path.Base(e.Pointer)
		if !slices.ContainsFunc(read, func(h schema.Hook) bool { return h.Native == native }) {
			var ds schema.Diagnostics
			d := ds.Add(schema.CodeShape, "", to.Profile().Title+" doesn't read hooks in this form from this file")
			d.Fix = "nothing was written; without -o and --merge the result goes to stdout"
			for _, s := range to.Locate(p) {
				if !s.Folder && filepath.Dir(s.File) == filepath.Dir(file) && s.File != file {
					d.Fix = "nothing was written; name a file that it reads them from: " + s.File
					break
				}
			}
			return ds
		}
	}

	if h := silenced(to, p, file, before, after); h != nil {
		d := out.Add(schema.CodeDisabled, "", silence(to, h, file))
		d.Severity, d.Fix = schema.Error, "nothing was written; move its hooks into the file that has the entries"
	}
	return out
}

// readFrom returns the hooks that a host reads from a text in a file, and from the further files that need the text.
func readFrom(host adapter.Dialect, text []byte, at schema.Source) (hooks []schema.Hook) {
	for _, name := range append(copyNames(host, at.File, text), filepath.Base(at.File)) {
		at.File = filepath.Join(filepath.Dir(at.File), name)
		if cfg, _ := hookfile.Accepted(host.ParseConfig(text, at)); cfg != nil {
			hooks = append(hooks, cfg.Hooks...)
		}
	}
	return hooks
}

// silenced returns a hook in another file that the host runs with the text before but not with the text after.
func silenced(host adapter.Dialect, p schema.Places, file string, before, after []byte) *schema.Hook {
	runs := func(text []byte) []schema.Hook {
		var cfgs []*schema.Config
		for _, s := range host.Locate(p) {
			own := text
			if s.File != file {
				own, _ = discover.Read(s.File)
			}
			if cfg, _ := hookfile.Accepted(host.ParseConfig(own, s)); own != nil && cfg != nil {
				cfgs = append(cfgs, cfg)
			}
		}
		hooks, _ := host.Resolve(cfgs)
		return hooks
	}
	left := runs(after)
	for _, h := range runs(before) {
		kept := func(x schema.Hook) bool { return x.Source.File == h.Source.File && x.Path == h.Path }
		if h.Source.File != file && !slices.ContainsFunc(left, kept) {
			return &h
		}
	}
	return nil
}

// silence returns the message that a file with entries silences a hook.
func silence(host adapter.Dialect, h *schema.Hook, file string) string {
	return host.Profile().Title + " doesn't run " + h.Native + " of " + h.Source.File + " where " + file +
		" has entries"
}
