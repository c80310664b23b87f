package bridge

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/transcript"
	"github.com/hookbridge/hookbridge/schema"
)

// transcriptFields are the fields of a payload that name a transcript.
var transcriptFields = []schema.Field{schema.FieldTranscript, schema.FieldAgentTranscript}

// withCopies makes the call name transcripts that the hooks can read: copies in their own agent's format. It does
// nothing if no hook will run.
func withCopies(r *run, c *schema.Call, picked []pick) (_ *schema.Call, copied bool) {
	named := slices.ContainsFunc(transcriptFields, func(f schema.Field) bool { return c.Get(f) != nil })
	if len(picked) == 0 || !r.foreignHooks() || !named {
		return c, false
	}

	shown := c.Clone()
	for _, f := range transcriptFields {
		source := c.Str(f)
		path := ""
		switch {
		case source != "":
			var full bool
			path, full = copyTranscript(r, c, f, source)
			copied = copied || full
		case f == schema.FieldTranscript:
			noteNoTranscript(r, c)
		}
		if path != "" {
			shown.SetStr(f, path)
		} else {
			shown.Drop(f)
		}
	}

	if copied && c.Event == schema.SessionEnd {
		countUser(r, 1)
	}

	return shown, copied
}

// transcriptEvents are the events at which hooks usually read the transcript.
var transcriptEvents = []schema.Event{schema.Stop, schema.StopFailure, schema.SubagentStop, schema.PreCompact,
	schema.SessionEnd}

// noteNoTranscript reports once in a session that there is no transcript, at events where hooks often read it.
func noteNoTranscript(r *run, c *schema.Call) {
	if r.mem.NoTranscript().IsSet() || !slices.Contains(transcriptEvents, c.Event) {
		return
	}
	r.log.note(schema.CodeTranscript, r.hostRules.Title+" has no transcript of this session, so hooks get none")
	r.mem.NoTranscript().Set()
}

// copyTranscript returns the path of the copy of a host's transcript, "" if hooks get none, and whether it has any
// content.
func copyTranscript(r *run, call *schema.Call, f schema.Field, source string) (path string, full bool) {
	from, to := r.host.Abilities().Transcripts, r.hooks.Abilities().Transcripts
	lost := func(why string) (string, bool) {
		r.log.noteAs(schema.Loss, schema.CodeTranscript, "hooks get no transcript: "+why)
		return "", false
	}
	switch {
	case from == nil || to == nil:
		return lost("transcripts of " + r.hostRules.Title + " can't be translated for hooks of " + r.rules.Title)
	case !r.mem.Remembers():
		return lost("there is no folder for the copy, or the session has no id")
	}

	store := r.mem.Store()
	store.Wait = copyWait
	c := transcript.Copy{
		Limits: partOf(r, 0),
		Store:  store, Session: r.mem.Copies(r.rules.Name), Source: source, From: from, To: to,
		Thread: schema.Thread{Session: call.Str(schema.FieldSession), Cwd: call.Cwd, Model: call.Str(schema.FieldModel),
			Now: r.now},
	}
	if f == schema.FieldAgentTranscript {
		c.Thread.Agent = call.Str(schema.FieldAgentID)
	}

	c.Name = transcript.Name(&c.Thread, source)
	c.Awaits = lastWords(r, call, f)
	res, err := refreshCopy(r, &c)
	switch {
	case err != nil:
		return lost(err.Error())
	case res.Missing && !r.rules.EarlyTranscript:
		return "", false
	case !res.Missing:
		noteCopy(r, res, source)
	}

	return res.Path, !res.Missing
}

// copyWait is how long a copy waits for another process's lock: hooks can do without the newest lines.
const copyWait = time.Second

// lastWords returns the text that must end a transcript if the host starts hooks before writing it, "" if it writes
// first.
func lastWords(r *run, c *schema.Call, f schema.Field) string {
	switch {
	case r.hostRules.LateTranscript == 0:
	case c.Event == schema.Stop && f == schema.FieldTranscript,
		c.Event == schema.SubagentStop && f == schema.FieldAgentTranscript:
		return c.Str(schema.FieldLastMessage)
	}
	return ""
}

// refreshCopy updates a copy, and waits a moment for the last text.
func refreshCopy(r *run, c *transcript.Copy) (transcript.Result, error) {
	const pause = 5 * time.Millisecond
	res, err := c.Refresh()
	for waited := time.Duration(0); err == nil && !res.Arrived && waited < r.hostRules.LateTranscript &&
		r.ctx.Err() == nil; waited += pause {
		time.Sleep(pause)
		before := res
		res, err = c.Refresh()
		res.Skipped += before.Skipped
		res.Cut = res.Cut || before.Cut
	}
	return res, err
}

func noteCopy(r *run, res transcript.Result, source string) {
	var lacks []string
	if res.Skipped > 0 {
		lacks = append(lacks, strconv.Itoa(res.Skipped)+" lines that are too long or not in "+r.hostRules.Title+
			"'s format")
	}
	if res.Cut {
		lacks = append(lacks, "messages that are too old to translate at once")
	}
	if res.Behind {
		lacks = append(lacks, "messages that are left to the next call")
	}
	if res.Full {
		lacks = append(lacks, "new messages, because it reached its size limit")
	}
	if len(lacks) > 0 {
		r.log.noteAs(schema.Loss, schema.CodeTranscript, "the copy of "+source+" that hooks get lacks "+
			strings.Join(lacks, ", and "))
	}
}

// dropCopies removes the copies at the end of the session, unless an asynchronous hook or another entry at the same
// event may still read them. The sweep of old sessions removes the rest.
func dropCopies(r *run, did *done) {
	if did.copied && !slices.ContainsFunc(did.runs, func(h HookRun) bool { return h.Async }) {
		countUser(r, -1)
	}
}

func countUser(r *run, n int) {
	if err := transcript.Users(r.mem.Store(), r.mem.Copies(r.rules.Name), r.now, n); err != nil {
		r.log.stateError(err)
	}
}
