package common

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// SeenStore returns where entries with --seen note their calls: in the user's state folder, which outlives a session.
// Without a home folder it is the zero Store, which notes nothing.
func SeenStore(env schema.Environ, home string) state.Store {
	dir := env.Get(cli.StateVariable)
	if own := env.Get("XDG_STATE_HOME"); dir == "" && filepath.IsAbs(own) {
		dir = filepath.Join(own, "hookbridge")
	}
	if dir == "" && home != "" {
		dir = filepath.Join(home, ".local", "state", "hookbridge")
	}
	return state.Store{Dir: dir}
}

// SeenKey returns the key of a host's entry at an event. An entry of a project belongs to the folder from which the
// host loads it, wherever in the project the session is.
func SeenKey(host adapter.Dialect, native string, scope schema.Scope, project string) string {
	if scope != schema.ScopeProject {
		project = ""
	} else if from := discover.Started(project, host.Profile()); len(from) > 0 {
		project = from[len(from)-1]
	}
	return strings.Join([]string{host.Profile().Name, native, scope.String(), project}, "\x00")
}

// A SeenDoc lists the known calls of an entry.
type SeenDoc struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Event    string `json:"event"`
	Noted    bool   `json:"noted"` // the entry has --seen
	Last     string `json:"last"`  // "": never
	Answer   string `json:"answer"`
	Calls    int    `json:"calls"`
	Sessions int    `json:"sessions"` // of the host, with a call of any of its entries

	at   time.Time
	Call cmdline.Call `json:"-"`
}

// SeenEntries returns the host's entries that find hooks of others, with their known calls.
func SeenEntries(host adapter.Dialect, p schema.Places) (list []SeenDoc) {
	store := SeenStore(p.Env, p.Home)
	sessions := 0
	for _, h := range survey.Load(host, p, nil).Hooks {
		call, ok := cmdline.Parse(h.Command, h.Args)
		if !ok || !call.FindsHooks() {
			continue
		}
		one := SeenDoc{File: h.Source.File, Line: h.Line, Event: h.Native, Noted: call.On("seen"), Call: call}
		if seen, err := store.Seen(SeenKey(host, h.Native, call.Scope(), p.Project)); one.Noted && err == nil &&
			seen.Calls > 0 {
			one.Last, one.at = seen.Last.UTC().Format(time.RFC3339), seen.Last
			one.Answer, one.Calls = seen.Answer, seen.Calls
			sessions = max(sessions, seen.Sessions)
		}
		list = append(list, one)
	}
	for i := range list {
		list[i].Sessions = sessions
	}
	return list
}

// Says returns doctor's text about the entry's calls.
func (s *SeenDoc) Says(now time.Time) string {
	switch {
	case !s.Noted:
		return "its calls aren't noted; hookbridge install --seen"
	case s.Calls > 0:
		return Ago(now.Sub(s.at)) + ": " + s.Answer + " (" + cli.Counted(s.Calls, "call") + ")"
	case s.Sessions > 0:
		return "never, although " + cli.Counted(s.Sessions, "session") + " started"
	}
	return "never, and no session started"
}

// Ago returns a time in the past in its largest unit.
func Ago(d time.Duration) string {
	for _, unit := range []struct {
		long time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		if d >= unit.long {
			return cli.Counted(int(d/unit.long), unit.name) + " ago"
		}
	}
	return "just now"
}
