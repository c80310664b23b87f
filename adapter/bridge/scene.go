package bridge

import (
	"context"
	"time"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// A scene is what the stages of one Run share. Once the hooks are loaded nothing in
// it changes but what is noted, remembered and read.
type scene struct {
	*Bridge
	ctx    context.Context
	now    time.Time
	places schema.Places
	log    *log
	files  *files
	mem    *memory

	roots     []string                // other roots of the workspace whose hooks count
	worktree  string                  // the worktree of the project that the session has moved to
	project   func(*schema.Hook) bool // tells the project's hooks; set with the Scope
	allowURLs []string                // addresses that HTTP hooks may call; nil: all
	allowEnv  []string                // variables that HTTP hooks may send; nil: all
	patience  matcher.Patience
	copied    bool // hooks were given the copy of a transcript
	imported  bool // another agent than the one the entry is for has called it
}

func (s *scene) foreignHooks() bool { return s.Host.Profile().Name != s.Hooks.Profile().Name }

// A stage works on one call: the host's, or a part of it.
type stage struct {
	*scene
	call *schema.Call
}

// newScene begins a Run. The call is not known yet.
func newScene(ctx context.Context, b *Bridge) *scene {
	own := *b
	s := &scene{Bridge: &own, ctx: ctx, now: b.Now(), places: b.Places, log: &log{}, files: &files{}}
	if b.Trace {
		s.log.trace = &Trace{}
	}
	s.mem = &memory{log: s.log, now: s.now}
	return s
}

// about returns the first stage, of the call that the host has made.
func (s *scene) about(c *schema.Call) stage {
	s.log.event = c.Native
	s.places.Project = c.Project
	return stage{s, c}
}

// recollect opens the session's memory. Project and home are part of the session's
// name: what one project's hooks decided is nothing to another's.
func (s stage) recollect() {
	s.mem = &memory{log: s.log, now: s.now, file: state.Store{Dir: s.StateDir}}
	if session := s.call.Str(schema.FieldSession); s.StateDir != "" && session != "" {
		s.mem.name = session + "\x00" + s.places.Project + "\x00" + s.places.Home
	}
}

// Each stage has methods of its own over what all of them share.
type (
	registration struct{ stage } // what the host's own configuration calls the bridge for
	selector     struct{ stage } // which hooks apply, and what they are shown
	viewer       struct{ stage } // the call as a hook in a view sees it
	copier       struct{ stage } // transcripts
	recaller     struct{ stage } // what earlier events of the session left
	facts        struct{ stage } // what a transcript adds to the call
	pinner       struct{ stage } // whether the hooks have changed
)

// A rememberer keeps what later events of the session need.
type rememberer struct {
	stage
	done
}
