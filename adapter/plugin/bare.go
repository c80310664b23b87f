package plugin

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/launcher"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// bare returns a plugin without the changes of Plan: entries that start the launcher, and pointers to them.
func bare(t tree) tree {
	for _, d := range adapter.Dialects() {
		rules := rulesOf(d)
		if rules == nil {
			continue
		}
		for _, manifest := range rules.Manifests {
			t = unstated(t, d, manifest)
		}
		if file := fileOf(d); t.ours(d, file) {
			t = t.with(file, nil)
		}
	}
	t = unshared(t)
	for _, f := range launcher.PluginFiles() {
		if _, ours := f.Written(t.text(f.Path), written); ours {
			t = t.with(f.Path, nil).withAttributes()
		}
	}
	return t
}

// unstated removes the hooks from an agent's manifest if they are entries of ours, or the path of a file with such
// entries.
func unstated(t tree, d adapter.Dialect, manifest string) tree {
	text := t.text(manifest)
	o, _ := ordjson.Parse(text)
	value := o.Value("hooks")
	path, isPath := ordjson.String(value)
	file := fileOf(d)
	if rulesOf(d).Fixed() {
		file = usual
	}
	switch {
	case value == nil,
		isPath && (path != "./"+file || !t.ours(d, file)),
		!isPath && !t.ours(d, manifest):
		return t
	}
	return t.with(manifest, withoutHooks(text, o))
}

// withoutHooks returns a manifest without its hooks; nil if it was made for them.
func withoutHooks(text []byte, o ordjson.Object) []byte {
	made := o[0].Name == "hooks" && !slices.ContainsFunc(o, func(m ordjson.Member) bool {
		return !slices.Contains([]string{"hooks", "name", "version", "description"}, m.Name)
	})
	if made {
		return nil
	}
	without, err := jsonedit.Remove(text, "/hooks")
	if err != nil {
		return text
	}
	return without
}

// unshared moves the author's hooks back into the file that many agents read.
func unshared(t tree) tree {
	if !slices.ContainsFunc(adapter.Dialects(), func(d adapter.Dialect) bool {
		rules := rulesOf(d)
		return rules != nil && rules.Fixed() && t.ours(d, usual)
	}) {
		return t
	}
	t = t.with(usual, nil)
	for _, d := range adapter.Dialects() { // the agents whose hooks were moved
		rules := rulesOf(d)
		if rules == nil || t.text(fileOf(d)) == nil {
			continue
		}
		manifest := manifestOf(t, d, rules)
		text := t.text(manifest)
		o, _ := ordjson.Parse(text)
		if o.Str("hooks") != "./"+fileOf(d) {
			continue
		}
		return t.with(usual, t.text(fileOf(d))).with(fileOf(d), nil).with(manifest, withoutHooks(text, o))
	}
	return t
}
