package dialect

import (
	"slices"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/schema"
)

// Unseen is what switches hooks on or off and isn't in a file, so that hookbridge can't check it. The zero Unseen is
// nothing.
type Unseen struct {
	Managed string // the places of an administrator's settings
	OnlyIf  string // what has to hold before any hook runs
}

// Files is how an agent's hook files look, and which of them it loads.
type Files struct {
	Skeleton string       // the file that hooks are added to where there is none
	EventsAt string       // JSON Pointer of the object of events in that file
	Members  []HookMember // how an entry of a hook file says a feature
	Ignored  []Ignored    // members of an entry that the canonical model has no place for

	Folders     []string          // further folders of its files, with slashes, beside those that begin with its name
	Shared      []string          // folders of its files that a project may have for another reason
	AgentFolder string            // folder of the files that define sub-agents; "": their files have no hooks
	FrontMatter frontmatter.Rules // of Markdown files with hooks
	Plugins     Plugins
	VoidMember  VoidMember

	Unseen Unseen

	// Apart is the agent, by its name, that this one is made from and whose files it doesn't read. "": none. One
	// agent's (Oh My Pi): install asks it of all agents.
	Apart string

	// DenyRules is where a hook file may list calls that the agent refuses by itself, as a JSON pointer; "": nowhere,
	// as far as is known; see RuleReader. One agent's (Claude Code): no hook is involved, so no other agent refuses
	// them.
	DenyRules string
	// OtherRules are further such lists, of which convert can write no guards.
	OtherRules []string

	// Markers are files of a project, with slashes, that this agent is known to read, and that don't show that the
	// project is used with it. A file that many agents read, such as AGENTS.md, isn't one.
	Markers []string

	// Layers says from which folders the agent loads project files when it is started in a folder of a project.
	// 0: from that folder alone.
	Layers Layers
	// Primary is what a linked Git worktree means to the agent.
	Primary Primary
	// HomeTwice: with the user's home folder as the project, the agent loads a hook file
	// both as the user's and as the project's. The others load it once. One agent's
	// (Cursor): the simulated host reads the files of all agents by one rule.
	HomeTwice bool

	// Worktrees is the folder of a project, with slashes, that holds the Git worktrees
	// which the agent moves to during a session. The agent then names the worktree as
	// the project. "": it keeps the project's name. One agent's (Qoder): each call asks,
	// and looking for an ability costs 4,500 instructions.
	Worktrees string

	// Modules are the endings of files whose functions are hooks of this dialect; see
	// CallbackRunner. One agent's (Qoder's SDK): reading a file begins with its ending.
	Modules []string
}

// Layers is how far up an agent looks for project files, as observed with agents started in a subfolder, a submodule,
// a linked worktree and a folder that Git ignores. A submodule and a worktree are repositories of their own.
type Layers uint8

const (
	// LayersToRepository: from each folder up to the root of the Git repository; without one from its own alone.
	LayersToRepository Layers = iota + 1
	// LayersToTop: likewise, but without a repository up to the root of the disk.
	LayersToTop
	// RootAlone: from the root of the Git repository alone; without one from its own folder.
	RootAlone
)

// Primary is what an agent that is started in a linked Git worktree loads of the primary checkout.
type Primary uint8

const (
	// PrimaryNever: nothing.
	PrimaryNever Primary = iota
	// PrimaryOnly: the files of the primary checkout, and none of the worktree's own. The worktree has to have the
	// agent's folder itself, or nothing is loaded.
	PrimaryOnly
	// PrimaryToo: the files of both.
	PrimaryToo
)

// Payloads is how an agent's payloads look.
type Payloads struct {
	Fields *schema.MemberTable
	Marks  []Mark // what a payload of the agent is recognized by
	// Newest is the version that payloads name where the user names none; "": they name
	// no version. One agent's (Cursor): log compares the versions of all agents with it.
	Newest      string
	CleansPaths bool // hooks see absolute paths without ".."
	// Sent are further fields of the payloads, which fire and test play: those that no canonical field stands for,
	// and those of every event of a subagent.
	Sent []SentFields
	// ResultLimit is how much of a tool's result hooks are shown; the zero Length: all of it.
	ResultLimit Length
	// Unnamed: payloads don't name their event: the hook's command must. Of
	// Copilot not those of all its programs: an ability has no versions.
	Unnamed bool
}

// A Length is the length of a text, in UTF-16 units, or of its JSON, in bytes. The zero Length is none.
type Length struct{ Units, Bytes int }

// String is the length in words, "" if it is none.
func (l Length) String() string {
	switch {
	case l.Bytes > 0:
		return strconv.Itoa(l.Bytes) + " bytes of JSON"
	case l.Units > 0:
		return strconv.Itoa(l.Units) + " characters"
	}
	return ""
}

// SentFields are fields that the client sends on events, as its recorded payloads have them.
type SentFields struct {
	Events []string // by the agent's names
	Fields string   // a JSON object with examples
}

// A ContextLimit is the longest context that a hook may add on an event, in UTF-16 units; the zero Event: on all.
type ContextLimit struct {
	On    schema.Event
	Units int
}

// ContextLimit is the limit on an event, 0 if there is none.
func (a *Answers) ContextLimit(e schema.Event) int {
	for _, limit := range a.ContextLimits {
		if limit.On == e || limit.On == 0 {
			return limit.Units
		}
	}
	return 0
}

// Answers is what an agent makes of what hooks answer.
type Answers struct {
	AnswerWords   []string       // members that only this agent's answers have
	ContextLimits []ContextLimit // the longest contexts that hooks may add; nil: any length
	ReasonLimit   int            // the longest reason of a denial that the model sees whole, in UTF-16 units; 0: any

	// StopBlocks is how often in a row the agent lets its stop hooks continue the
	// turn; 0: without limit. LoopLimit is the same for one hook that sets no limit of its own.
	StopBlocks int
	LoopLimit  int
	// StopBlocksVariable names the variable by which a user sets StopBlocks, where 0 and below
	// are without limit. One agent's (Claude Code): derived agents have others, or none.
	StopBlocksVariable string

	// RefusalStatus is the exit code by which a hook refuses; 0: none does.
	RefusalStatus int
	// StatusHolds: only with that exit code does a refusal hold whatever the other hooks of the event do, with the
	// reason alone on stderr; a failure of hookbridge isn't exit code 1 then, which would lift other hooks' refusals.
	StatusHolds bool

	// LastCounts: of equal hooks the last one runs, not the first. One agent's (Claude Code):
	// select and convert compare hooks by it.
	LastCounts bool
	// PatchesInput: a rewritten input replaces fields and keeps the others.
	PatchesInput bool
	// Line is what hooks that run one after the other see of each other's answers.
	Line Line
	// Lone are the effects of which the agent takes one hook's answer, where several hooks of an event answer. Of
	// all others the strictest counts, or all do.
	Lone []LoneRow
}

// A Line is how hooks run one after the other.
type Line uint8

const (
	PassesInput Line = iota // a later hook is shown the input as an earlier one has left it
	// Chains: the result too, and a refusal ends the line (observed Copilot 1.0.102; Gemini CLI 0.61 and Qoder 1.1.52
	// show the tool's own result).
	Chains
	OwnInput // each is shown the call as the model made it, and a refusal ends the line (observed Grok 1.0.41)
)

// A LoneRow says which of several hooks' answers counts for some effects at an event.
type LoneRow struct {
	On      schema.Event
	Effects schema.Feature
	Pick    Pick
	Status  bool // a refusal by RefusalStatus holds whatever the others answer
}

// Lifts reports whether the answer of a later hook at an event may lift a refusal.
func (p *Profile) Lifts(e schema.Event) bool {
	return slices.ContainsFunc(p.Lone, func(row LoneRow) bool {
		return row.On == e && row.Effects&schema.EffectDeny != 0 && row.Pick == PickLast
	})
}

// A Pick is a choice among the answers of hooks.
type Pick uint8

const (
	PickLast  Pick = iota // in the order of the configuration
	PickFirst             // the same
	PickLate              // of the hook that ends last
	PickEarly             // of the hook that ends first
)

// Timing is how long an agent waits.
type Timing struct {
	// Timeouts are the time limits of hooks; the first row that fits counts.
	Timeouts []TimeoutRow

	// LongestTimeout is the longest time that an entry can state: the agent ends a hook with
	// more at once, or skips it. 0: no limit.
	LongestTimeout time.Duration

	// TimeoutUnit is the smallest time that an entry can state; 0: fractions too.
	TimeoutUnit time.Duration

	// OutputGrace is how long after a hook's own end the agent still reads what its
	// children print; below 0: until its timeout, which then counts as one. hookbridge
	// stops when the hook has answered, so that its answer is neither late nor lost.
	OutputGrace time.Duration

	// ReleaseLine: a first line {"async": true} makes the agent stop waiting; see GoesOn.
	ReleaseLine bool
}

// Environment is what the hooks of an agent are started with.
type Environment struct {
	EnvFile EnvFile
	// KeepsEnv: variables that a hook sets reach later hooks. One agent's (Cursor): the
	// session's file remembers them, which no step of a dialect sees.
	KeepsEnv bool
	// LoginShell: hooks are started by a login shell, whose PATH may differ. One agent's
	// (Cursor): init says so when it lists what it installs for.
	LoginShell bool
	// FillsText: variables in a command are filled in as text, within single quotes too, and
	// one that is set nowhere keeps the hook from running. One agent's (Grok Build): commands
	// that call hookbridge are written for all agents in one place.
	FillsText bool
	// Reads are the variables that hookbridge reads for the agent. A test compares them with the code.
	Reads []EnvRow

	// Starts is where the agent starts the commands of a project's hook file.
	Starts Start

	HostVariables Variables // mark a process as started by this agent
	HTTP          schema.HTTPRules
}

// A Start is where an agent starts the commands of a project's hook file. The zero Start is the project's folder.
type Start struct {
	// Variable has the project's folder: commands start where the session is. "": it isn't needed.
	Variable string
	Below    bool // in the session's folder, which may be one of the project's, and no variable has the project's
	Windows  WindowsShell
}

// A WindowsShell is what starts the commands of hooks on Windows, as far as the form of a command depends on it.
type WindowsShell uint8

const (
	AsElsewhere WindowsShell = iota // bash or sh; or it isn't known
	PowerShell5                     // PowerShell, which may be Windows' own
	// PowerShellField: the same, and an entry may have a command of its own for it, which the dialect writes of
	// Hook.Windows.
	PowerShellField
	Cmd // cmd.exe
	// OperatorCmd: cmd.exe for a command with an operator; any other is started without a shell, which starts programs
	// alone.
	OperatorCmd
	NotThere // the agent starts no hook that is for sh
)

// Transcript is when an agent writes the files that payloads name.
type Transcript struct {
	// EarlyTranscript: hooks get the path of the transcript before there is a file.
	EarlyTranscript bool
	// LateTranscript is how long after its stop hooks have started the agent may take
	// to write its last message into the transcript.
	LateTranscript time.Duration
}
