package dialect

import (
	"time"

	"github.com/hookbridge/hookbridge/schema"
)

// Abilities are the optional interfaces that an agent's dialect implements. A nil field means that it doesn't.
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
	// Holds evaluates a hook's condition for a call in one view. A condition that can't be decided is true. An error
	// means that the condition can't be parsed: the result is then how the agent treats it, and under another agent the
	// hook runs.
	Holds(h *schema.Hook, c *schema.Call, v schema.View, home string) (bool, error)
	// MayHold reports whether a hook's condition can be true of any call in a view before or after a tool. If it can't,
	// the error gives the reason.
	MayHold(h *schema.Hook, v schema.View) (bool, error)
}

// A RuleReader reads the rules by which its agent denies calls without a hook; see Profile.DenyRules.
type RuleReader interface {
	// DenyHooks returns hooks without a handler, one for each tool, whose matchers and conditions select the calls that
	// a rule denies. If beyond isn't "", the agent applies the rule to that as well: "to searches". If there are no
	// such hooks, the error gives the reason.
	DenyHooks(rule string) (hooks []schema.Hook, beyond string, err error)
	// Denies evaluates the condition of such a hook as the rule's agent does. It may look further than for a condition:
	// at the commands that a command runs. A call that can't be decided is denied.
	Denies(h *schema.Hook, c *schema.Call, v schema.View, home string) (bool, error)
}

// An EnvFileFormat reads and writes the file in which hooks set variables; see Profile.EnvFile.
type EnvFileFormat interface {
	ParseEnvFile(text string, env schema.Environ) ([]schema.EnvVar, schema.Diagnostics)
	AppendEnv(dst []byte, vars []schema.EnvVar) []byte
}

// A Refuser changes what a model's "no" to a prompt or agent hook means. The default, on events that can be blocked, is
// a denial with the reason.
type Refuser interface {
	Refusal(h *schema.Hook, v schema.View, reason string) schema.Reply
}

// Refusal is the reply for a model's "no" to a prompt or agent hook.
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

// A Tracer lists files and folders that show that a project or a user has the agent. It is for agents whose hook files
// are in a folder that exists only for them.
type Tracer interface {
	Traces(p schema.Places) []string
}

// A CodeFinder is a dialect whose agent also has hooks in its own kind of code, which no other agent can run. It leaves
// out files that don't parse.
type CodeFinder interface {
	// CodeFiles lists the files of such hooks in a project and below the home folder, with slashes and * for any name.
	CodeFiles() (project, user []string)
}

// A ServerLister reads the MCP servers in its agent's configuration.
type ServerLister interface {
	Servers(p schema.Places, read ReadFile) []schema.Server
}

// A ServerNamer completes calls of MCP tools whose payload doesn't name the
// server.
type ServerNamer interface {
	NameServer(c *schema.Call, servers []schema.Server)
}

// An Importer is a dialect whose agent loads hook files of other agents.
type Importer interface {
	// Imported lists the files of other agents that the agent loads.
	Imported(p schema.Places, read ReadFile) []string
	// Import returns a hook of such a file as the agent runs it; ok is false if it doesn't.
	Import(h schema.Hook) (own schema.Hook, ok bool)
	// AlwaysImports reports whether the agent certainly loads the files of Imported: either no user setting turns this
	// off, or Imported reads the setting.
	AlwaysImports() bool
	// ImportSwitch names the user setting that turns importing off.
	ImportSwitch() string
}

// A Restorer shows hooks some calls in its own form, such as a patch. It can read back how a hook changed it; see
// schema.View.Fixed.
type Restorer interface {
	// Restore returns an input by role. The input is what a hook was shown in view v, or its answer. ok is false if
	// roles can't express the whole input.
	Restore(v schema.View, in schema.Args) (args schema.Args, ok bool)
}

// A FileRecognizer recognizes its own hook files, whose shape no other agent uses.
type FileRecognizer interface {
	// Recognizes reports whether a text can only be a hook file of this dialect.
	Recognizes(text []byte) bool
	// Within is the pointer of the object in text that is read as the configuration.
	Within(text []byte) string
}

// A CallbackRunner is a dialect whose hooks may be functions of a module instead of entries in a file: see
// Profile.Modules. A hook of kind callback has the module as its Command.
type CallbackRunner interface {
	// DescribeModule prepares the run that lists a module's callbacks. ModuleHooks reads the output: one hook for each
	// callback. If the module can't be used, it returns an Error diagnostic and no hooks.
	DescribeModule(file string, env []string) Spec
	ModuleHooks(file string, res *Result) ([]schema.Hook, schema.Diagnostics)
	// RunModule prepares the run of the callbacks that accept one of the views. Each may run for limit; 0 means its own
	// limit. ModuleReplies reads the results, in the module's order; usable is false if the module couldn't be used at
	// all.
	RunModule(file string, views []schema.View, payloads [][]byte, limit time.Duration, env []string) Spec
	ModuleReplies(h *schema.Hook, file string, views []schema.View, res *Result) (runs []schema.CallbackRun,
		ds schema.Diagnostics, usable bool)
}

// A ModuleWriter writes hooks as a module of callbacks that call hookbridge.
type ModuleWriter interface {
	WriteModule(m *schema.Module) []byte
	// WroteModule reports whether WriteModule generated a text.
	WroteModule(text []byte) bool
	// ModuleConfigs parses such a text. It returns the dialect of the hooks and the configuration of each group.
	ModuleConfigs(text []byte) (from string, configs [][]byte)
	// Typed reports whether the dialect's types include an event.
	Typed(native string) bool
}

// An EntryFile is a dialect whose host reads no list of commands. hookbridge writes a file for it, such as a plugin,
// that runs the commands of the entries.
type EntryFile interface {
	// WriteEntries generates that file from the entries of a document: Profile.Skeleton with the values of WriteHook.
	WriteEntries(document []byte) []byte
	// ReadEntries returns the document of such a text; ok is false for any other text.
	ReadEntries(text []byte) (document []byte, ok bool)
}

// An EntryCopies is a dialect whose agent finds a hook by its file name: several files of a folder have the same
// EntryFile text.
type EntryCopies interface {
	// Copies lists the file names that need the text in a folder. It leaves out the names of other people's files.
	Copies(folder string, text []byte) (names []string)
}

// A Companion is a dialect whose tools act on more than its hooks are shown. hookbridge closes the gap with a file next
// to the entries.
type Companion interface {
	// Companion returns the file's path relative to the folder of the hook file, with slashes, and its text. The first
	// line of the text names its author.
	Companion() (path string, text []byte)
}

// A DenialEnder is a dialect in which some calls can't be denied alone.
type DenialEnder interface {
	// DenialEnds says what else is ended or lost if a reply denies a call or ends the turn; "" if nothing.
	DenialEnds(c *schema.Call, r *schema.Reply) string
}

// An EntryText is a dialect with a hook file that isn't JSON: hookbridge writes its entries into a part of that text.
type EntryText interface {
	// EntryTextName is the file's name.
	EntryTextName() string
	// WriteEntryText returns the text with these entries of hookbridge and no others.
	WriteEntryText(text []byte, entries []EventEntry) []byte
	// ReadEntryText lists hookbridge's entries, in the text's order; ok is false if the text can't be read.
	ReadEntryText(text []byte) (entries []EventEntry, ok bool)
}

// An EventEntry is an entry at an event, as WriteHook of the dialect writes it.
type EventEntry struct {
	Native string
	Value  []byte
}

// An Unnamed is a dialect in which some payloads don't name their event. The command that is registered for the event
// names it.
type Unnamed interface {
	// DecodeNamed is DecodeCall for a payload of the event native; a payload that names
	// another event counts.
	DecodeNamed(src []byte, native string, env schema.Environ) (*schema.Call, schema.Diagnostics)
}

// A CommandCounter is a dialect that numbers the commands of a session, from 0, in the last line of their results.
// hookbridge counts the commands that it sees.
type CommandCounter interface {
	// Uncounted returns the result of a command without that line.
	Uncounted(result string) string
}

// A PromptPrefixer puts the context from the session's start before the first prompt, where the hooks of that prompt
// see it.
type PromptPrefixer interface {
	PromptPrefix(context string) string
}

// A Splitter is a dialect in which one call may do several things: change many files with one patch, or read files with
// a command. Hooks of another agent see each part as a separate call.
type Splitter interface {
	// Split lists the calls that c amounts to, nil if c is a single ordinary call. Each list is one reading of c. Lists
	// of MCP or unknown tools are possible names of c: a hook gets the first list in which its matcher accepts a call.
	// Other lists are the actions of c. Before c runs, a hook gets all of them that its matcher accepts; after it, only
	// those of the first list. From a list, a hook gets every call that its matcher accepts.
	Split(c *schema.Call) (alternatives [][]*schema.Call)
	// Join returns the input of c with another input for one of its parts. ok is false if c can't express that.
	Join(c, part *schema.Call, in schema.Args) (input schema.Args, ok bool)
}

// A FileSplitter is a Splitter whose calls describe changes by the lines of files.
type FileSplitter interface {
	// SplitFiles is Split with access to the content of the files.
	SplitFiles(c *schema.Call, files CallFiles) (alternatives [][]*schema.Call)
}

// An EditWriter is a FileSplitter whose model describes changes to an existing file by lines.
type EditWriter interface {
	// EditInput returns the input with which the model changes the file at path.
	EditInput(path string, changes []LineChange) []byte
}

// A LineChange replaces the lines From to To of a file, counted from 1. If To is less than From, it inserts before
// From.
type LineChange struct {
	From, To int
	Lines    []string // without their line ends
}

// CallFiles are the files that a call names.
type CallFiles interface {
	// Named lists the files that the tool may mean by a path: the exact one, or the candidates.
	Named(path string) []string
	// Text returns a file's content before the call.
	Text(file string) (text string, ok bool)
}

// A Transcriber reads and writes the transcripts whose paths hooks get: text files of one JSON object per line, to
// which the agent only appends. Hooks of another agent get a copy in that agent's format. A dialect without a
// Transcriber doesn't take part in this.
type Transcriber interface {
	// DecodeMessage reads one line. Lines without a message, such as marks and metadata, yield none; an error means
	// that the line isn't part of a transcript.
	DecodeMessage(line []byte) ([]schema.Message, error)
	// AppendMessage writes m for the thread t as the agent would: zero or more whole lines, counted in t.Lines. The
	// same m and t give the same bytes.
	AppendMessage(dst []byte, m *schema.Message, t *schema.Thread) []byte
}

// A TrustState is whether an agent runs a hook, as far as its user's review goes.
type TrustState uint8

const (
	TrustUnknown    TrustState = iota // the agent's record doesn't show it
	TrustNotNeeded                    // the agent runs the hook without a review
	Trusted                           // the user has reviewed the hook as it is
	Untrusted                         // never reviewed: the hook doesn't run
	TrustModified                     // changed since its review: the hook doesn't run
	TrustOff                          // the user has switched the hook off
	FolderUntrusted                   // the user chose not to trust the project's folder
	FolderUnlisted                    // the record doesn't list the project's folder: the agent asks
	NoCheckout                        // the agent runs a project's hooks only in the root of a Git checkout
)

// Stops reports whether the state keeps the agent from running the hook.
func (s TrustState) Stops() bool { return s >= Untrusted }

// An Approver is a dialect whose agent keeps a user's review of a hook in a file, so that hookbridge can record the
// user's approval there.
type Approver interface {
	// ApprovalFile returns the user's file, "" if it isn't known.
	ApprovalFile(p schema.Places) string
	// Approve returns the text of that file as the review of these hooks would leave it, nil if their place in it is
	// unclear. The rest is left unchanged.
	Approve(text []byte, hooks []schema.Hook) []byte
}

// A TrustKeeper is a dialect whose agent runs only hooks that its user has reviewed.
type TrustKeeper interface {
	// Trust returns the state of one of the agent's own hooks.
	Trust(h *schema.Hook, p schema.Places, read func(path string) ([]byte, error)) TrustState
	// Review describes in a sentence how a user reviews hooks.
	Review() string
}
