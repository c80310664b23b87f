package bridge

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/transcript"
	"github.com/hookbridge/hookbridge/schema"
)

// keyModel is the model of the session, where only its start names it.
const keyModel = "model"

// recallModel names the model at events where the host does not.
func (r recaller) recallModel() {
	if r.call.Get(schema.FieldModel) != nil {
		return
	}
	if name, ok := r.mem.get(keyModel); ok {
		r.call.SetStr(schema.FieldModel, name)
	}
}

// rememberModel keeps the model that the host names at the start of a session or
// when the user changes it. Where every payload names it, there is nothing to keep.
func (r *rememberer) rememberModel() {
	name := ""
	switch r.call.Event {
	case schema.SessionStart:
		name = r.call.Str(schema.FieldModel)
	case schema.PostModelSwitch:
		name = r.call.Str(schema.FieldToModel)
	}
	if known, _ := r.mem.get(keyModel); name != "" && name != known {
		r.mem.put(keyModel, name, 0)
	}
}

// factsWork is how much of the end of a transcript is read for the facts below.
const factsWork = 4 << 20

// addFacts completes the end of a turn or of a subagent by what its transcript
// says: hooks of other agents receive more there than the host sends.
func (r facts) addFacts(hooks []schema.Hook) {
	from := dialect.Ability[dialect.Transcriber](r.Host)
	if from == nil || r.Host.Profile().Name == r.Hooks.Profile().Name {
		return
	}
	switch r.call.Event {
	case schema.Stop:
		if path := r.call.Str(schema.FieldTranscript); path != "" && r.call.Get(schema.FieldLastMessage) == nil && wantsLast(r.Hooks, hooks) {
			r.addLast(path, from)
		}
	case schema.SubagentStop:
		if path := r.call.Str(schema.FieldAgentTranscript); path != "" && wantsThread(r.Hooks, hooks) {
			r.addThread(path, from)
		}
	}
}

// wantsLast reports whether a hook is run at the end of a turn that receives what
// the agent said, there or at an event of its own.
func wantsLast(d dialect.Dialect, hooks []schema.Hook) bool {
	return slices.ContainsFunc(hooks, func(h schema.Hook) bool {
		return h.Event == schema.AgentResponse || (h.Event == schema.Stop || h.Event == 0) && d.Profile().Sends(schema.Stop, schema.FieldLastMessage)
	})
}

// wantsThread reports whether a hook is run that receives what a subagent has done.
func wantsThread(d dialect.Dialect, hooks []schema.Hook) bool {
	row := schema.RowFor(d.Profile().Events, schema.SubagentStop)
	if row == nil || !slices.Contains(row.Fields, schema.FieldModifiedFiles) {
		return false
	}
	return slices.ContainsFunc(hooks, func(h schema.Hook) bool { return h.Event == schema.SubagentStop || h.Event == 0 })
}

// addLast takes the last message from the transcript. It counts only if nothing
// follows it, and if the file is as new as the call: else the host is about to write
// what the model said last.
func (r facts) addLast(path string, from dialect.Transcriber) {
	const pause = 20 * time.Millisecond
	for waited := time.Duration(0); ; waited += pause {
		var th thread
		_, err := transcript.Messages(path, from, factsWork, th.add)
		if err == nil && th.said != "" && !th.last.Before(r.call.Time) {
			r.call.SetStr(schema.FieldLastMessage, th.said)
			return
		}
		if waited >= r.Host.Profile().LateTranscript || r.ctx.Err() != nil {
			return
		}
		time.Sleep(pause)
	}
}

// addThread takes from a subagent's transcript what it was asked and what it has
// done. Of a transcript that can't be read as a whole nothing is counted.
func (r facts) addThread(path string, from dialect.Transcriber) {
	var th thread
	whole, err := transcript.Messages(path, from, factsWork, th.add)
	if err != nil || !whole {
		return
	}
	add := func(f schema.Field, raw []byte) {
		if r.call.Get(f) == nil {
			r.call.Set(f, raw)
		}
	}
	if th.task != "" {
		add(schema.FieldTask, ordjson.AppendString(nil, th.task))
		if raw := r.described(th.task, from); raw != nil {
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
	add(schema.FieldToolCallCount, strconv.AppendInt(nil, int64(th.calls), 10))
}

// described is the description of the call that has given a subagent its task: the
// session's transcript has it.
func (r facts) described(task string, from dialect.Transcriber) (raw []byte) {
	path := r.call.Str(schema.FieldTranscript)
	if path == "" || path == r.call.Str(schema.FieldAgentTranscript) {
		return nil
	}
	_, _ = transcript.Messages(path, from, factsWork, func(m *schema.Message) {
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

// A thread sums up the messages of a transcript.
type thread struct {
	task        string // the first words of the user
	said        string // the model's words at the end, "" if something follows them
	first, last time.Time
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
			if b.Failed { // refused, or without effect
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

// files lists the changed files, each once, in the order of the first change.
func (th *thread) files() (names []string) {
	for _, w := range th.writes {
		if !slices.Contains(names, w.path) {
			names = append(names, w.path)
		}
	}
	return names
}

// rememberSaid keeps what the agent said, reported by an event of its own, for hooks
// at the end of the turn whose agent reports it there.
func (r *rememberer) rememberSaid(hooks []schema.Hook) {
	text := r.call.Str(schema.FieldText)
	if r.call.Event != schema.AgentResponse || text == "" || !r.Hooks.Profile().Sends(schema.Stop, schema.FieldLastMessage) {
		return
	}
	for i := range hooks {
		if hooks[i].Event == schema.Stop || hooks[i].Event == 0 {
			if len(text) > maxText {
				r.log.hookNote(schema.CodeContextCut, &hooks[i], "the agent's message is longer than the limit; stop hooks get its beginning")
				text = strings.ToValidUTF8(text[:maxText], "")
			}
			r.mem.put(keySaid, r.call.Str(schema.FieldTurn)+"\x00"+text, turnLife)
			return
		}
	}
}

// recallSaid gives the end of a turn what the agent said last, where the host does
// not say it there.
func (r recaller) recallSaid() {
	if r.call.Event != schema.Stop || r.call.Get(schema.FieldLastMessage) != nil || !r.Hooks.Profile().Sends(schema.Stop, schema.FieldLastMessage) {
		return
	}
	value, ok := r.mem.get(keySaid)
	turn, text, whole := strings.Cut(value, "\x00")
	if now := r.call.Str(schema.FieldTurn); ok && whole && (turn == now || turn == "" || now == "") {
		r.call.SetStr(schema.FieldLastMessage, text)
	}
}

// addServer adds to a call where its MCP server is, for hooks that are told so and where the
// host's payload doesn't say it. A project that isn't trusted could say something else.
func (s *scene) addServer(c *schema.Call) {
	lister := dialect.Ability[dialect.ServerLister](s.Host)
	told := s.Hooks.Profile().Fields.Of(schema.FieldServerURL) != nil
	if c.Tool.Kind() != schema.MCP || c.Tool.Server == "" || lister == nil || !told {
		return
	}
	places, names := s.places, s.Host.Profile().MCP
	if s.RequireTrust {
		places.Project = ""
	}
	for _, x := range lister.Servers(places, discover.Read) {
		if names.Join(x.Name, "") == names.Join(c.Tool.Server, "") {
			dialect.SetServer(c, x)
			return
		}
	}
}
