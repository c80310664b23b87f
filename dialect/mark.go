package dialect

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A Mark identifies a payload of the agent: everything that the mark lists must be present, except for Lacks.
type Mark struct {
	Sure     int      // how sure the mark is, compared with those of other agents
	AnyEvent bool     // also for events that aren't in the profile
	Events   []string // native events; nil: any in the profile
	Members  []string // fields of the payload
	Lacks    []string // fields that other agents' payloads of the event have
	Env      []string // variables, at least one of them set
	// Record is a prefix of the transcript's file name.
	Record string
}

// Recognize returns how sure the profile's marks are that a payload comes from the agent; 0: not at all.
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

// Claims reports whether a payload has fields that identify it as the agent's. The event alone doesn't count: other
// agents may have it.
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

// Transcripts reports whether a payload's transcript is in one of the agent's own folders, or in another hidden folder,
// which belongs to another agent. Both are false if there is no transcript, or if it is outside hidden folders.
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

// OwnFolder reports whether a folder's name is one of the agent's: a hidden one that begins with the agent's name, or
// one of Folders or Shared.
func (p *Profile) OwnFolder(name string) bool {
	return strings.HasPrefix(name, "."+p.Name) || slices.Contains(p.Folders, name) || slices.Contains(p.Shared, name)
}

// sharedFolders are hidden folders in which many programs keep files.
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

// text returns a payload's text in a field, "" if it has none.
func (p *Profile) text(o ordjson.Object, f schema.Field) string {
	return p.Fields.Text(o, f)
}
