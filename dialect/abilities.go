package dialect

import (
	"time"

	"github.com/hookbridge/hookbridge/schema"
)

// Ability returns what d has beside Dialect: an implementation of T, one of the
// interfaces of this file, or nil. It is the only place that looks.
func Ability[T any](d Dialect) T {
	able, _ := d.(T)
	return able
}

// A ConditionEvaluator decides the conditions of hooks.
type ConditionEvaluator interface {
	// Holds evaluates a hook's condition for a call in one view. A condition that can't
	// be decided is true. An error means that the condition can't be parsed; the hook
	// then runs.
	Holds(h *schema.Hook, c *schema.Call, v schema.View, home string) (bool, error)
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

// Refusal is what a model's "no" to a prompt or agent hook means, or that of a hook
// which could not run and must not be passed over.
func Refusal(d Dialect, h *schema.Hook, v schema.View, reason string) schema.Reply {
	if r := Ability[Refuser](d); r != nil {
		return r.Refusal(h, v, reason)
	}
	if row := d.Profile().Row(v.Event); row == nil || row.Blocks == 0 {
		return schema.Reply{}
	}
	return schema.Reply{Verdict: schema.Deny, Reason: reason}
}

// A ServerNamer completes calls of MCP tools whose payload doesn't name the
// server.
type ServerNamer interface {
	Servers(p schema.Places, read ReadFile) []schema.Server
	NameServer(c *schema.Call, servers []schema.Server)
}

// An Importer loads hook files of other agents by itself.
type Importer interface {
	// Imported lists the files of other agents that the agent loads by itself.
	Imported(p schema.Places, read ReadFile) []string
	// Imports reports whether it runs the hook of such a file.
	Imports(h *schema.Hook) bool
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
	ModuleReplies(h *schema.Hook, file string, views []schema.View, res *Result) (runs []schema.CallbackRun, ds schema.Diagnostics, usable bool)
}

// A ModuleWriter writes hooks as a module of callbacks that call the bridge.
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
