package dialect

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A Mark is what a payload of the agent is recognized by: everything that the mark
// names must be there, but for what it lacks.
type Mark struct {
	Sure     int      // how sure the mark is, beside those of other agents
	AnyEvent bool     // also of events that the profile doesn't know
	Events   []string // native events; nil: any that the profile knows
	Members  []string // members of the payload
	Lacks    []string // members that other agents' payloads of the event have
	Env      []string // variables, of which one is set
	// Record is how the name of the transcript begins.
	Record string
}

// Recognize reports how sure the profile's marks are that a payload is one of the
// agent: 0 not at all.
func (p *Profile) Recognize(o ordjson.Object, env schema.Environ) (sure int) {
	event := p.text(o, schema.FieldEvent)
	known := p.Row(event) != nil
	for i := range p.Marks {
		if m := &p.Marks[i]; m.Sure > sure && (known || m.AnyEvent) && m.fits(p, o, event, env) {
			sure = m.Sure
		}
	}
	return sure
}

// Claims reports whether a payload has fields by which the profile's marks recognize
// one of the agent's; an event alone may be another agent's too.
func (p *Profile) Claims(o ordjson.Object) bool {
	event := p.text(o, schema.FieldEvent)
	return slices.ContainsFunc(p.Marks, func(m Mark) bool {
		return (m.Members != nil || m.Record != "") && m.fits(p, o, event, nil)
	})
}

// Marked reports whether a mark other than the event alone fits a payload.
func (p *Profile) Marked(o ordjson.Object, env schema.Environ) bool {
	event := p.text(o, schema.FieldEvent)
	return slices.ContainsFunc(p.Marks, func(m Mark) bool {
		empty := m.Members == nil && m.Events == nil && m.Env == nil && m.Record == ""
		return !empty && m.fits(p, o, event, env)
	})
}

// Transcripts reports where a payload's transcript is: in a folder of the agent's own,
// or in another hidden folder, which is another agent's. Neither holds where the
// payload names none, or one outside hidden folders.
func (p *Profile) Transcripts(o ordjson.Object) (own, other bool) {
	file := strings.ReplaceAll(p.text(o, schema.FieldTranscript), `\`, "/")
	for folder := range strings.SplitSeq(file, "/") {
		switch {
		case len(folder) < 2 || folder[0] != '.' || slices.Contains(sharedFolders, folder):
		case p.OwnFolder(folder):
			return true, false
		default:
			other = true
		}
	}
	return false, other
}

// OwnFolder reports whether a folder has the name of one of the agent's own: a hidden one that begins with the agent's
// name, or one of Folders or Shared.
func (p *Profile) OwnFolder(name string) bool {
	return strings.HasPrefix(name, "."+p.Name) || slices.Contains(p.Folders, name) || slices.Contains(p.Shared, name)
}

// sharedFolders are the hidden folders that many programs keep files in.
var sharedFolders = []string{"..", ".config", ".local", ".cache"}

func (m *Mark) fits(p *Profile, o ordjson.Object, event string, env schema.Environ) bool {
	missing := func(name string) bool { return !o.Has(name) }
	if slices.ContainsFunc(m.Members, missing) || slices.ContainsFunc(m.Lacks, o.Has) {
		return false
	}
	if m.Events != nil && !slices.Contains(m.Events, event) {
		return false
	}
	set := func(name string) bool { return env.Get(name) != "" }
	if m.Env != nil && !slices.ContainsFunc(m.Env, set) {
		return false
	}
	return strings.HasPrefix(filepath.Base(p.text(o, schema.FieldTranscript)), m.Record)
}

// text is a payload's value of a field, "" if it is none or not a text.
func (p *Profile) text(o ordjson.Object, f schema.Field) string {
	return p.Fields.Text(o, f)
}
