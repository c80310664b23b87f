package bridge

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter/session"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/transcript"
	"github.com/hookbridge/hookbridge/schema"
)

// withModel adds the model at events where the host doesn't send it.
func withModel(r *run, c *schema.Call) *schema.Call {
	if name, ok := r.mem.Model().Get(); ok && c.Get(schema.FieldModel) == nil {
		return withText(c, schema.FieldModel, name)
	}
	return c
}

// rememberModel keeps the model that the host names when a session starts or the user changes it, unless every payload
// names it.
func rememberModel(r *run, c *schema.Call) {
	name := ""
	switch c.Event {
	case schema.SessionStart:
		name = c.Str(schema.FieldModel)
	case schema.PostModelSwitch:
		name = c.Str(schema.FieldToModel)
	}
	if known, _ := r.mem.Model().Get(); name != "" && name != known {
		r.mem.Model().Keep(name)
	}
}

// factsWork is how much of the end of a transcript is read for the facts below.
const factsWork = 4 << 20

// transcriptWork limits the processor time that a call spends on a transcript, which hooks can do without.
const transcriptWork = ownWork / 4

// partOf returns the limits for reading a number of bytes of a transcript.
func partOf(r *run, bytes int64) transcript.Limits {
	begun := r.opts.processor()
	return transcript.Limits{Work: bytes, Enough: func() bool { return r.opts.processor()-begun > transcriptWork }}
}

// withFacts adds facts from the transcript at the end of a turn or of a subagent. Hooks of
// other agents get more there than the host sends.
func withFacts(r *run, c *schema.Call, hooks []schema.Hook) *schema.Call {
	c = withCallNumber(r, c)
	from := r.host.Abilities().Transcripts
	if from == nil || !r.foreignHooks() {
		return c
	}
	switch path := c.Str(schema.FieldAgentTranscript); {
	case c.Event == schema.SubagentStop && path != "" && wantsThread(r.hooks, hooks):
		return withThread(r, c, path, from)
	case c.Event == schema.Stop && c.Get(schema.FieldLastMessage) == nil && wantsLast(r.hooks, hooks):
		if path := c.Str(schema.FieldTranscript); path != "" {
			return withLast(r, c, path, from)
		}
	}
	return c
}

// withCallNumber adds a finished command's number in the session, if the hooks' agent has such numbers.
func withCallNumber(r *run, c *schema.Call) *schema.Call {
	ran := c.Event == schema.PostTool || c.Event == schema.PostToolFailure
	if !ran || counter(r, c) == nil || !r.mem.Remembers() {
		return c
	}
	n := entry(r, c).NextCommand()
	c = c.Clone()
	c.Set(schema.FieldCommandNumber, strconv.AppendInt(nil, int64(n), 10))
	return c
}

// counter returns what numbers this command for the hooks, nil if the host numbers it or nothing does.
func counter(r *run, c *schema.Call) dialect.CommandCounter {
	if c.Tool.Kind() != schema.Shell || !r.foreignHooks() {
		return nil
	}
	return r.hooks.Abilities().Commands
}

// wantsLast reports whether a hook at the end of a turn gets the agent's last message, there or at an event of its own.
func wantsLast(d dialect.Dialect, hooks []schema.Hook) bool {
	return slices.ContainsFunc(hooks, func(h schema.Hook) bool {
		return h.Event == schema.AgentResponse || (h.Event == schema.Stop || h.Event == 0) &&
			d.Profile().Sends(schema.Stop, schema.FieldLastMessage)
	})
}

// wantsThread reports whether a hook gets what a subagent has done.
func wantsThread(d dialect.Dialect, hooks []schema.Hook) bool {
	row := schema.RowFor(d.Profile().Events, schema.SubagentStop)
	if row == nil || !slices.Contains(row.Fields, schema.FieldModifiedFiles) {
		return false
	}
	return slices.ContainsFunc(hooks, func(h schema.Hook) bool {
		return h.Event == schema.SubagentStop || h.Event == 0
	})
}

// withLast reads the last message from the transcript. The message counts only if nothing follows it and the file is as
// new as the call. An older file means that the host hasn't written the message yet.
func withLast(r *run, c *schema.Call, path string, from dialect.Transcriber) *schema.Call {
	const pause = 20 * time.Millisecond
	limits := partOf(r, factsWork)
	for waited := time.Duration(0); ; waited += pause {
		var th thread
		_, err := transcript.Messages(path, from, limits, th.add)
		if err == nil && th.said != "" && !th.last.Before(c.Time) {
			return withText(c, schema.FieldLastMessage, th.said)
		}
		if waited >= r.hostRules.LateTranscript || r.ctx.Err() != nil || limits.Enough() {
			return c
		}
		time.Sleep(pause)
	}
}

// withThread reads a subagent's task and actions from its transcript. If the transcript can't be read completely, it
// adds nothing.
func withThread(r *run, c *schema.Call, path string, from dialect.Transcriber) *schema.Call {
	var th thread
	whole, err := transcript.Messages(path, from, partOf(r, factsWork), th.add)
	if err != nil || !whole {
		return c
	}

	c = c.Clone()
	add := func(f schema.Field, raw []byte) {
		if c.Get(f) == nil {
			c.Set(f, raw)
		}
	}
	if th.task != "" {
		add(schema.FieldTask, ordjson.AppendString(nil, th.task))
		if raw := describedTask(r, c, th.task, from); raw != nil {
			add(schema.FieldDescription, raw)
		}
	}

	if !th.first.IsZero() && !th.last.Before(th.first) {
		add(schema.FieldDuration, strconv.AppendInt(nil, th.last.Sub(th.first).Milliseconds(), 10))
	}
	if th.said != "" {
		add(schema.FieldLastMessage, ordjson.AppendString(nil, th.said))
	}

	add(schema.FieldModifiedFiles, ordjson.AppendArray(nil, th.files(), ordjson.AppendString))
	add(schema.FieldMessageCount, strconv.AppendInt(nil, int64(th.messages), 10))
	add(schema.FieldToolCallCount, strconv.AppendInt(nil, int64(th.calls), 10))
	return c
}

// describedTask returns the description of the call that started a subagent, from the session's transcript.
func describedTask(r *run, c *schema.Call, task string, from dialect.Transcriber) (raw []byte) {
	path := c.Str(schema.FieldTranscript)
	if path == "" || path == c.Str(schema.FieldAgentTranscript) {
		return nil
	}
	_, _ = transcript.Messages(path, from, partOf(r, factsWork), func(m *schema.Message) {
		for i := range m.Blocks {
			t := &m.Blocks[i].Tool
			if m.Blocks[i].Kind != schema.BlockUse || t.Kind() != schema.Agent {
				continue
			}
			if strings.TrimSpace(t.Input.Text(schema.RolePrompt)) == task {
				found, _ := t.Input.Get(schema.RoleDescription)
				raw = slices.Clone(found)
			}
		}
	})
	return raw
}

// A thread summarizes the messages of a transcript.
type thread struct {
	task        string // the user's first text
	said        string // the model's text at the end, "" if something follows it
	first, last time.Time
	id          string // of the last message
	messages    int    // from the user, the model and its tools
	calls       int
	writes      []write
}

type write struct{ id, path string }

func (th *thread) add(m *schema.Message) {
	if at, err := time.Parse(time.RFC3339, m.Time); err == nil {
		if th.first.IsZero() {
			th.first = at
		}
		th.last = at
	}

	if !m.Meta && (m.ID == "" || m.ID != th.id) { // one message may take several lines
		th.messages++
	}

	th.id = m.ID
	for i := range m.Blocks {
		b := &m.Blocks[i]
		text, _ := ordjson.String(b.Text)
		switch text = strings.TrimSpace(text); {
		case b.Kind == schema.BlockText && m.From == schema.Assistant:
			th.said = text
		case b.Kind == schema.BlockText && !m.Meta:
			th.said = ""
			if th.task == "" {
				th.task = text
			}
		case b.Kind == schema.BlockUse:
			th.said = ""
			th.use(b)
		case b.Kind == schema.BlockResult:
			th.said = ""
			if b.Failed { // denied, or without effect
				id := strings.Clone(b.Tool.UseID)
				th.writes = slices.DeleteFunc(th.writes, func(w write) bool { return w.id == id })
			}
		}
	}
}

func (th *thread) use(b *schema.Block) {
	th.calls++
	if k := b.Tool.Kind().Base(); k != schema.Write && k != schema.Delete {
		return
	}
	if path := b.Tool.Input.Text(schema.RolePath); path != "" {
		th.writes = append(th.writes, write{strings.Clone(b.Tool.UseID), path})
	}
}

// files lists the changed files once each, in the order of their first changes.
func (th *thread) files() (names []string) {
	for _, w := range th.writes {
		if !slices.Contains(names, w.path) {
			names = append(names, w.path)
		}
	}
	return names
}

// rememberSaid keeps what the agent said at an event of its own, for hooks that get it at the end of the turn.
func rememberSaid(r *run, c *schema.Call, hooks []schema.Hook) {
	text := c.Str(schema.FieldText)
	if c.Event != schema.AgentResponse || text == "" || !r.rules.Sends(schema.Stop, schema.FieldLastMessage) {
		return
	}
	for i := range hooks {
		if hooks[i].Event == schema.Stop || hooks[i].Event == 0 {
			if len(text) > session.MaxText {
				r.log.hookNote(schema.CodeContextCut, &hooks[i],
					"the agent's message is longer than the limit; stop hooks get its beginning")
			}
			r.mem.Said().Keep(session.Said{Turn: c.Str(schema.FieldTurn), Text: text})
			return
		}
	}
}

// withSaid adds the agent's last message at the end of a turn, if the host doesn't send it there.
func withSaid(r *run, c *schema.Call) *schema.Call {
	if c.Event != schema.Stop || c.Get(schema.FieldLastMessage) != nil ||
		!r.rules.Sends(schema.Stop, schema.FieldLastMessage) {
		return c
	}
	if said, ok := r.mem.Said().Get(); ok && said.In(c.Str(schema.FieldTurn)) {
		return withText(c, schema.FieldLastMessage, said.Text)
	}
	return c
}
