package gemini

import (
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is the Gemini CLI dialect. Its zero value is ready to use and follows the
// newest version; Version ("0.36.0") selects an older one.
type Dialect struct {
	Version string
	profile *dialect.Profile // nil: the newest
}

const name = "gemini"

// profile holds the agent's constants (observed 0.61.0).
var profile = dialect.Profile{
	Name:         name,
	Title:        "Gemini CLI",
	Events:       events,
	Tools:        tools,
	Fields:       members,
	Grammar:      schema.GrammarRegexpOrEqual,
	ValueGrammar: schema.GrammarExact,
	Key:          key,
	Timeouts:     []dialect.TimeoutRow{{Default: 60 * time.Second}}, // docs, source
	Marks: []dialect.Mark{{Sure: 7, Members: []string{"timestamp"}}, {Sure: 6, Events: []string{"BeforeAgent", "AfterAgent", "BeforeModel",
		"AfterModel", "BeforeToolSelection", "BeforeTool", "AfterTool", "PreCompress"}}}, // every payload has a timestamp
	Skeleton:      `{"hooks":{}}`,
	EventsAt:      "/hooks",
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
func (d Dialect) Profile() *dialect.Profile {
	if d.profile != nil {
		return d.profile
	}
	return &profile
}

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	p, err := profile.At(version)
	if err != nil {
		return nil, err
	}
	return Dialect{Version: version, profile: p}, nil
}

// asksSince is the version that knows the decision "ask" (source).
const asksSince = "0.36.0"
