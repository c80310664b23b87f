package dialect

import (
	"slices"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/schema"
)

// Unseen describes switches for hooks that aren't in a file, so that hookbridge can't check them. The zero Unseen means
// that there are none.
type Unseen struct {
	Managed string // the places of an administrator's settings
	OnlyIf  string // a condition for any hook to run
}

// Files describes an agent's hook files, and which of them it loads.
type Files struct {
	Skeleton string       // the content of a new hook file
	EventsAt string       // JSON Pointer of the object of events in that file
	Members  []HookMember // the fields that express features of hooks
	Ignored  []Ignored    // fields of an entry that the canonical model doesn't have

	Folders     []string          // further folders of its files, with slashes; prefixes of its name count too
	Shared      []string          // folders of its files that a project may also have for other reasons
	AgentFolder string            // the folder of sub-agent files; "": they have no hooks
	FrontMatter frontmatter.Rules // of Markdown files with hooks
	Plugins     Plugins
	VoidMember  VoidMember

	Unseen Unseen

	// Apart names the agent that this one was forked from and whose files it doesn't read; "": none. One agent's (Oh My
	// Pi): install reads it for all agents.
	Apart string

	// DenyRules is a JSON pointer to the list of calls that the agent denies without a hook; "": none is known; see
	// RuleReader. One agent's (Claude Code): no hook is involved, so no other agent denies them.
	DenyRules string
	// OtherRules are further such lists. convert can't turn them into guards.
	OtherRules []string

	// Markers are files of a project, with slashes, that this agent reads, but that don't show that the project uses
	// it. Files that many agents read, such as AGENTS.md, aren't listed.
	Markers []string

	// Layers is the range of folders with project files that the agent loads when it is started in a folder of a
	// project. 0: that folder alone.
	Layers Layers
	// Primary is how the agent treats a linked Git worktree.
	Primary Primary
	// HomeTwice: with the user's home folder as the project, the agent loads a hook file
	// both as the user's and as the project's. The others load it once. One agent's
	// (Cursor): the simulated host reads the files of all agents by one rule.
	HomeTwice bool

	// Worktrees is the folder of a project, with slashes, that holds the Git worktrees to which the agent moves during
	// a session. The agent then reports the worktree as the project. "": it keeps reporting the project. One agent's
	// (Qoder): every call needs it, and looking up an ability costs 4,500 instructions.
	Worktrees string

	// Modules are the suffixes of files whose functions are hooks of this dialect; see CallbackRunner. One agent's
	// (Qoder's SDK): reading a file begins with its suffix.
	Modules []string
}

// Layers is how far up an agent looks for project files. It was observed with agents started in a subfolder, a
// submodule, a linked worktree and a folder that Git ignores. Submodules and worktrees count as separate repositories.
type Layers uint8

const (
	// LayersToRepository: every folder up to the root of the Git repository; without a repository, only the start
	// folder.
	LayersToRepository Layers = iota + 1
	// LayersToTop: likewise, but without a repository up to the root of the disk.
	LayersToTop
	// RootAlone: only the root of the Git repository; without a repository, only the start folder.
	RootAlone
)

// Primary is what an agent loads from the primary checkout when it is started in a linked Git worktree.
type Primary uint8

const (
	// PrimaryNever: nothing.
	PrimaryNever Primary = iota
	// PrimaryOnly: the primary checkout's files, and none of the worktree's. If the worktree itself doesn't have the
	// agent's folder, nothing is loaded.
	PrimaryOnly
	// PrimaryToo: the files of both.
	PrimaryToo
)

// Payloads describes an agent's payloads.
type Payloads struct {
	Fields *schema.MemberTable
	Marks  []Mark // identify a payload of the agent
	// Newest is the version in payloads if the user names none; "": payloads have no version. One agent's (Cursor): log
	// compares the versions of all agents with it.
	Newest      string
	CleansPaths bool // hooks see absolute paths without ".."
	// Sent are further fields of the payloads, which fire and test add: fields without a canonical counterpart, and
	// fields of every event of a subagent.
	Sent []SentFields
	// ResultLimit is how much of a tool's result hooks are shown; zero: all of it.
	ResultLimit Length
	// Unnamed: payloads don't name their event, so the hook's command must. This doesn't hold for all of Copilot's
	// programs, but an ability has no versions.
	Unnamed bool
}

// A Length is the length of a text, in UTF-16 units, or of its JSON, in bytes. The zero Length means that there is
// none.
type Length struct{ Units, Bytes int }

// String writes the length for a sentence, "" for the zero Length.
func (l Length) String() string {
	switch {
	case l.Bytes > 0:
		return strconv.Itoa(l.Bytes) + " bytes of JSON"
	case l.Units > 0:
		return strconv.Itoa(l.Units) + " characters"
	}
	return ""
}

// SentFields are fields that the client sends on events, as seen in its recorded payloads.
type SentFields struct {
	Events []string // by the agent's names
	Fields string   // a JSON object with examples
}

// A ContextLimit is the longest context that a hook may add on an event, in UTF-16 units; the zero Event: on all.
type ContextLimit struct {
	On    schema.Event
	Units int
}

// ContextLimit returns the limit on an event, 0 if there is none.
func (a *Answers) ContextLimit(e schema.Event) int {
	for _, limit := range a.ContextLimits {
		if limit.On == e || limit.On == 0 {
			return limit.Units
		}
	}
	return 0
}

// Answers describes how an agent treats the answers of hooks.
type Answers struct {
	AnswerWords   []string       // fields that only this agent's answers have
	ContextLimits []ContextLimit // the longest contexts that hooks may add; nil: no limit
	ReasonLimit   int            // the longest denial reason that the model sees whole, in UTF-16 units; 0: no limit

	// StopBlocks is how often in a row the agent lets its stop hooks continue the turn; 0: no limit. LoopLimit is the
	// same for a single hook without its own limit.
	StopBlocks int
	LoopLimit  int
	// StopBlocksVariable names the variable with which a user sets StopBlocks; 0 or less means no limit. One agent's
	// (Claude Code): derived agents have others, or none.
	StopBlocksVariable string

	// RefusalStatus is the exit code with which a hook denies; 0: there is none.
	RefusalStatus int
	// StatusHolds: only a denial with that exit code, and with just the reason on stderr, holds whatever the event's
	// other hooks do. hookbridge then doesn't fail with exit code 1, which would lift their denials.
	StatusHolds bool

	// LastCounts: the last of several equal hooks runs, not the first. One agent's (Claude Code): select and convert
	// use it to compare hooks.
	LastCounts bool
	// PatchesInput: a rewritten input replaces its fields and keeps the others.
	PatchesInput bool
	// Line is what hooks that run one after the other see of each other's answers.
	Line Line
	// Lone are the effects for which the agent uses only one hook's answer when several hooks answer. For the others,
	// the strictest answer counts, or all do.
	Lone []LoneRow
}

// A Line is how hooks run one after the other.
type Line uint8

const (
	PassesInput Line = iota // a later hook sees the input as an earlier one left it
	// Chains: likewise for the result, and a denial ends the line (observed Copilot 1.0.102; Gemini CLI 0.61 and Qoder
	// 1.1.52 show the tool's own result).
	Chains
	OwnInput // each hook sees the model's original call, and a denial ends the line (observed Grok 1.0.41)
)

// A LoneRow selects the hook whose answer counts for some effects at an event, if several answer.
type LoneRow struct {
	On      schema.Event
	Effects schema.Feature
	Pick    Pick
	Status  bool // a denial with RefusalStatus holds whatever the others answer
}

// Lifts reports whether a later hook's answer may lift a denial at an event.
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

// Timing describes how long an agent waits.
type Timing struct {
	// Timeouts are the time limits of hooks; the first row that fits counts.
	Timeouts []TimeoutRow

	// LongestTimeout is the longest timeout that an entry can set. The agent ends a hook with a longer one immediately,
	// or skips it. 0: no limit.
	LongestTimeout time.Duration

	// TimeoutUnit is the smallest step of a timeout in an entry; 0: fractions are allowed.
	TimeoutUnit time.Duration

	// OutputGrace is how long the agent keeps reading the output of a hook's children after the hook ended. If
	// negative, it reads until the timeout, which then counts as one. hookbridge stops when the hook has answered, so
	// that its answer is neither late nor lost.
	OutputGrace time.Duration

	// ReleaseLine: a first line {"async": true} makes the agent stop waiting; see GoesOn.
	ReleaseLine bool
}

// Environment describes the environment in which an agent starts hooks.
type Environment struct {
	EnvFile EnvFile
	// KeepsEnv: variables that a hook sets reach later hooks. One agent's (Cursor): the session's file stores them,
	// which no step of a dialect sees.
	KeepsEnv bool
	// LoginShell: a login shell starts the hooks, and its PATH may differ. One agent's (Cursor): init reports it for
	// the agents that it installs for.
	LoginShell bool
	// FillsText is the prefix of the variables in a command that are replaced as text, even within single quotes;
	// "": no variables are. A value with a quote breaks the command, and Grok Build starts no hook with an unset
	// variable.
	FillsText string
	// Reads are the variables that hookbridge reads for the agent. A test compares them with the code.
	Reads []EnvRow

	// Starts is where the agent starts the commands of a project's hook file.
	Starts Start

	HostVariables Variables // mark a process as started by this agent
	HTTP          schema.HTTPRules
}

// A Start is where an agent starts the commands of a project's hook file. The zero Start is the project's folder.
type Start struct {
	// Variable holds the project's folder, for commands that start in the session's folder. "": not needed.
	Variable string
	Below    bool // starts in the session's folder, maybe below the project's, which no variable holds
	Windows  WindowsShell
}

// A WindowsShell is the program that starts hook commands on Windows, as far as it affects the form of a command.
type WindowsShell uint8

const (
	AsElsewhere WindowsShell = iota // bash or sh, or unknown
	PowerShell5                     // PowerShell, perhaps the version that comes with Windows
	// PowerShellField: likewise, and an entry may have a separate command for it, which the dialect writes from
	// Hook.Windows.
	PowerShellField
	Cmd // cmd.exe
	// OperatorCmd: cmd.exe for a command with an operator. Any other command is started without a shell, so it must be
	// a program.
	OperatorCmd
	NotThere // the agent starts no hooks that need sh
)

// Transcript describes when an agent writes the files that payloads name.
type Transcript struct {
	// EarlyTranscript: hooks get the transcript's path before the file exists.
	EarlyTranscript bool
	// LateTranscript is how long after the start of its stop hooks the agent may take to write its last message into
	// the transcript.
	LateTranscript time.Duration
}
