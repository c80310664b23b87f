package bridge

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/transcript"
	"github.com/hookbridge/hookbridge/schema"
)

// keyNoTranscript remembers that the session was reported to have no transcript.
const keyNoTranscript = "no-transcript"

// transcriptFields are the members of a payload that name a transcript.
var transcriptFields = []schema.Field{schema.FieldTranscript, schema.FieldAgentTranscript}

// copyTranscripts lets the call name transcripts that the hooks can read: copies
// in their own agent's format. It does nothing where no hook is to run.
func (r copier) copyTranscripts(picked []pick) {
	named := slices.ContainsFunc(transcriptFields, func(f schema.Field) bool { return r.call.Get(f) != nil })
	if len(picked) == 0 || r.Host.Profile().Name == r.Hooks.Profile().Name || !named {
		return
	}
	for _, f := range transcriptFields {
		source := r.call.Str(f)
		path := ""
		switch {
		case source != "":
			path = r.copyTranscript(f, source)
		case f == schema.FieldTranscript:
			r.noteNoTranscript()
		}
		if path != "" {
			r.call.SetStr(f, path)
		} else {
			r.call.Drop(f)
		}
	}
}

// transcriptEvents are the events at which hooks usually read the transcript.
var transcriptEvents = []schema.Event{schema.Stop, schema.StopFailure, schema.SubagentStop, schema.PreCompact, schema.SessionEnd}

// noteNoTranscript reports once in a session that there is no transcript, when
// hooks are likely to read it.
func (r copier) noteNoTranscript() {
	if _, known := r.mem.get(keyNoTranscript); known || !slices.Contains(transcriptEvents, r.call.Event) {
		return
	}
	r.log.note(schema.CodeTranscript, r.Host.Profile().Title+" has no transcript of this session, so hooks get none")
	if r.mem.remembers() {
		r.mem.put(keyNoTranscript, "1", 0)
	}
}

// copyTranscript returns the path of the copy of a host's transcript, "" if hooks
// get none.
func (r copier) copyTranscript(f schema.Field, source string) string {
	from, to := dialect.Ability[dialect.Transcriber](r.Host), dialect.Ability[dialect.Transcriber](r.Hooks)
	lost := func(why string) string {
		d := r.log.note(schema.CodeTranscript, "hooks get no transcript: "+why)
		d.Severity = schema.Loss
		return ""
	}
	switch {
	case from == nil || to == nil:
		return lost("transcripts of " + r.Host.Profile().Title + " can't be translated for hooks of " + r.Hooks.Profile().Title)
	case !r.mem.remembers():
		return lost("there is no folder for the copy, or the session has no id")
	}
	c := transcript.Copy{
		Store: r.mem.file, Session: r.copies(), Source: source, From: from, To: to,
		Thread: schema.Thread{Session: r.call.Str(schema.FieldSession), Cwd: r.call.Cwd, Model: r.call.Str(schema.FieldModel), Now: r.now},
	}
	if f == schema.FieldAgentTranscript {
		c.Thread.Agent = r.call.Str(schema.FieldAgentID)
	}
	c.Name = transcript.Name(&c.Thread, source)
	c.Awaits = r.lastWords(f)
	res, err := r.refresh(&c)
	switch {
	case err != nil:
		return lost(err.Error())
	case res.Missing && !r.Hooks.Profile().EarlyTranscript:
		return ""
	case res.Missing:
		return res.Path
	}
	if !r.copied && r.call.Event == schema.SessionEnd {
		r.countUser(1)
	}
	r.copied = true
	r.noteCopy(res, source)
	return res.Path
}

// lastWords is what a transcript must end with where the host has started the hooks
// before it wrote that, "" where it writes first.
func (r copier) lastWords(f schema.Field) string {
	switch {
	case r.Host.Profile().LateTranscript == 0:
	case r.call.Event == schema.Stop && f == schema.FieldTranscript, r.call.Event == schema.SubagentStop && f == schema.FieldAgentTranscript:
		return r.call.Str(schema.FieldLastMessage)
	}
	return ""
}

// refresh brings a copy up to date, and waits a moment for the last words.
func (r copier) refresh(c *transcript.Copy) (transcript.Result, error) {
	const pause = 5 * time.Millisecond
	res, err := c.Refresh()
	for waited := time.Duration(0); err == nil && !res.Arrived && waited < r.Host.Profile().LateTranscript && r.ctx.Err() == nil; waited += pause {
		time.Sleep(pause)
		before := res
		res, err = c.Refresh()
		res.Skipped += before.Skipped
		res.Cut = res.Cut || before.Cut
	}
	return res, err
}

func (r copier) noteCopy(res transcript.Result, source string) {
	var lacks []string
	if res.Skipped > 0 {
		lacks = append(lacks, strconv.Itoa(res.Skipped)+" lines that are too long or not in "+r.Host.Profile().Title+"'s format")
	}
	if res.Cut {
		lacks = append(lacks, "messages that are too old to translate at once")
	}
	if res.Full {
		lacks = append(lacks, "new messages, because it reached its size limit")
	}
	if len(lacks) > 0 {
		d := r.log.note(schema.CodeTranscript, "the copy of "+source+" that hooks get lacks "+strings.Join(lacks, ", and "))
		d.Severity = schema.Loss
	}
}

// copies names the session that keeps the copies for hooks of this dialect.
func (r copier) copies() string {
	return r.mem.name + "\x00transcripts\x00" + r.Hooks.Profile().Name
}

// dropCopies removes the copies at the end of the session, unless a hook that was
// not waited for, or another bridge of the same event, may still read them. What
// is left then goes with the sweep of old sessions.
func (r copier) dropCopies(runs []HookRun) {
	if r.copied && !slices.ContainsFunc(runs, func(h HookRun) bool { return h.Async }) {
		r.countUser(-1)
	}
}

func (r copier) countUser(n int) {
	if err := transcript.Users(r.mem.file, r.copies(), r.now, n); err != nil {
		r.mem.stateError(err)
	}
}
