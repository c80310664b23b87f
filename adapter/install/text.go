package install

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// entries lists the calls to hookbridge in the text of a host's file, in its order.
func entries(host adapter.Dialect, text []byte) ([]convert.OwnEntry, error) {
	text, err := document(host, text)
	if err != nil {
		return nil, err
	}
	if w := host.Abilities().EntryText; w != nil && !convert.Blank(text) && !looksLikeJSON(text) {
		list, ok := w.ReadEntryText(text)
		if !ok {
			return nil, errUnreadEntries
		}
		return ownEntries(host, list), nil
	}
	return convert.OwnEntries(host, text)
}

// wholeFile returns the writer of a host's file as a whole, nil if entries are added to an existing text.
func wholeFile(host dialect.Dialect) dialect.EntryFile {
	if host.Abilities().EntryText != nil {
		return nil
	}
	return host.Abilities().EntryFile
}

func looksLikeJSON(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(ordjson.BlankComments(ordjson.TrimBOM(text))), []byte("{"))
}

// inText returns the writer of a host's file that isn't JSON, nil for a JSON file.
func inText(host adapter.Dialect, file string) dialect.EntryText {
	if w := host.Abilities().EntryText; w != nil && w.EntryTextName() == filepath.Base(file) {
		return w
	}
	return nil
}

func ownEntries(host adapter.Dialect, list []dialect.EventEntry) []convert.OwnEntry {
	own := []convert.OwnEntry{}
	for _, e := range list {
		own = append(own, convert.NewOwnEntry(host, e.Native, e.Value))
	}
	return own
}

var errUnreadEntries = errors.New("the entries in it can't be read; correct that first (nothing was written)")

var errNotOurs = errors.New("there is a file that hookbridge didn't write; move it away first (nothing was written)")

// document returns the text of a host's file, or the document in a file that hookbridge writes as a whole.
func document(host adapter.Dialect, text []byte) ([]byte, error) {
	w := wholeFile(host)
	if w == nil || convert.Blank(text) {
		return text, nil
	}
	if inner, ok := w.ReadEntries(text); ok {
		return inner, nil
	}
	return nil, errNotOurs
}

// added returns the text with the wanted entries in place of hookbridge's own. Unchanged entries keep their place, and
// a changed entry takes the place of the old one: agents with reviewed hooks identify them by place.
func (f hostFile) added(text []byte, own []convert.OwnEntry, want []convert.Placed) (_ []byte, err error) {
	if text, err = document(f.host, text); err != nil {
		return nil, err
	}
	if w := inText(f.host, f.path); w != nil {
		return w.WriteEntryText(text, f.remaining(text, own, want)), nil
	}

	text, own = OrEmpty(f.host, text), slices.Clone(own)
	var missing []convert.Placed
	for _, w := range want {
		same := func(e convert.OwnEntry) bool {
			return e.Array == w.Pointer && e.Alone && ordjson.Equal(e.Value, w.Value)
		}
		i := slices.IndexFunc(own, same)
		if i < 0 {
			i = slices.IndexFunc(own, func(e convert.OwnEntry) bool { return e.Array == w.Pointer && e.Alone })
		}
		if i < 0 {
			missing = append(missing, w)
			continue
		}
		if !ordjson.Equal(own[i].Value, w.Value) {
			if text, err = jsonedit.Replace(text, own[i].Element(), w.Value); err != nil {
				return nil, InFile(f.path, err)
			}
		}
		own = slices.Delete(own, i, i+1)
	}

	backup, _ := f.backup()
	needed := func(pointer string) bool {
		return isThere(backup, pointer) || slices.ContainsFunc(want, func(p convert.Placed) bool {
			return p.Pointer == pointer || strings.HasPrefix(p.Pointer, pointer+"/")
		})
	}
	if text, err = removed(text, own, needed); err != nil {
		return nil, InFile(f.path, err)
	}

	text, err = f.inserted(text, missing)
	return convert.File(f.host, text), err
}

// isThere reports whether a text has a value at a pointer. A nil text is a missing file.
func isThere(text []byte, pointer string) bool {
	gone, err := jsonedit.Absent(text, pointer)
	return text != nil && err == nil && gone == ""
}

func (f hostFile) inserted(text []byte, want []convert.Placed) (_ []byte, err error) {
	for _, w := range want {
		if text, err = jsonedit.Insert(text, w.Pointer, w.Value); err != nil {
			return nil, InFile(f.path, err)
		}
	}
	return text, nil
}

// remaining returns the wanted entries, and the entries of the text that aren't in own.
func (f hostFile) remaining(text []byte, own []convert.OwnEntry, want []convert.Placed) (list []dialect.EventEntry) {
	have, _ := entries(f.host, text)
	add := func(pointer string, value []byte) {
		list = append(list, dialect.EventEntry{Native: pointer[strings.LastIndexByte(pointer, '/')+1:], Value: value})
	}
	for _, e := range have {
		if !slices.ContainsFunc(own, func(o convert.OwnEntry) bool {
			return o.Pointer == e.Pointer && ordjson.Equal(o.Value, e.Value)
		}) {
			add(e.Array, e.Value)
		}
	}
	for _, p := range want {
		add(p.Pointer, p.Value)
	}
	return list
}

// Unheeded reports why an agent doesn't run the hooks of its file: it rejects the whole file, which is an error, or a
// field switches the hooks off.
func Unheeded(d adapter.Dialect, text []byte, at schema.Source) (out schema.Diagnostics) {
	cfg, ds := hookfile.Accepted(d.ParseConfig(text, at))
	cfg = cfg.AsKnown()
	if cfg != nil {
		_, off := d.Resolve([]*schema.Config{cfg})
		ds = append(ds, off...)
	}
	for _, x := range ds {
		switch x.Code {
		case schema.CodeVoidFile, schema.CodeNewerWord, schema.CodeSyntax, schema.CodeShape:
			if x.Code == schema.CodeNewerWord {
				x.Severity = schema.Error
			}
			x.Fix = "correct that first; nothing was written"
			out = append(out, x)
		case schema.CodeDisabled:
			x.Severity = schema.Weaker
			out = append(out, x)
		}
	}
	return out
}

// unheededChange reports the same for a changed text. A mistake that the old file already has keeps its place there.
func unheededChange(d adapter.Dialect, before, after []byte, at schema.Source) schema.Diagnostics {
	out := Unheeded(d, after, at)
	if out.Max() == schema.Error {
		if was := Unheeded(d, before, at); was.Max() == schema.Error && !convert.Blank(before) {
			return was
		}
	}
	return out
}
