// Package hookfile reads hook files of either kind: an agent's own, and Markdown files
// with hooks in their front matter.
package hookfile

import (
	"bytes"
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// IsMarkdown reports whether a file may have hooks in its front matter.
func IsMarkdown(file string) bool {
	ext := strings.ToLower(filepath.Ext(file))
	return ext == ".md" || ext == ".mdc"
}

// ParseFile reads a hook file, or a Markdown file with hooks in its front matter: a skill, or a sub-agent, whose hooks
// get the meaning that they have in its client.
func ParseFile(d dialect.Dialect, text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	if !IsMarkdown(at.File) {
		return d.ParseConfig(text, at)
	}
	cfg := &schema.Config{Source: at}
	json, ds := HooksOf(d, at.File, text)
	if json == nil {
		return cfg, ds
	}
	cfg, more := d.ParseConfig(json, at)
	OfAgent(d, cfg, at.File, text)
	return cfg, append(ds, more...)
}

// OfAgent gives hooks from the front matter of text their meaning in their client if the file is a sub-agent's.
func OfAgent(d dialect.Dialect, cfg *schema.Config, file string, text []byte) {
	if cfg != nil && IsMarkdown(file) && isAgentFile(d, file) {
		raw, _, _ := d.Profile().FrontMatter.JSON(text, "name")
		name, _ := ordjson.String(bytes.TrimSpace(raw))
		ofAgent(d, cmp.Or(name, strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))), cfg)
	}
}

// HooksOf returns the JSON that contains a file's hooks, with their places in the file: the text itself, or the front
// matter of a Markdown file as the agent reads it.
func HooksOf(d dialect.Dialect, file string, text []byte) (json []byte, ds schema.Diagnostics) {
	fail := func(code schema.Code, line, col int, msg string) ([]byte, schema.Diagnostics) {
		d := ds.Add(code, "", msg)
		d.File, d.Line, d.Col = file, line, col
		return nil, ds
	}
	if !IsMarkdown(file) {
		return text, nil
	}
	hooks, found, err := d.Profile().FrontMatter.JSON(text, "hooks")
	var fe *frontmatter.Error
	switch {
	case errors.As(err, &fe):
		return fail(schema.CodeSyntax, fe.Line, fe.Col, fe.Msg)
	case err != nil:
		return fail(schema.CodeSyntax, 1, 1, err.Error())
	case !found:
		return fail(schema.CodeShape, 1, 1, "the file has no hooks in its front matter")
	}

	if idle := d.Profile().FrontMatter.Idle; idle.Name != "" {
		raw, _, _ := d.Profile().FrontMatter.JSON(text, idle.Name)
		if value, _ := ordjson.String(bytes.TrimSpace(raw)); value == idle.Value {
			x := ds.Add(schema.CodeVoidHook, "/hooks", d.Profile().Title+" runs no hooks of a file with "+
				idle.Name+": "+idle.Value+" in its front matter")
			x.File, x.Line, x.Col, x.Fix = file, 1, 1, "put the hooks into a settings file, or remove the field"
		}
	}
	return slices.Concat([]byte(`{"hooks":`), hooks, []byte{'}'}), ds
}

// A Reader is a dialect that also reads Markdown files.
type Reader struct{ dialect.Dialect }

// ParseConfig reads a hook file of either kind.
func (r Reader) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	return ParseFile(r.Dialect, text, at)
}

// A Terse reader leaves out advice for authors of the files; see schema.Source.Terse.
type Terse struct{ discover.Reader }

// ParseConfig reads a hook file.
func (r Terse) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	at.Terse = true
	return r.Reader.ParseConfig(text, at)
}

func isAgentFile(d dialect.Dialect, file string) bool {
	folder := d.Profile().AgentFolder
	parts := strings.Split(filepath.ToSlash(filepath.Dir(file)), "/")
	return folder != "" && slices.Contains(parts, folder)
}

// ofAgent gives the hooks in a sub-agent's file their meaning in its client: they live while that agent runs, and the
// end of the turn is the end of the agent (observed Claude Code 2.1.328; package of Qoder CLI 1.1.52).
func ofAgent(d dialect.Dialect, name string, cfg *schema.Config) {
	rows := d.Profile().Events
	stop := schema.RowFor(rows, schema.SubagentStop)
	for i := range cfg.Hooks {
		h := &cfg.Hooks[i]
		if stop == nil || h.Event != schema.Stop && (h.Event != schema.SubagentStop || h.Matcher != "") {
			continue
		}
		h.Event, h.Native = stop.Event, stop.Native
		h.Matcher, h.HasMatcher = name, true
	}
}
