package adapter_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// A stated is a field of an event's row with the meaning of some words of its Source.
type stated struct {
	words string // a regular expression
	holds func(p *dialect.Profile, row *schema.EventRow) bool
}

// inFields are the words of a Source that change what a user gets, and the fields that the commands read for them.
var inFields = []stated{
	{`context.*(dropped|do nothing|ignored|does nothing)|no .*context|Context is dropped|nor adds`,
		lacks(schema.EffectContext)},
	{`\bask\b`, lacks(schema.EffectAsk)},
	{`defer`, lacks(schema.EffectDefer)},
	{`updatedInput|updated_input are ignored|no .*new input|new input .*dropped`, lacks(schema.EffectInput)},
	{`allow (has no effect|spares no)|no allow`, func(_ *dialect.Profile, row *schema.EventRow) bool {
		return row.Honors&schema.EffectAllow == 0 || row.Allow == schema.AllowPasses
	}},
	{`allow (skips|raises)`, func(_ *dialect.Profile, row *schema.EventRow) bool {
		return row.Allow == schema.AllowApproves
	}},
	{`exit code 2 (and|does nothing)|can(no|')t (block|refuse)|nothing blocks|denial is ignored|neither .*block|` +
		`a block (does|do|and exit code 2 do) no`,
		func(_ *dialect.Profile, row *schema.EventRow) bool {
			return row.Blocks == 0 && row.Honors&(schema.EffectDeny|schema.EffectKeepGoing) == 0 ||
				row.Event == schema.PermissionRequest && row.Blocks == 0 || row.Honors&schema.EffectOutput != 0
		}},
	{`nothing is (read|honored)$|answer (isn't|is) (read|discarded|ignored)`,
		func(_ *dialect.Profile, row *schema.EventRow) bool {
			return row.Honors&^schema.SilentEffects == 0 && row.Blocks|row.Text == 0 ||
				slices.Contains(row.Idle, "shutdown")
		}},
	{`continue false (is|and .* are) ignored|continue false (and systemMessage )?do nothing|` +
		`continue false doesn't end`, lacks(schema.EffectEndTurn)},
	{`(commands?|calls?|tool) that fail`, func(p *dialect.Profile, row *schema.EventRow) bool {
		return row.Raises(schema.PostToolFailure) || p.Generic(schema.PostToolFailure) == ""
	}},
	{`call that a hook refused`, func(_ *dialect.Profile, row *schema.EventRow) bool {
		return row.More == schema.Refused || row.Raises(schema.PermissionDenied)
	}},
	{`sub-agents?\b`, func(_ *dialect.Profile, row *schema.EventRow) bool {
		return row.InAgents || slices.Contains(row.Never, schema.Agent)
	}},
	{`continuation|reason of a stop hook`, func(_ *dialect.Profile, row *schema.EventRow) bool {
		return row.Continued
	}},
	{`same time|parallel|doesn't wait|may be lost|races`, func(_ *dialect.Profile, row *schema.EventRow) bool {
		return row.Beside || row.Races
	}},
	{`\b(again|twice|once more|each|every)\b`, func(_ *dialect.Profile, row *schema.EventRow) bool {
		return row.More != 0 || row.Idle != nil
	}},
	{`matchers? (is|are) ignored`, func(_ *dialect.Profile, row *schema.EventRow) bool {
		return row.Match == schema.MatchNothing
	}},
	{`matchers are (compared|searched)`, func(_ *dialect.Profile, row *schema.EventRow) bool {
		return row.Match == schema.MatchConst || row.Match == schema.MatchField
	}},
	{`\b(never|only (for|if|in|when|where|after)|after a cancel|headless|in its terminal|in print mode|run. ends)\b`,
		func(p *dialect.Profile, row *schema.EventRow) bool {
			return row.Only != 0 || row.Asked || row.Never != nil || len(p.LessOn(row.Native)) > 0
		}},
	{`not for reads`, func(_ *dialect.Profile, row *schema.EventRow) bool {
		return slices.Contains(row.Never, schema.Read)
	}},
	{`without a limit|no limit`, func(p *dialect.Profile, _ *schema.EventRow) bool { return p.StopBlocks == 0 }},
	{`8 blocks in a row`, func(p *dialect.Profile, _ *schema.EventRow) bool { return p.StopBlocks == 8 }},
	{`once a turn`, func(p *dialect.Profile, _ *schema.EventRow) bool { return p.StopBlocks == 1 }},
	{`\d+ s\b`, func(p *dialect.Profile, row *schema.EventRow) bool {
		limits := func(t dialect.TimeoutRow) bool { return t.Event == row.Event && t.Max > 0 }
		return slices.ContainsFunc(p.Timeouts, limits)
	}},
	{`characters|\bcut\b`, func(p *dialect.Profile, row *schema.EventRow) bool {
		return p.ContextLimit(row.Event) > 0 || row.Preview > 0
	}},
	{`block (replaces|and the end of the turn hide) the result`, func(_ *dialect.Profile, row *schema.EventRow) bool {
		return row.Blocks == schema.EffectOutput
	}},
	{`a later allow overrules|an allow lifts`, func(p *dialect.Profile, row *schema.EventRow) bool {
		return p.Lifts(row.Event)
	}},
	{`before PreToolUse`, func(p *dialect.Profile, row *schema.EventRow) bool {
		events := p.Raised(schema.PreTool, schema.Shell)
		return slices.Index(events, row.Native) < slices.Index(events, "PreToolUse")
	}},
	{`continue false (also refuses|is a denial)|a cancel ends the run`,
		func(_ *dialect.Profile, row *schema.EventRow) bool {
			return row.EndDenies || row.Honors&schema.EffectEndTurn == 0
		}},
	{`new input is merged`, func(p *dialect.Profile, _ *schema.EventRow) bool { return p.PatchesInput }},
	{`[Cc]ontext (comes|is (appended|forwarded|undocumented))|text is appended`,
		func(_ *dialect.Profile, row *schema.EventRow) bool { return row.Honors&schema.EffectContext != 0 }},
}

// lacks returns a test for rows that don't honor an effect.
func lacks(f schema.Feature) func(*dialect.Profile, *schema.EventRow) bool {
	return func(_ *dialect.Profile, row *schema.EventRow) bool { return row.Honors&f == 0 }
}

const (
	reads    = "the agent's own step reads answers so, and the simulated host has no other"
	noDialog = "a matter of the screen: the same text, in another place"
	noEffect = "nothing that a hook of another agent answers"
)

// elsewhere lists statements that no field of their row contains, by what contains them instead.
var elsewhere = map[string][]string{
	reads: {
		"claude Stop: continue false beats block",
		"cursor beforeReadFile: allow and deny only",
		"cursor stop: exit code 2 does nothing",
		"qoder PostToolUseFailure: a block replaces the error text",
		"qoder PreCompact: continue false cancels too",
		"qoder TaskCreated: continue false refuses too",
		"qoder TaskCompleted: continue false refuses too",
		"qoder TeammateIdle: continue false sends back too",
		"gemini AfterModel: a block does not take the text back",
		"codex SessionStart: continue false ends the turn before the model is asked",
		"codex PreCompact: continue false stops the compaction, exit code 2 doesn't",
		"qwen Stop: continue false sends the agent on too",
		"codebuddy Stop: continue false sends the agent on",
		"droid PostToolUse: only exit code 2 blocks",
		"droid PreCompact: only exit codes 2 and 3 block",
		"auggie PostToolUse: a block alone does nothing",
		"copilot userPromptSubmitted: exit code 2 doesn't block",
		"copilot postToolUse: exit code 2 doesn't block",
		"copilot agentStop: exit code 2 doesn't block",
		"copilot UserPromptSubmit: exit code 2 doesn't block",
		"copilot PostToolUse: exit code 2 doesn't block",
		"copilot Stop: exit code 2 doesn't block",
		"copilot preToolUse: a hook that fails denies, one that times out doesn't",
		"copilot PreToolUse: a hook that fails denies, one that times out doesn't",
		"copilot postToolUseFailure: with exit code 2 stderr becomes context",
		"copilot PostToolUseFailure: with exit code 2 stderr becomes context",
	},
	noEffect: {
		"cursor afterFileEdit: a rewrite of the file by the hook is picked up",
		"gemini BeforeToolSelection: the tools are chosen by hookSpecificOutput.toolConfig",
		"copilot notification: context starts another turn",
		"copilot Notification: context starts another turn",
		"copilot userPromptTransformed: the transformed prompt may be replaced",
		"qwen MessageDisplay: the text so far",
		"kimi SessionHeartbeat: each minute",
		"codebuddy FinalStop: after Stop, whatever its hooks said",
	},
	"settings of an administrator, which nothing plays": {
		"qoder ConfigChange: never for policy_settings",
	},
	"EffectWorktree: Claude Code needs the folder too": {
		"qoder WorktreeCreate: fails unless a hook names a folder that exists",
	},
	"the session's memory counts the rounds": {
		"gemini AfterAgent: stop_hook_active is false again after a tool call",
	},
	"Honors of the agent, for a failed call": {
		"gemini AfterTool: context is lost when the tool failed",
	},
	"the vocabulary of notification types": {
		"gemini Notification: before each permission dialog",
	},
	noDialog: {
		"opencode UserPromptSubmit: the reason is a toast",
		"omp UserPromptSubmit: without a terminal the reason is on stderr alone",
		"pi UserPromptSubmit: without a terminal the reason is on stderr alone",
	},
	"Ways; an ask of another agent's hook is a denial there, unless --ask relay is given": {
		"gemini BeforeTool: ask also turns a denial by policy into a dialog, and ends a headless process",
	},
}

// statements returns the sentences of a Source after its origin.
func statements(source string) []string {
	_, says, ok := strings.Cut(source, ": ")
	if !ok {
		return nil
	}
	return strings.Split(says, "; ")
}

// unstated lists the statements of a row's Source that no field contains, or whose field contradicts them.
func unstated(p *dialect.Profile, row *schema.EventRow) (left []string) {
	for _, s := range statements(row.Source) {
		said, wrong := false, false
		for _, f := range inFields {
			if regexp.MustCompile(f.words).MatchString(s) {
				said, wrong = true, wrong || !f.holds(p, row)
			}
		}
		if !said || wrong {
			left = append(left, s)
		}
	}
	return left
}

// TestStatements checks that every statement in an event's Source is also in a field that doctor, check, matrix,
// convert and the simulated host read, or in the code named in elsewhere.
func TestStatements(t *testing.T) {
	used, listed := map[string]bool{}, map[string]bool{}
	for _, keys := range elsewhere {
		for _, key := range keys {
			listed[key] = true
		}
	}
	for _, d := range adapter.Dialects() {
		p := d.Profile()
		for i := range p.Events {
			row := &p.Events[i]
			for _, s := range unstated(p, row) {
				key := p.Name + " " + row.Native + ": " + s
				if used[key] = true; !listed[key] {
					t.Errorf("no field says %q", key)
				}
			}
		}
	}
	for key := range listed {
		if !used[key] {
			t.Errorf("elsewhere has %q, which a field says, or no row", key)
		}
	}
}

// TestStatementsFail checks that a statement without its field is found.
func TestStatementsFail(t *testing.T) {
	p := &dialect.Profile{}
	for says, row := range map[string]schema.EventRow{
		"raised twice when the client ends":    {More: schema.AtExitTwice},
		"also for a call that a hook refused":  {More: schema.Refused},
		"only after a cancel":                  {Only: schema.AfterCancel},
		"races the user's dialog":              {Races: true},
		"the turn doesn't wait":                {Beside: true},
		"also for sub-agents":                  {InAgents: true},
		"matchers are ignored":                 {Match: schema.MatchNothing},
		"raised for the reason of a stop hook": {Continued: true},
	} {
		row.Source = "observed 1.0: " + says
		if left := unstated(p, &row); len(left) > 0 {
			t.Errorf("%q isn't said by %+v", left, row)
		}
		without := schema.EventRow{Source: row.Source, Match: schema.MatchTool}
		if left := unstated(p, &without); len(left) != 1 {
			t.Errorf("%q passes without its field", says)
		}
	}
	if left := unstated(p, &schema.EventRow{Source: "observed 1.0: it sings"}); len(left) != 1 {
		t.Error("words that no field is known for pass")
	}
}
