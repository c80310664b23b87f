package main

import (
	"errors"

	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/schema"
)

// hookText is the JSON in which the hooks stand, at the places that they have in
// the file.
func hookText(name string, text []byte) (json []byte, ds schema.Diagnostics) {
	fail := func(code schema.Code, line, col int, msg string) ([]byte, schema.Diagnostics) {
		d := ds.Add(code, "", msg)
		d.File, d.Line, d.Col = name, line, col
		return nil, ds
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
		return append(append([]byte(`{"hooks":`), hooks...), '}'), nil
	}
	return text, nil
}
