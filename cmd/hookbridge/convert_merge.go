package main

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// earlier is the module that an earlier call has written to the same file and this
// one may replace; nil: nothing may be replaced.
func (f *convertFlags) earlier(to adapter.Dialect) []byte {
	text, err := discover.Read(f.out)
	if !f.module() || err != nil || !convert.WroteModule(to, text) {
		return nil
	}
	return text
}

func mergeInto(file string, c *convert.Conversion, to adapter.Dialect) error {
	before, text, err := merged(file, c, to)
	if err != nil || bytes.Equal(before, text) {
		return err
	}
	if before == nil {
		if err := jsonedit.MakeParent(file); err != nil {
			return err
		}
		return jsonedit.WriteFile(file, nil, text)
	}
	return jsonedit.WriteBackedUp(file, before, text)
}

// switchedOff reports what in the file keeps the entries from running.
func switchedOff(file string, c *convert.Conversion, to adapter.Dialect) schema.Diagnostics {
	_, text, err := merged(file, c, to)
	if err != nil || len(c.Entries) == 0 {
		return nil // writing it says so
	}
	return install.Unheeded(to, text, to.Given(file))
}

// merged is the text of a file, nil if there is none, and the text with the
// entries.
func merged(file string, c *convert.Conversion, to adapter.Dialect) (before, text []byte, err error) {
	if before, err = discover.Read(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	text = install.OrEmpty(to, before)
	within := convert.Within(to, text)
	for _, e := range c.Entries {
		e.Pointer = within + e.Pointer
		have, err := jsonedit.Elements(text, e.Pointer)
		if err != nil {
			return nil, nil, install.InFile(file, err)
		}
		if slices.ContainsFunc(have, func(v []byte) bool { return ordjson.Equal(v, e.Value) }) {
			continue
		}
		if text, err = jsonedit.Insert(text, e.Pointer, e.Value); err != nil {
			return nil, nil, install.InFile(file, err)
		}
	}
	return before, text, nil
}
