package gemini

import (
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is the Gemini CLI dialect. Its zero value is ready to use and follows the
// newest version; Version ("0.36.0") selects an older one.
type Dialect struct{ Version string }

const name = "gemini"

// Name returns "gemini".
func (Dialect) Name() string { return name }

// EventRows returns the dialect's events.
func (Dialect) EventRows() []schema.EventRow { return events }

// ToolRows returns the dialect's tools.
func (Dialect) ToolRows() []schema.ToolRow { return tools }

// profile holds the agent's constants (observed 0.61.0).
var profile = dialect.Profile{
	Skeleton:      `{"hooks":{}}`,
	StopBlocks:    10, // at most 20 reach the model, then the client hangs or crashes
	LoopLimit:     -1,
	PromptPrefix:  promptPrefix,
	Vocabularies:  words,
	HostVariables: hookVariables,
	Members: []dialect.HookMember{
		{Feature: schema.HookMatcher, Name: "matcher"},
		{Feature: schema.HookTimeout, Name: "timeout"},
		{Feature: schema.HookEnv, Name: "env"},
		{Feature: schema.HookSequential, Name: "sequential"},
	},
	Ignored: []dialect.Ignored{{Name: "name", Severity: schema.Note}, {Name: "description", Severity: schema.Note}},
}

// hookVariables describe one hook run.
var hookVariables = dialect.Variables{Names: []string{"GEMINI_PROJECT_DIR", "GEMINI_CWD", "GEMINI_PLANS_DIR", "GEMINI_SESSION_ID"}}

// promptPrefix is what a headless client puts before the first prompt (observed
// 0.61.0).
func promptPrefix(context string) string {
	return "<hook_context>" + strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(context) + "</hook_context>\n\n"
}

// Profile returns the dialect's constants.
func (Dialect) Profile() *dialect.Profile { return &profile }

// At returns the dialect at a version.
func (Dialect) At(version string) any { return Dialect{Version: version} }

// Follows returns the version that d speaks of, "" for the newest.
func (d Dialect) Follows() string { return d.Version }

// Has reports whether that version raises the event of a row.
func (d Dialect) Has(row *schema.EventRow) bool { return since(d.Version, row.Since) }

// since reports whether a version is first or a later one; "" is the newest.
func since(version, first string) bool {
	if version == "" {
		return true
	}
	a, b := strings.Split(version, "."), strings.Split(first, ".")
	for i := range b {
		have := 0
		if i < len(a) {
			have, _ = strconv.Atoi(a[i])
		}
		if want, _ := strconv.Atoi(b[i]); have != want {
			return have > want
		}
	}
	return true
}

// asksSince is the version that knows the decision "ask" (source).
const asksSince = "0.36.0"
