package main

import (
	"errors"
	"path/filepath"

	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// hookText is the JSON in which the hooks stand, at the places that they have in
// the file; a plugin's manifest may name other files instead.
func hookText(name string, text []byte) (json []byte, ds schema.Diagnostics, others []string) {
	fail := func(code schema.Code, line, col int, msg string) ([]byte, schema.Diagnostics, []string) {
		d := ds.Add(code, "", msg)
		d.File, d.Line, d.Col = name, line, col
		return nil, ds, nil
	}
	switch {
	case isMarkdown(name):
		hooks, found, err := frontmatter.JSON(text, "hooks")
		var fe *frontmatter.Error
		switch {
		case errors.As(err, &fe):
			return fail(schema.CodeSyntax, fe.Line, fe.Col, fe.Msg)
		case err != nil:
			return fail(schema.CodeSyntax, 1, 1, err.Error())
		case !found:
			return fail(schema.CodeShape, 1, 1, "the file has no hooks in its front matter")
		}
		return append(append([]byte(`{"hooks":`), hooks...), '}'), nil, nil
	case filepath.Base(name) == "plugin.json":
		return manifestText(name, text)
	}
	return text, nil, nil
}

// manifestText takes the hooks out of a plugin's manifest: the rest is blanked,
// so that places stay.
func manifestText(name string, text []byte) (json []byte, ds schema.Diagnostics, others []string) {
	o, err := ordjson.Parse(text)
	if err != nil {
		return text, nil, nil // its dialect says what is wrong with it
	}
	for _, m := range o {
		if m.Name != "hooks" {
			continue
		}
		root := filepath.Dir(filepath.Dir(name))
		switch ordjson.KindOf(m.Value) {
		case ordjson.StringKind:
			s, _ := ordjson.String(m.Value)
			return nil, nil, []string{filepath.Join(root, filepath.FromSlash(s))}
		case ordjson.Array:
			list, _ := ordjson.Elements(m.Value, m.Off)
			for _, e := range list {
				s, _ := ordjson.String(e.Value)
				others = append(others, filepath.Join(root, filepath.FromSlash(s)))
			}
			return nil, nil, others
		}
		inner, err := ordjson.Members(m.Value, m.Off)
		if _, nested := inner.Get("hooks"); err == nil && nested {
			return blanked(text, m.Off, m.Off+len(m.Value)), nil, nil
		}
		const head = `{"hooks":` // as long as what stands before the value at least
		json = blanked(text, m.Off, m.Off+len(m.Value))
		copy(json[m.Off-len(head):], head)
		return append(json, '}'), nil, nil
	}
	return nil, nil, []string{filepath.Join(filepath.Dir(filepath.Dir(name)), "hooks", "hooks.json")}
}

// blanked is the text up to to, with blanks for what stands before from.
func blanked(text []byte, from, to int) []byte {
	out := append(make([]byte, 0, to+1), text[:to]...)
	for i := range out[:from] {
		if out[i] != '\n' {
			out[i] = ' '
		}
	}
	return out
}
