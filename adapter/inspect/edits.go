package inspect

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// maxTried and maxTriedText limit the cost of trying edits: a file is read again for each edit.
const (
	maxTried     = 20
	maxTriedText = 256 << 10
)

// Fixed applies the edits of findings one by one, and checks each new text, until no finding has an edit. It returns
// the findings that are gone in the order of their edits, at their places in the original text.
func Fixed(d dialect.Dialect, at schema.Source, text []byte, p schema.Places) (out []byte, gone schema.Diagnostics) {
	var first schema.Diagnostics
	for {
		cfg, ds := d.ParseConfig(text, at)
		if cfg == nil {
			cfg = &schema.Config{}
		}
		found := Check(d, cfg, text, ds, p)
		i := slices.IndexFunc(found, func(x schema.Diagnostic) bool { return x.Edit != schema.Change{} })
		if i < 0 {
			return text, gone
		}
		changed, err := edited(text, found[i].Edit)
		if err != nil { // the edit was tried before
			return text, gone
		}
		if first == nil {
			first = found
		}
		text, gone = changed, append(gone, placedIn(first, found[i]))
	}
}

// placedIn returns a finding with its place in a list, if the list contains it.
func placedIn(list schema.Diagnostics, x schema.Diagnostic) schema.Diagnostic {
	for _, d := range list {
		if d.Code == x.Code && d.Path == x.Path && d.Message == x.Message {
			x.Line, x.Col = d.Line, d.Col
		}
	}
	return x
}

// try removes edits that don't resolve their finding or that cause others. A fix that only describes such an edit is
// removed too.
func (c *checker) try(at schema.Source) {
	tried := 0
	for i := range c.ds {
		x := &c.ds[i]
		if x.Edit == (schema.Change{}) {
			continue
		}
		tried++
		text, err := edited(c.text, x.Edit)
		switch {
		case err != nil || tried > maxTried || len(c.text) > maxTriedText:
			x.Edit = schema.Change{}
		case !c.helps(x, text, at):
			if x.Edit.Name == "" { // the meaning of the name stays true
				x.Fix = ""
			}
			x.Edit = schema.Change{}
		}
	}
}

// helps reports whether an edit resolves its finding without causing others. Findings in hooks that their agent skipped
// before, and less severe ones about the same value, don't count.
func (c *checker) helps(x *schema.Diagnostic, text []byte, at schema.Source) bool {
	cfg, ds := c.own.d.ParseConfig(text, at)
	if cfg == nil {
		return false
	}
	after := &checker{own: c.own, text: text, ds: ds, places: c.places}
	after.judge(cfg)

	count := func(ds schema.Diagnostics, like *schema.Diagnostic) (n int) {
		for i := range ds {
			if ds[i].Code == like.Code && ds[i].Message == like.Message {
				n++
			}
		}
		return n
	}
	if count(after.ds, x) >= count(c.ds, x) {
		return false
	}
	now := x.Path
	if slash := strings.LastIndexByte(now, '/'); x.Edit.Name != "" {
		now = ordjson.Pointer(now[:slash], x.Edit.Name)
	}
	return !slices.ContainsFunc(after.ds, func(y schema.Diagnostic) bool {
		whole := x.Edit.Name != "" || x.Edit.Path == x.Path
		within := whole && strings.HasPrefix(y.Path, now+"/")
		lesser := y.Path == x.Path && y.Severity < x.Severity
		return count(c.ds, &y) == 0 && !within && !lesser
	})
}

// edited returns a JSON text with an edit applied. Comments and layout are kept.
func edited(text []byte, e schema.Change) ([]byte, error) {
	switch m := pointed(text, e.Path); {
	case e.Name != "":
		return renamedMember(text, e.Path, e.Name)
	case m == nil:
		return jsonedit.Set(text, e.Path, []byte(e.Value))
	}
	return jsonedit.Replace(text, e.Path, []byte(e.Value))
}

// renamedMember renames a field, and keeps its position.
func renamedMember(text []byte, pointer, name string) ([]byte, error) {
	m, slash := pointed(text, pointer), strings.LastIndexByte(pointer, '/')
	if m == nil || m.Name == "" || pointed(text, ordjson.Pointer(pointer[:slash], name)) != nil {
		return nil, errors.New("there is no such field, or one of the new name")
	}
	end := bytes.LastIndexByte(text[:m.Off], ':')
	end = bytes.LastIndexByte(text[:max(end, 0)], '"')
	start := bytes.LastIndexByte(text[:max(end, 0)], '"')
	if start < 0 {
		return nil, errors.New("the field's name isn't where it should be")
	}
	out := ordjson.AppendString(slices.Clone(text[:start]), name)
	return append(out, text[end+1:]...), nil
}

// matcherEdit replaces a matcher.
func matcherEdit(text []byte, path, matcher string) schema.Change {
	if matcher == "" || pointed(text, path) == nil {
		return schema.Change{}
	}
	return schema.Change{Path: path, Value: string(ordjson.AppendString(nil, matcher))}
}

// swapped replaces one alternative of a matcher by another name, or removes it. It returns "" if the matcher has no
// such alternative, or no others.
func swapped(text, name, own string) string {
	var parts []string
	for _, part := range alternatives(text) {
		bare := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(part, "^"), "$"))
		if bare == name {
			part = own
			anchored := strings.HasPrefix(text, "^") && strings.HasSuffix(text, "$")
			if anchored && own != "" && !strings.Contains(own, "|") {
				part = "^" + own + "$"
			}
		}
		if part != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	if joined := strings.Join(parts, "|"); joined != text {
		return joined
	}
	return ""
}

// bindingEdit writes a tool as the matcher of a hook's group, and one handler for each condition.
func bindingEdit(text []byte, group, member, tool string, conditions []string) schema.Change {
	m := pointed(text, group)
	if m == nil || member == "" || len(conditions) == 0 {
		return schema.Change{}
	}
	o, err := ordjson.Parse(m.Value)
	list, none := ordjson.Elements(o.Value("hooks"), 0)
	if err != nil || none != nil {
		return schema.Change{}
	}

	var handlers [][]byte
	for _, handler := range list {
		h, err := ordjson.Parse(handler.Value)
		if err != nil || h.Has(member) {
			return schema.Change{}
		}
		for _, condition := range conditions {
			one := append(slices.Clone(h), ordjson.Member{Name: member, Value: ordjson.AppendString(nil, condition)})
			handlers = append(handlers, one.Append(nil))
		}
	}
	for i := range o {
		switch o[i].Name {
		case "matcher":
			o[i].Value = ordjson.AppendString(nil, tool)
		case "hooks":
			o[i].Value = ordjson.AppendArray(nil, handlers, func(dst, one []byte) []byte { return append(dst, one...) })
		}
	}
	return schema.Change{Path: group, Value: string(o.Append(nil))}
}

// variableEdit replaces a variable that the agent doesn't set by the variable in the fix, which it sets.
func variableEdit(text []byte, h *schema.Hook, path, fix string) schema.Change {
	_, own, named := strings.Cut(fix, "write $")
	own = shell.Name(own)
	_, unset, starts := strings.Cut(h.Command, "$")
	unset = shell.Name(strings.TrimPrefix(unset, "{"))
	if !named || !starts || own == "" || unset == "" || pointed(text, path) == nil {
		return schema.Change{}
	}
	command := strings.NewReplacer("${"+unset+"}", "${"+own+"}", "$"+unset, "$"+own).Replace(h.Command)
	return schema.Change{Path: path, Value: string(ordjson.AppendString(nil, command))}
}

// argumentsEdit moves a list of arguments into the command.
func argumentsEdit(text []byte, h *schema.Hook, field string, list []string) schema.Change {
	entry := pointed(text, h.Path)
	if entry == nil || pointed(text, h.MemberPath("command")) == nil {
		return schema.Change{}
	}
	o, err := ordjson.Parse(entry.Value)
	if err != nil {
		return schema.Change{}
	}

	words := []string{h.Command}
	for _, word := range list {
		if strings.Contains(word, "$") && !strings.ContainsAny(word, "\"`\\") { // expanded as by the list's agent
			words = append(words, `"`+word+`"`)
		} else {
			words = append(words, shell.Quote(word))
		}
	}
	o.Take(field)
	for i := range o {
		if o[i].Name == "command" {
			o[i].Value = ordjson.AppendString(nil, strings.Join(words, " "))
		}
	}
	return schema.Change{Path: h.Path, Value: string(o.Append(nil))}
}

// secondsEdit converts a number of seconds to milliseconds.
func secondsEdit(text []byte, path string) schema.Change {
	m := pointed(text, path)
	if m == nil || bytes.ContainsAny(m.Value, ".eE") {
		return schema.Change{}
	}
	return schema.Change{Path: path, Value: string(m.Value) + "000"}
}
