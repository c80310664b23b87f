package qoder

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Fields of the Agent SDK's options about hooks in files (types 1.0.39). JSON can't contain callbacks.
const (
	optionsMember  = "options"
	settingsMember = "settings"
	sourcesMember  = "settingSources"
)

// isOptions reports whether an object is the SDK's options, or query's argument, and not a settings file.
func isOptions(o ordjson.Object) bool {
	return o.Has(optionsMember) || o.Has(settingsMember) || o.Has(sourcesMember)
}

// options reads the SDK's options, alone or as a field of query's argument. Their settings are passed to the CLI with a
// flag, which it honors only if no settingSources are named (observed 1.1.52).
func options(p *family.Parser, o ordjson.Object) {
	cfg, at := p.Config(), ""
	if m := member(o, optionsMember); m != nil {
		if inner, err := ordjson.Members(m.Value, m.Off); err == nil {
			at, o = "/"+optionsMember, inner
		}
	}
	cfg.Outer = at
	for _, m := range o {
		switch m.Name {
		case settingsMember:
			settingsIn(p, m, at+"/"+settingsMember)
		case "hooks":
			p.Report(schema.CodeVoidHook, m, at+"/hooks",
				"JSON can't contain callbacks, so the hooks here never run; hooks of a settings file go into settings")
		default:
			cfg.Around = append(cfg.Around, m)
		}
	}
	if m := member(o, sourcesMember); m != nil && ordjson.Strings(m.Value) != nil && len(cfg.Hooks) > 0 {
		d := p.Report(schema.CodeDisabled, *m, at+"/"+sourcesMember, sourcesMember+" makes the CLI drop the hooks of "+
			settingsMember)
		d.Severity = schema.Weaker
		d.Fix = "leave " + sourcesMember + " out, or put the hooks into a settings file of one of the sources"
	}
}

func member(o ordjson.Object, name string) *ordjson.Member {
	return lists.Find(o, func(m *ordjson.Member) bool { return m.Name == name })
}

// Recognizes reports whether a text can only be options of the SDK: they contain sources, or settings with hooks.
func (d Dialect) Recognizes(text []byte) bool {
	o, err := ordjson.Parse(ordjson.BlankComments(text))
	if err != nil || d.on != sdk {
		return false
	}
	if o.Has(optionsMember) {
		o, _ = o.Members(optionsMember)
	}
	settings, _ := o.Members(settingsMember)
	return settings.Has("hooks") || o.Strings(sourcesMember) != nil
}

// Within returns the place of the options in query's argument.
func (d Dialect) Within(text []byte) string {
	o, err := ordjson.Parse(ordjson.BlankComments(text))
	if _, bad := o.Members(optionsMember); err == nil && bad == nil && d.on == sdk {
		return "/" + optionsMember
	}
	return ""
}

// sourceWords are the names of the levels in settingSources.
var sourceWords = []struct {
	Word  string
	Scope schema.Scope
}{{"user", schema.ScopeUser}, {"project", schema.ScopeProject}, {"local", schema.ScopeLocal}}

// selected keeps the sources that settingSources of the SDK's options names, which never include the options' own
// settings (observed 1.1.52). It doesn't report them again: reading them already did.
func selected(cfgs []*schema.Config) (kept []*schema.Config, ds schema.Diagnostics) {
	for _, by := range cfgs {
		raw, ok := by.Around.Get(sourcesMember)
		words := ordjson.Strings(raw)
		if !ok || words == nil {
			continue
		}
		for _, c := range cfgs {
			listed := c.Source.Scope == schema.ScopeManaged
			for _, w := range sourceWords {
				listed = listed || w.Scope == c.Source.Scope && slices.Contains(words, w.Word)
			}
			if listed {
				kept = append(kept, c)
			} else if c != by && len(c.Hooks) > 0 {
				ds.AddSeverity(schema.CodeDisabled, schema.Weaker, "/hooks", sourcesMember+" in "+by.Source.File+
					" leaves this file out").File = c.Source.File
			}
		}
		return kept, ds
	}
	return cfgs, nil
}

// settingsIn reads settings: an object, JSON in a string, or a path, which isn't followed.
func settingsIn(p *family.Parser, m ordjson.Member, at string) {
	if o, err := ordjson.Members(m.Value, m.Off); err == nil {
		p.Settings(o, at)
		return
	}
	text, ok := ordjson.String(m.Value)
	if !ok {
		p.Report(schema.CodeUnknownMember, m, at, settingsMember+" is neither an object nor a string; Qoder ignores it")
		return
	}
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		p.Report(schema.CodeUnreadable, m, at, "the settings are in the file "+text).Fix =
			"read that file as one of Qoder's"
		return
	}
	o, err := ordjson.Parse([]byte(text))
	if err != nil {
		p.Report(schema.CodeSyntax, m, at, err.Error())
		return
	}
	for i := range o { // places in the string are the place of the string
		o[i].Off = m.Off
	}
	p.Settings(o, at)
}
