package family

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// A Module is a JavaScript file that hookbridge writes for an agent without command hooks: entries as JSON, and code
// that passes the agent's events to their commands. The zero Module can't be used.
type Module struct {
	What     string // "plugin", for findings
	Header   string // the first lines
	Body     string // the code after the entries
	Protocol int64  // the version of the JSON that the code exchanges: it rejects other answers
	// Earlier are the SHA-256 sums, in hexadecimal, of the code that older versions wrote.
	Earlier []string
}

// A ModuleAgent is an agent whose hooks are the entries of a Module. It implements a dialect except for versions and
// the places of files.
type ModuleAgent struct {
	*Agent
	Module func() *Module
}

// WriteEntries returns the module that runs the commands of a document's entries.
func (a ModuleAgent) WriteEntries(document []byte) []byte { return a.Module().Write(document) }

// ReadEntries returns the document in a module, even if the module was edited or is of another version.
func (a ModuleAgent) ReadEntries(text []byte) (document []byte, ok bool) {
	return a.Module().Read(text)
}

// ModuleFiles are the possible places of an extension module.
var ModuleFiles = []FileRow{{Scope: schema.ScopeUser, Path: "extensions/hookbridge.js"},
	{Scope: schema.ScopeProject, Path: "extensions/hookbridge.js"}}

// Traces lists the user's folder and the project's, which may contain more than extensions.
func (a ModuleAgent) Traces(p schema.Places) []string {
	dirs := []string{a.Names.UserFolder(p), a.Names.ProjectFolder(p)}
	return slices.DeleteFunc(dirs, func(dir string) bool { return dir == "" })
}

// Plugins lists the modules that convert wrote under other names: the agent loads every file of the folders.
func (a ModuleAgent) Plugins(p schema.Places, _ []*schema.Config, read dialect.ReadFile) []schema.Source {
	return OtherModules(a.Module(), a.Locate(p), read)
}

// OtherModules lists the modules that convert wrote under other names, in the folders of sources.
func OtherModules(m *Module, sources []schema.Source, read dialect.ReadFile) []schema.Source {
	return Beside(sources, read, func(text []byte) bool {
		_, ours := m.Read(text)
		return ours
	})
}

// Beside lists the files in the folders of sources whose text fits, without the sources themselves.
func Beside(sources []schema.Source, read dialect.ReadFile, fits func(text []byte) bool) (out []schema.Source) {
	for _, s := range sources {
		own := s.File
		entries, _ := os.ReadDir(filepath.Dir(own))
		for _, e := range entries {
			s.File = filepath.Join(filepath.Dir(own), e.Name())
			if text, _ := read(s.File); s.File != own && fits(text) {
				out = append(out, s)
			}
		}
	}
	return out
}

// Select selects everything: an entry has no matcher and runs at every call.
func (ModuleAgent) Select(*schema.Hook) schema.Selection {
	return schema.Selection{All: true, Exact: true}
}

// Plan lists the possible places of a hook for its event, without its matcher.
func (a ModuleAgent) Plan(h *schema.Hook, sel schema.Selection) []schema.Entry {
	return a.Agent.Plan(h, schema.Selection{All: true, Exact: sel.All && sel.Exact})
}

// Asks returns false: the agent can't be made to ask.
func (ModuleAgent) Asks(*schema.Call) (gate string, sure bool) { return "", false }

// AppendReply writes r as the answer to c.
func (a ModuleAgent) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	return a.Module().Stamp(dst, a.Agent.AppendReply(nil, c, r))
}

// Refuse writes the strictest answer for an event that may be unknown.
func (a ModuleAgent) Refuse(dst []byte, native, reason string) []byte {
	return a.Module().Stamp(dst, a.Agent.Refuse(nil, native, reason))
}

const (
	protocolStart = "const PROTOCOL = "
	entriesStart  = "const ENTRIES = "
	entriesEnd    = "\n}}\n"
)

// Write returns the module that runs the commands of a document's entries, one event per line.
func (m *Module) Write(document []byte) []byte {
	dst := []byte(m.Header + protocolStart + strconv.FormatInt(m.Protocol, 10) + "\n" + entriesStart + `{"hooks": {`)
	events, _ := ordjson.Members(ordjson.At(document, "/hooks"), 0)
	next := "\n  "
	for _, ev := range events {
		dst = append(ordjson.AppendString(append(dst, next...), ev.Name), ": "...)
		dst = ordjson.AppendCompact(dst, ev.Value)
		next = ",\n  "
	}
	return append(dst, entriesEnd+m.Body...)
}

// Read returns the document in a module, even if the module was edited or is of another version.
func (m *Module) Read(text []byte) (document []byte, ok bool) {
	begin, end, version := m.at(text)
	return text[begin:end], version != ""
}

// at returns the place of a module's entries, and the version of its protocol: all of the text and "" if it isn't a
// module.
func (m *Module) at(text []byte) (begin, end int, version string) {
	rest, ours := strings.CutPrefix(string(text), m.Header+protocolStart)
	version, rest, cut := strings.Cut(rest, "\n"+entriesStart)
	begin = len(text) - len(rest)
	end = begin + strings.Index(rest, entriesEnd) + len(entriesEnd) - 1
	if !ours || !cut || end < begin+len(entriesEnd) || ordjson.Check(text[begin:end]) != nil {
		return 0, len(text), ""
	}
	return begin, end, version
}

// ParseConfig reads a module, or the entries alone. It reports a module that differs from what hookbridge writes: with
// another protocol, it rejects every answer.
func (a ModuleAgent) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	m := a.Module()
	begin, end, version := m.at(text)
	p, o := a.Open(text[begin:end], at)
	index, file := ordjson.NewIndex(text), ordjson.Member{Off: -begin}
	p.Position = func(off int) (line, col int) { return index.Position(begin + off) }
	const again = "run hookbridge install again"
	switch {
	case version == "":
	case version != strconv.FormatInt(m.Protocol, 10):
		p.Report(schema.CodeNotCalled, file, "", "the "+m.What+" is of protocol "+version+
			" and rejects the answers of this hookbridge").Fix = again
	case bytes.Equal(m.Write(text[begin:end]), text):
	case m.older(text, begin, end):
		p.Report(schema.CodeStale, file, "", "an older hookbridge wrote the "+m.What).Fix = again
	default:
		p.Report(schema.CodeRefusedFile, file, "",
			"the "+m.What+" was edited, so it may not do what hookbridge reports").Fix = again
	}
	p.Settings(o, "")
	return p.Result()
}

// older reports whether an older version of hookbridge wrote a text with entries at that place.
func (m *Module) older(text []byte, begin, end int) bool {
	then := *m
	then.Body = strings.TrimPrefix(string(text[end:]), "\n")
	sum := sha256.Sum256([]byte(then.Body))
	return slices.Contains(m.Earlier, hex.EncodeToString(sum[:])) && bytes.Equal(then.Write(text[begin:end]), text)
}

// ModuleEntries are the rules for the entries of a module: each is a separate command.
var ModuleEntries = FileRules{
	Missing: DropsHandler, Empty: DropsHandler,
	Handlers: []HandlerRow{{Handler: schema.HandlerCommand, Needs: []string{"command"}}},
	Entries: []EntryRow{
		{Name: "command", Text: CommandOf},
		{Name: "args", Feature: schema.HookArgs, List: ArgsOf},
		{Name: "timeout", Feature: schema.HookTimeout,
			Timeout: &TimeoutForm{Most: float64(dialect.LongestTimer / time.Second)}},
		{Name: "failClosed", Feature: schema.HookFailPolicy, Kind: ordjson.BoolKind, Read: ReadFail, Write: WriteFail},
	},
}

// ReadFail reads a switch that makes a failure of the hook deny the call.
func ReadFail(h *schema.Hook, raw []byte) string {
	if closed, _ := ordjson.Bool(raw); closed {
		h.Fail = schema.FailClosed
	}
	return ""
}

// WriteFail writes that switch, nil if it is off.
func WriteFail(h *schema.Hook) []byte {
	if h.Fail != schema.FailClosed {
		return nil
	}
	return []byte("true")
}

// JoinArgs turns a command with arguments into the equivalent command line.
func JoinArgs(_ *Parser, _ *schema.EventRow, h *schema.Hook, _ ordjson.Member) {
	if h.Args != nil {
		h.Command = strings.Join(lists.Map(append([]string{h.Command}, h.Args...), shell.Quote), " ")
		h.Args = nil
	}
}

// WriteHook writes an entry. A call of hookbridge starts without a shell. A failure denies only at events where an
// answer can.
func (a ModuleAgent) WriteHook(e schema.Entry, h *schema.Hook) (value []byte, said schema.Feature) {
	out := *h
	if argv := CallWords(h); argv != nil {
		out.Command, out.Args = argv[0], argv[1:]
	}
	if row := a.Row(e.Native); row == nil || row.Blocks != schema.EffectDeny {
		out.Fail = 0
	}
	return a.WriteFlat(&out)
}

// CallWords returns the words of a command that starts without a shell: one with arguments, or a call of hookbridge;
// nil for any other.
func CallWords(h *schema.Hook) []string {
	words, plain := shell.Words(h.Command)
	switch {
	case h.Args != nil:
		return dialect.Argv(h, "")
	case !plain || len(words) < 2 || strings.TrimSuffix(filepath.Base(words[0]), ".exe") != "hookbridge":
		return nil
	}
	return words
}

// Spec prepares a command as a module starts it: in the folder for which the agent was started, with the agent's
// environment.
func (a ModuleAgent) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	if h.Handler != schema.HandlerCommand {
		return process.Spec{}, errors.New("the " + a.Module().What + " runs commands only")
	}
	s := process.Spec{Argv: CallWords(h), Dir: c.Project, Env: p.Env}
	switch {
	case s.Argv != nil:
	case p.OS == "windows":
		s.Argv = []string{"cmd.exe", "/d", "/s", "/c", h.Command}
	default:
		s.Argv = []string{"/bin/sh", "-c", h.Command}
	}
	return s, nil
}

// ProtocolField holds the version of the protocol in a module's messages and in the answers that it accepts.
const ProtocolField = "protocol"

// ModuleRefusals are the words in an answer that deny: a module can't ask the user.
var ModuleRefusals = []string{"ask", "deny", "block"}

// ModuleAnswer returns the rules for an answer to a module: those of an agent, with the protocol and more words for a
// denial.
func ModuleAnswer(origin AnswerRules) AnswerRules {
	origin.Top = append([]Part{{Name: ProtocolField, Shape: Number},
		{Name: "decision", Shape: Text, Words: append([]string{"allow", "approve"}, ModuleRefusals...)}}, origin.Top...)
	origin.Silent, origin.Verdicts = nil, nil
	return origin
}

// ModuleRefusal is the exit code with which a hook denies under a module, whose own code compares it.
const ModuleRefusal = 2

// NoReason is the reason of a denial without one.
const NoReason = "blocked by a hook"

// DecodeReply interprets a command's result as a module does: exit code 0 and one object of its protocol. Any other
// result is a failure, which denies if the entry says so. ModuleRefusal always denies.
func (a ModuleAgent) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply,
	schema.Diagnostics) {
	dec := a.Decoder(h, v)
	end := dec.Ended(&moduleEnds, res)
	if end == process.Clean {
		readModuleReply(a.Module(), dec, res)
	}
	r := &dec.Reply
	switch deny := dec.Row.Blocks == schema.EffectDeny; {
	case len(dec.Found) > 0:
		dec.Void()
		if deny && (h.Fail == schema.FailClosed || end == process.Refused) {
			dec.Block("hookbridge: " + dec.Found[0].Message)
		}
	case r.EndTurn && deny:
		r.Verdict, r.Reason = schema.Deny, bothReasons(r)
	}
	return dec.Done()
}

// bothReasons joins the reasons of a denial that also ends the turn: there is one text for both.
func bothReasons(r *schema.Reply) string {
	switch {
	case r.Reason == "", r.Reason == NoReason, r.Reason == r.EndReason:
		return cmp.Or(r.EndReason, NoReason)
	}
	return schema.JoinText(r.Reason, r.EndReason)
}

var moduleEnds = dialect.Ends{process.Killed: {Fails: true}, process.Refused: {Fails: true},
	process.Failed: {Fails: true}}

func readModuleReply(m *Module, d *Decoder, res *process.Result) {
	o, _, err := ordjson.ParseLast(res.Stdout)
	if err != nil {
		d.Add(schema.CodeBadAnswer, "the answer is not a JSON object")
		return
	}
	bad := "the answer is of another protocol"
	if n, _ := ordjson.Int(o.Value(ProtocolField)); n == m.Protocol {
		bad = d.Object(o)
	}
	if bad != "" {
		d.Add(schema.CodeBadSchema, bad)
	}
}

// DecideModule applies the decision at the top, and permissionDecision.
func DecideModule(d *Decoder, word, reason string, specific ordjson.Object) string {
	permission, why := specific.Str("permissionDecision"), specific.Str("permissionDecisionReason")
	switch {
	case slices.Contains(ModuleRefusals, permission), slices.Contains(ModuleRefusals, word):
		d.Block(cmp.Or(why, reason, NoReason))
	case permission == "allow":
		d.Reply.Verdict, d.Reply.Reason = schema.Allow, why
	}
	return ""
}

// Stamp adds the version of the protocol to an answer, which is an object.
func (m *Module) Stamp(dst, answer []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"`+ProtocolField+`":`...), m.Protocol, 10)
	switch {
	case len(answer) < len("{}"): // no answer: an empty object
		return append(dst, '}')
	case len(answer) > len("{}"):
		dst = append(dst, ',')
	}
	return append(dst, answer[1:]...)
}

// ModulePayload returns the fields of an origin that a module also sends. It always sends the last message.
func ModulePayload(origin []PayloadRow, sent []schema.Field) []PayloadRow {
	origin = append(slices.Clip(origin), PayloadRow{Late: true, Field: schema.FieldLastMessage, Default: `""`})
	return slices.DeleteFunc(origin, func(r PayloadRow) bool { return !slices.Contains(sent, r.Field) })
}

// A Raised is an event that a module passes on, its cause in the agent, and a note for the user.
type Raised struct{ Name, From, Note string }

// ModuleEvents returns an origin's events as a module passes them on, with the fields that it sends and the effects
// that it supports. seen is where From was seen.
func ModuleEvents(origin *dialect.Profile, raised []Raised, sent []schema.Field, able schema.Feature, since,
	seen string) (rows []schema.EventRow) {
	for _, r := range raised {
		row := *origin.Row(r.Name)
		row.Honors, row.Text, row.Only, row.More = row.Honors&able, 0, 0, 0
		row.Since, row.Source = since, seen+", "+r.From
		if r.Note != "" {
			row.Source += ": " + r.Note
		}
		row.Fields = slices.DeleteFunc(slices.Clone(row.Fields), func(f schema.Field) bool {
			return !slices.Contains(sent, f)
		})
		rows = append(rows, row)
	}
	return rows
}

// ModuleOutput returns a replaced result: a text that replaces the whole.
func ModuleOutput(_ *Agent, _ *schema.Call, raw []byte) (name string, value []byte) {
	return "updatedToolOutput", ordjson.AppendString(nil, TextOf(raw))
}

// ReasonAlone removes context from the effects of a denied call: the model reads only the reason, instead of a result.
func ReasonAlone(c *schema.Call, r *schema.Reply, honored schema.Feature) schema.Feature {
	if r != nil && c.Event == schema.PreTool && (r.Verdict == schema.Deny || r.EndTurn) {
		return honored &^ schema.EffectContext
	}
	return honored
}
