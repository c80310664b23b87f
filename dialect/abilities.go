package dialect

import (
	"time"

	"github.com/hookbridge/hookbridge/schema"
)

// Abilities are what an agent has beside what every Dialect has. A nil field: the agent has no such thing.
type Abilities struct {
	Conditions  ConditionEvaluator
	EnvFile     EnvFileFormat
	Refusals    Refuser
	Traces      Tracer
	Code        CodeFinder
	Servers     ServerLister
	ServerNames ServerNamer // only with Servers
	Imports     Importer
	Inputs      Restorer
	Files       FileRecognizer
	Callbacks   CallbackRunner
	Modules     ModuleWriter
	EntryFile   EntryFile
	EntryText   EntryText
	Copies      EntryCopies // only with EntryFile
	Companion   Companion
	Denials     DenialEnder
	Unnamed     Unnamed
	Commands    CommandCounter
	Prompts     PromptPrefixer
	Splits      Splitter
	FileSplits  FileSplitter // only with Splits
	Edits       EditWriter   // only with FileSplits
	Transcripts Transcriber
	Trust       TrustKeeper
	Approves    Approver
	Rules       RuleReader // only with Profile.DenyRules
}

// A ConditionEvaluator decides the conditions of hooks.
type ConditionEvaluator interface {
	// Holds evaluates a hook's condition for a call in one view. A condition that can't
	// be decided is true. An error means that the condition can't be parsed: the result is
	// then what the agent makes of it, and under another agent the hook runs.
	Holds(h *schema.Hook, c *schema.Call, v schema.View, home string) (bool, error)
	// MayHold reports whether a hook's condition is true of some call in a view before or after
	// a tool. An error says why it is true of no call at all.
	MayHold(h *schema.Hook, v schema.View) (bool, error)
}

// A RuleReader reads the rules by which its agent refuses calls without a hook; see Profile.DenyRules.
type RuleReader interface {
	// DenyHooks returns hooks without a handler, one for each tool, whose matchers and conditions select the calls
	// that a rule refuses. beyond, if not "", says to what else its agent applies the rule: "to searches". An error
	// says why there are no such hooks.
	DenyHooks(rule string) (hooks []schema.Hook, beyond string, err error)
	// Denies evaluates the condition of such a hook as the rule's agent does, which may look further than for a
	// condition: to what a command runs. A call that can't be decided is denied.
	Denies(h *schema.Hook, c *schema.Call, v schema.View, home string) (bool, error)
}

// An EnvFileFormat reads and writes the file by which hooks set variables; see
// Profile.EnvFile.
type EnvFileFormat interface {
	ParseEnvFile(text string, env schema.Environ) ([]schema.EnvVar, schema.Diagnostics)
	AppendEnv(dst []byte, vars []schema.EnvVar) []byte
}

// A Refuser gives a model's "no" to a prompt or agent hook another meaning than a
// deny with the reason on events that can be blocked.
type Refuser interface {
	Refusal(h *schema.Hook, v schema.View, reason string) schema.Reply
}

// Refusal is what a model's "no" to a prompt or agent hook means.
func Refusal(d Dialect, h *schema.Hook, v schema.View, reason string) schema.Reply {
	if r := d.Abilities().Refusals; r != nil {
		return r.Refusal(h, v, reason)
	}
	switch row := d.Profile().Row(v.Event); {
	case row == nil || row.Blocks == 0:
		return schema.Reply{}
	case row.Blocks == schema.EffectEndTurn:
		return schema.Reply{EndTurn: true, EndReason: reason}
	}
	return schema.Reply{Verdict: schema.Deny, Reason: reason}
}

// A Tracer lists files and folders that show that a project or a user has the agent, where its
// hook files are in a folder that exists only because of them.
type Tracer interface {
	Traces(p schema.Places) []string
}

// A CodeFinder is a dialect whose agent has hooks that are code of its own, which no other agent can run. It leaves out
// what doesn't parse.
type CodeFinder interface {
	// CodeFiles lists their files in a project and below the home folder, with slashes and * for any name.
	CodeFiles() (project, user []string)
}

// A ServerLister reads the MCP servers that its agent is configured with.
type ServerLister interface {
	Servers(p schema.Places, read ReadFile) []schema.Server
}

// A ServerNamer completes calls of MCP tools whose payload doesn't name the
// server.
type ServerNamer interface {
	NameServer(c *schema.Call, servers []schema.Server)
}

// An Importer loads hook files of other agents by itself.
type Importer interface {
	// Imported lists the files of other agents that the agent loads by itself.
	Imported(p schema.Places, read ReadFile) []string
	// Import returns a hook of such a file as the agent runs it; ok is false if it doesn't.
	Import(h schema.Hook) (own schema.Hook, ok bool)
	// AlwaysImports reports whether the agent surely loads what Imported lists: no setting of its user's switches that
	// off, or Imported reads it.
	AlwaysImports() bool
	// ImportSwitch names the setting by which its user switches that off.
	ImportSwitch() string
}

// A Restorer shows its hooks some calls in a form of its own, a patch say, and can
// read back what a hook made of it; see schema.View.Fixed.
type Restorer interface {
	// Restore returns by role what an input says that a hook was shown in view v, or
	// that it answered. ok is false if it says more, or something else, than roles can.
	Restore(v schema.View, in schema.Args) (args schema.Args, ok bool)
}

// A FileRecognizer reads hooks from files whose shape is theirs alone.
type FileRecognizer interface {
	// Recognizes reports whether a text can only be a hook file of this dialect.
	Recognizes(text []byte) bool
	// Within is the pointer of the object in text that is read as the configuration.
	Within(text []byte) string
}

// A CallbackRunner is a dialect whose hooks may be functions of a module instead
// of entries of a file: see Profile.Modules. A hook of kind callback names the
// module as its Command.
type CallbackRunner interface {
	// DescribeModule prepares the run that lists what a module holds, and
	// ModuleHooks reads what it printed: one hook a callback, none with an Error
	// diagnostic if the module can't be used.
	DescribeModule(file string, env []string) Spec
	ModuleHooks(file string, res *Result) ([]schema.Hook, schema.Diagnostics)
	// RunModule prepares the run of the callbacks that accept one of the views,
	// each for at most limit (0: as it says itself), and ModuleReplies reads what
	// they did, in the module's order; usable is false if the module could not be
	// used at all.
	RunModule(file string, views []schema.View, payloads [][]byte, limit time.Duration, env []string) Spec
	ModuleReplies(h *schema.Hook, file string, views []schema.View, res *Result) (runs []schema.CallbackRun,
		ds schema.Diagnostics, usable bool)
}

// A ModuleWriter writes hooks as a module of callbacks that call hookbridge.
type ModuleWriter interface {
	WriteModule(m *schema.Module) []byte
	// WroteModule reports whether WriteModule made a text.
	WroteModule(text []byte) bool
	// ModuleConfigs takes such a text apart: the dialect of the hooks and the
	// configuration of each group.
	ModuleConfigs(text []byte) (from string, configs [][]byte)
	// Typed reports whether the dialect's types know an event.
	Typed(native string) bool
}

// An EntryFile is a dialect whose host reads no list of commands: hookbridge writes a
// file of its own for it, such as a plugin, that runs the commands of the entries.
type EntryFile interface {
	// WriteEntries is the text of that file for the entries of a document, which is
	// Profile.Skeleton with what WriteHook writes.
	WriteEntries(document []byte) []byte
	// ReadEntries returns the document of such a text; ok is false for any other text.
	ReadEntries(text []byte) (document []byte, ok bool)
}

// An EntryCopies is a dialect whose agent finds a hook by the name of its file: the text of EntryFile is in several
// files of a folder.
type EntryCopies interface {
	// Copies lists the names that files with the text need in a folder. Files of others keep theirs.
	Copies(folder string, text []byte) (names []string)
}

// A Companion is a dialect whose agent shows its hooks less than its tools act on: a file of hookbridge's next to the
// entries closes the gap.
type Companion interface {
	// Companion is the file's path from the folder of the hook file, with slashes, and its text, of which the first
	// line says who wrote it.
	Companion() (path string, text []byte)
}

// A DenialEnder is a dialect of whose calls some can't be refused alone.
type DenialEnder interface {
	// DenialEnds says what a reply that refuses a call, or ends the turn, ends and loses beside that; "" if nothing.
	DenialEnds(c *schema.Call, r *schema.Reply) string
}

// An EntryText is a dialect that has a hook file which isn't JSON: hookbridge writes its
// entries into a part of that text.
type EntryText interface {
	// EntryTextName is the file's name.
	EntryTextName() string
	// WriteEntryText is the text with these entries of hookbridge and no others.
	WriteEntryText(text []byte, entries []EventEntry) []byte
	// ReadEntryText lists them, in the text's order; ok is false for a text that can't be read.
	ReadEntryText(text []byte) (entries []EventEntry, ok bool)
}

// An EventEntry is an entry at an event, as WriteHook of the dialect writes it.
type EventEntry struct {
	Native string
	Value  []byte
}

// An Unnamed is a dialect of which some payloads don't name their event: the command
// that is registered for the event names it.
type Unnamed interface {
	// DecodeNamed is DecodeCall for a payload of the event native; a payload that names
	// another event counts.
	DecodeNamed(src []byte, native string, env schema.Environ) (*schema.Call, schema.Diagnostics)
}

// A CommandCounter numbers the commands of a session, from 0, in the last line of their results; hookbridge
// counts those that it sees.
type CommandCounter interface {
	// Uncounted is the result of a command without that line.
	Uncounted(result string) string
}

// A PromptPrefixer puts the context of a session's start before its first prompt, and so shows it to
// the hooks of that prompt.
type PromptPrefixer interface {
	PromptPrefix(context string) string
}

// A Splitter is a dialect of which one call may do several things: change many
// files by one patch, or read files by a command. Hooks of another agent see each
// as a call of its own.
type Splitter interface {
	// Split lists the calls that c amounts to, nil if it is just what it is. Each list is one
	// reading of c. Of lists of MCP or unknown tools, which are names that c may have, a hook
	// gets the first of which its matcher accepts any call. Other lists are things that c does:
	// before c runs a hook gets all that its matcher accepts, and after it those of the first
	// list. Of a list a hook gets every call that its matcher accepts.
	Split(c *schema.Call) (alternatives [][]*schema.Call)
	// Join returns the input of c in which one of its parts has another input. ok is
	// false if c can't say that.
	Join(c, part *schema.Call, in schema.Args) (input schema.Args, ok bool)
}

// A FileSplitter is a Splitter whose calls say what they do by the lines of files.
type FileSplitter interface {
	// SplitFiles is Split with what the files hold.
	SplitFiles(c *schema.Call, files CallFiles) (alternatives [][]*schema.Call)
}

// An EditWriter is a FileSplitter whose model says by lines what it changes in a file that is there.
type EditWriter interface {
	// EditInput is the input with which the model changes the file at path.
	EditInput(path string, changes []LineChange) []byte
}

// A LineChange puts lines in the place of a file's lines From to To, counted from 1; if To is less, before From.
type LineChange struct {
	From, To int
	Lines    []string // without their ends
}

// CallFiles are the files that a call names.
type CallFiles interface {
	// Named lists the files that the tool may take a path for: the one that it spells, or those that it may mean.
	Named(path string) []string
	// Text is what a file holds before the call.
	Text(file string) (text string, ok bool)
}

// A Transcriber reads and writes the transcripts that hooks get the path of: text
// files of one JSON object a line, to which the agent only adds. Hooks of another
// agent get a copy in their own agent's format. A dialect without it is given no
// transcript of another agent, and gives none.
type Transcriber interface {
	// DecodeMessage reads one line. Lines that hold no message, such as marks and
	// metadata, give none; an error says that the line is none of a transcript.
	DecodeMessage(line []byte) ([]schema.Message, error)
	// AppendMessage writes m for the thread t as the agent would: none, one or more
	// whole lines, counted in t.Lines. The same m and t give the same bytes.
	AppendMessage(dst []byte, m *schema.Message, t *schema.Thread) []byte
}

// A TrustState says whether an agent runs a hook, as far as its user's review goes.
type TrustState uint8

const (
	TrustUnknown    TrustState = iota // the agent's record doesn't say
	TrustNotNeeded                    // the agent runs the hook without a review
	Trusted                           // the user has reviewed the hook as it is
	Untrusted                         // never reviewed: the hook doesn't run
	TrustModified                     // changed since its review: the hook doesn't run
	TrustOff                          // the user has switched the hook off
	FolderUntrusted                   // the user has said not to trust the project's folder
	FolderUnlisted                    // the record doesn't list the project's folder: the agent asks
	NoCheckout                        // the agent runs a project's hooks in the root of a Git checkout only
)

// Stops reports whether the agent doesn't run the hook.
func (s TrustState) Stops() bool { return s >= Untrusted }

// An Approver is a dialect whose agent keeps a user's review of a hook in a file, so that hookbridge can write there
// what the user agrees to.
type Approver interface {
	// ApprovalFile is the user's file, "" if it isn't known.
	ApprovalFile(p schema.Places) string
	// Approve is the text of that file with the hooks as the review would leave them, nil if it can't be told where
	// they belong in it. The rest is left unchanged.
	Approve(text []byte, hooks []schema.Hook) []byte
}

// A TrustKeeper is a dialect whose agent runs only hooks that its user has reviewed.
type TrustKeeper interface {
	// Trust returns the state of one of the agent's own hooks.
	Trust(h *schema.Hook, p schema.Places, read func(path string) ([]byte, error)) TrustState
	// Review says in a sentence how a user reviews hooks.
	Review() string
}
