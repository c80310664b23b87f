package schema

import (
	_ "embed"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
)

// A Code names a kind of finding. Codes are never reused. The first digit is the
// area: 0 syntax of an input, 1 meaning of the source, 2 not supported by the
// target, 3 run time, 4 installation.
type Code string

// RejectsFile reports whether the agent, as far as the tables show, runs no hook of a file with such a finding.
func (c Code) RejectsFile() bool { return c == CodeVoidFile || c == CodeNewerWord }

// Codes of findings. Their severities are in codes, their titles and explanations in codes.txt.
const (
	CodeSyntax       Code = "HB001"
	CodeShape        Code = "HB002"
	CodeUnreadable   Code = "HB003"
	CodeNoEventName  Code = "HB010"
	CodeUnknownEvent Code = "HB011"

	CodeSkippedEvent   Code = "HB101"
	CodeVoidFile       Code = "HB102"
	CodeVoidHook       Code = "HB103"
	CodeDeadMatcher    Code = "HB104"
	CodeUnknownMember  Code = "HB105"
	CodeDisabled       Code = "HB106"
	CodeMilliseconds   Code = "HB107"
	CodePluginRoot     Code = "HB108"
	CodeRefusedFile    Code = "HB109"
	CodeDeadCondition  Code = "HB110"
	CodeIgnoredOnce    Code = "HB111"
	CodeBadCondition   Code = "HB112"
	CodeIgnoredMatcher Code = "HB113"
	CodeOddMatcher     Code = "HB114"
	CodeRepeated       Code = "HB115"
	CodeNoVersion      Code = "HB116"
	CodeNewerWord      Code = "HB117"
	CodeNewerPart      Code = "HB118"
	CodeScriptField    Code = "HB119"
	CodeScriptExit     Code = "HB120"

	CodeNoEvent      Code = "HB201"
	CodeNoFeature    Code = "HB202"
	CodeAskDenied    Code = "HB203"
	CodeInputDenied  Code = "HB204"
	CodeContextCut   Code = "HB205"
	CodeRelayed      Code = "HB206"
	CodeContextLost  Code = "HB207"
	CodeOutputKept   Code = "HB208"
	CodeEndTurn      Code = "HB209"
	CodeNoticeLost   Code = "HB210"
	CodeEffectLost   Code = "HB211"
	CodeMemberLost   Code = "HB212"
	CodeAskAllowed   Code = "HB213"
	CodeDenyLost     Code = "HB214"
	CodeAskRelayed   Code = "HB215"
	CodeEnvLost      Code = "HB216"
	CodeKeepGoLost   Code = "HB217"
	CodeAskUncertain Code = "HB218"
	CodeUntyped      Code = "HB219"
	CodeAllowPassed  Code = "HB220"
	CodeDeadValue    Code = "HB222"
	CodeFewerCalls   Code = "HB223"
	CodeManyAnswers  Code = "HB224"
	CodeMoreCalls    Code = "HB225"
	CodeServerName   Code = "HB226"
	CodeWayLacks     Code = "HB227"
	CodeWayAnswers   Code = "HB228"
	CodeNotAwaited   Code = "HB229"
	CodeRuleLeft     Code = "HB230"
	CodeScriptLost   Code = "HB231"

	CodeNotStarted    Code = "HB301"
	CodeTimedOut      Code = "HB302"
	CodeBadAnswer     Code = "HB303"
	CodeBadSchema     Code = "HB304"
	CodeHookFailed    Code = "HB305"
	CodeTruncated     Code = "HB306"
	CodeNoEvaluator   Code = "HB307"
	CodeNoHandler     Code = "HB308"
	CodeHTTP          Code = "HB309"
	CodeAlreadyRun    Code = "HB310"
	CodeOwnImport     Code = "HB311"
	CodeState         Code = "HB312"
	CodeUntrusted     Code = "HB313"
	CodeForeignAnswer Code = "HB314"
	CodeSlowMatcher   Code = "HB315"
	CodeReleased      Code = "HB316"
	CodeServerUnknown Code = "HB317"
	CodeDetached      Code = "HB318"
	CodeIgnoredEffect Code = "HB319"
	CodeBridge        Code = "HB320"
	CodeEnvFile       Code = "HB321"
	CodeEvaluator     Code = "HB322"
	CodeModule        Code = "HB323"
	CodeTranscript    Code = "HB324"
	CodeOldAnswer     Code = "HB325"
	CodeHooksChanged  Code = "HB326"
	CodeOddInput      Code = "HB327"

	CodeNotCalled     Code = "HB401"
	CodeRunsTwice     Code = "HB402"
	CodeForeignImport Code = "HB403"
	CodeAlwaysRuns    Code = "HB404"
	CodeUnreviewed    Code = "HB405"
	CodeScenario      Code = "HB406"
	CodeTooOld        Code = "HB407"
	CodeExcluded      Code = "HB408"
	CodeChoice        Code = "HB409"
	CodeServerEdits   Code = "HB410"

	CodeStale          Code = "HB501"
	CodePluginFolder   Code = "HB502"
	CodePluginQuotes   Code = "HB503"
	CodePluginTimeout  Code = "HB504"
	CodePluginPointer  Code = "HB505"
	CodePluginHidden   Code = "HB506"
	CodePluginScript   Code = "HB507"
	CodePluginVersion  Code = "HB508"
	CodePluginArgs     Code = "HB509"
	CodePluginTooLong  Code = "HB510"
	CodePluginRejected Code = "HB511"
	CodePluginMoves    Code = "HB512"
)

// A CodeInfo documents a Code, for docs/codes.md and the explain command.
type CodeInfo struct {
	codeRow
	Title  string `json:"title"`
	Text   string `json:"text"`
	Do     string `json:"do"`     // what to do
	Before string `json:"before"` // an example that is reported
	After  string `json:"after"`  // what to write instead, or the result
}

// A codeRow is the part of a code that the program needs.
type codeRow struct {
	Code     Code       `json:"code"`
	Severity Severity   `json:"severity"` // the default severity; a finding's may differ
	Also     []Severity `json:"-"`        // severities of other cases
	// About is the feature that the code is about, 0 if there is none. The code applies to an agent as far as the agent
	// supports the feature.
	About Feature `json:"-"`
}

// codeTexts are the texts of each code, five paragraphs below its name.
//
//go:embed codes.txt
var codeTexts string

// codes are in ascending order.
var codes = [...]codeRow{
	{CodeSyntax, Error, nil, 0},
	{CodeShape, Error, nil, 0},
	{CodeUnreadable, Error, nil, 0},
	{CodeNoEventName, Error, nil, 0},
	{CodeUnknownEvent, Error, nil, 0},
	{CodeSkippedEvent, Loss, nil, 0},
	{CodeVoidFile, Weaker, nil, 0},
	{CodeVoidHook, Weaker, []Severity{Loss}, 0},
	{CodeDeadMatcher, Weaker, []Severity{Loss, Note}, 0},
	{CodeUnknownMember, Note, nil, 0},
	{CodeDisabled, Note, nil, 0},
	{CodeMilliseconds, Note, nil, HookTimeout},
	{CodePluginRoot, Weaker, nil, 0},
	{CodeRefusedFile, Weaker, nil, 0},
	{CodeDeadCondition, Weaker, nil, HookCondition},
	{CodeIgnoredOnce, Note, nil, HookOnce},
	{CodeBadCondition, Note, nil, HookCondition},
	{CodeIgnoredMatcher, Note, nil, 0},
	{CodeOddMatcher, Note, nil, 0},
	{CodeRepeated, Loss, nil, 0},
	{CodeNoVersion, Weaker, nil, 0},
	{CodeNewerWord, Weaker, nil, 0},
	{CodeNewerPart, Weaker, nil, 0},
	{CodeScriptField, Weaker, nil, 0},
	{CodeScriptExit, Loss, nil, 0},
	{CodeNoEvent, Weaker, []Severity{Loss, Note}, 0},
	{CodeNoFeature, Loss, []Severity{Weaker, Note}, 0},
	{CodeAskDenied, Note, nil, EffectAsk},
	{CodeInputDenied, Note, nil, EffectInput},
	{CodeContextCut, Loss, nil, EffectContext},
	{CodeRelayed, Note, nil, EffectContext},
	{CodeContextLost, Loss, nil, EffectContext},
	{CodeOutputKept, Weaker, nil, EffectOutput},
	{CodeEndTurn, Weaker, nil, EffectEndTurn},
	{CodeNoticeLost, Note, nil, EffectNotice},
	{CodeEffectLost, Loss, nil, 0},
	{CodeMemberLost, Note, nil, 0},
	{CodeAskAllowed, Weaker, nil, EffectAsk},
	{CodeDenyLost, Error, []Severity{Weaker}, EffectDeny},
	{CodeAskRelayed, Note, nil, EffectAsk},
	{CodeEnvLost, Loss, nil, EffectEnv},
	{CodeKeepGoLost, Weaker, nil, EffectKeepGoing},
	{CodeAskUncertain, Weaker, nil, EffectAsk},
	{CodeUntyped, Note, nil, 0},
	{CodeAllowPassed, Note, nil, 0},
	{CodeDeadValue, Note, nil, 0},
	{CodeFewerCalls, Weaker, []Severity{Loss, Note}, 0},
	{CodeManyAnswers, Weaker, nil, 0},
	{CodeMoreCalls, Loss, []Severity{Note}, 0},
	{CodeServerName, Note, nil, 0},
	{CodeWayLacks, Loss, nil, 0},
	{CodeWayAnswers, Weaker, nil, 0},
	{CodeNotAwaited, Loss, []Severity{Weaker, Note}, 0},
	{CodeRuleLeft, Weaker, nil, 0},
	{CodeScriptLost, Weaker, nil, 0},
	{CodeNotStarted, Weaker, []Severity{Loss}, HookFailPolicy},
	{CodeTimedOut, Weaker, []Severity{Loss}, HookTimeout},
	{CodeBadAnswer, Weaker, []Severity{Loss}, 0},
	{CodeBadSchema, Weaker, []Severity{Loss}, 0},
	{CodeHookFailed, Note, nil, HookFailPolicy},
	{CodeTruncated, Loss, nil, 0},
	{CodeNoEvaluator, Weaker, []Severity{Loss}, 0},
	{CodeNoHandler, Weaker, []Severity{Loss}, 0},
	{CodeHTTP, Weaker, []Severity{Loss}, 0},
	{CodeAlreadyRun, Note, nil, 0},
	{CodeOwnImport, Note, nil, 0},
	{CodeState, Loss, nil, 0},
	{CodeUntrusted, Weaker, nil, 0},
	{CodeForeignAnswer, Weaker, nil, 0},
	{CodeSlowMatcher, Note, nil, 0},
	{CodeReleased, Note, nil, HookAsync},
	{CodeServerUnknown, Note, nil, 0},
	{CodeDetached, Note, nil, HookAsync},
	{CodeIgnoredEffect, Note, nil, 0},
	{CodeBridge, Error, nil, 0},
	{CodeEnvFile, Loss, nil, EffectEnv},
	{CodeEvaluator, Weaker, []Severity{Loss}, 0},
	{CodeModule, Error, nil, 0},
	{CodeTranscript, Note, nil, 0},
	{CodeOldAnswer, Note, nil, 0},
	{CodeHooksChanged, Note, nil, 0},
	{CodeOddInput, Note, []Severity{Weaker, Loss}, 0},
	{CodeNotCalled, Weaker, []Severity{Loss}, 0},
	{CodeRunsTwice, Weaker, nil, 0},
	{CodeForeignImport, Weaker, []Severity{Loss}, 0},
	{CodeAlwaysRuns, Note, nil, 0},
	{CodeUnreviewed, Weaker, nil, 0},
	{CodeScenario, Weaker, nil, 0},
	{CodeTooOld, Weaker, nil, 0},
	{CodeExcluded, Note, nil, 0},
	{CodeChoice, Weaker, nil, 0},
	{CodeServerEdits, Note, nil, 0},
	{CodeStale, Weaker, nil, 0},
	{CodePluginFolder, Weaker, nil, 0},
	{CodePluginQuotes, Weaker, nil, 0},
	{CodePluginTimeout, Weaker, nil, 0},
	{CodePluginPointer, Weaker, nil, 0},
	{CodePluginHidden, Weaker, nil, 0},
	{CodePluginScript, Weaker, nil, 0},
	{CodePluginVersion, Note, nil, 0},
	{CodePluginArgs, Weaker, nil, 0},
	{CodePluginTooLong, Note, nil, 0},
	{CodePluginRejected, Weaker, nil, 0},
	{CodePluginMoves, Weaker, nil, 0},
}

// row returns the row of c, nil for an unknown code.
func (c Code) row() *codeRow {
	return lists.Find(codes[:], func(r *codeRow) bool { return r.Code == c })
}

// Codes returns every code in order.
func Codes() []CodeInfo {
	return lists.Map(codes[:], func(r codeRow) CodeInfo {
		info, _ := r.Code.Info()
		return info
	})
}

// Info returns the documentation of c; ok is false for an unknown code.
func (c Code) Info() (info CodeInfo, ok bool) {
	row := c.row()
	if row == nil {
		return info, false
	}
	info.codeRow = *row
	_, below, _ := strings.Cut(codeTexts, "\n"+string(c)+"\n")
	block, _, _ := strings.Cut(below, "\n\n")
	lines := strings.Split(strings.ReplaceAll(block, "\n  ", " "), "\n")
	for i, text := range []*string{&info.Title, &info.Text, &info.Do, &info.Before, &info.After} {
		_, *text, _ = strings.Cut(lines[i], ": ")
	}
	return info, true
}

// Severity returns the default severity of c, Error for an unknown code.
func (c Code) Severity() Severity {
	if row := c.row(); row != nil {
		return row.Severity
	}
	return Error
}

// Severities lists the severities of findings of c: the default one, and those of other cases. A loss for most hooks
// weakens a hook that can block.
func (c Code) Severities() []Severity {
	severities := []Severity{c.Severity()}
	if row := c.row(); row != nil {
		severities = append(severities, row.Also...)
	}
	return severities
}
