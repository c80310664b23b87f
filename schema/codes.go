package schema

import (
	"slices"

	"github.com/hookbridge/hookbridge/internal/lists"
)

// A Code names a kind of finding. Codes are never reused. The first digit is the
// area: 0 syntax of an input, 1 meaning of the source, 2 not supported by the
// target, 3 run time, 4 installation.
type Code string

// RejectsFile reports whether the agent, as far as the tables know it, runs no hook of a file with such a finding.
func (c Code) RejectsFile() bool { return c == CodeVoidFile || c == CodeNewerWord }

// Codes of findings. Their titles, severities and explanations are in Codes.
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

// A CodeInfo documents a Code. docs/codes.md and the explain command use it.
type CodeInfo struct {
	Code     Code       `json:"code"`
	Severity Severity   `json:"severity"` // the usual severity; a case may differ
	Also     []Severity `json:"-"`        // those of the cases that weigh differently
	// About is the feature that the code is about, 0 if there is none: what an agent can do with the feature is what
	// the code means for that agent.
	About  Feature `json:"-"`
	Title  string  `json:"title"`
	Text   string  `json:"text"`
	Do     string  `json:"do"`     // what to do about it
	Before string  `json:"before"` // an example that is reported
	After  string  `json:"after"`  // what to write instead, or the result
}

// codeLists are the lists of codes in their order.
var codeLists = [...][]CodeInfo{fileCodes, callCodes, runCodes}

// Codes returns every code in order.
func Codes() []CodeInfo { return slices.Concat(codeLists[:]...) }

// Info returns the documentation of c; ok is false for an unknown code.
func (c Code) Info() (info CodeInfo, ok bool) {
	for _, list := range codeLists {
		if i := lists.Find(list, func(i *CodeInfo) bool { return i.Code == c }); i != nil {
			return *i, true
		}
	}
	return info, false
}

// Severity returns the usual severity of c, Error for an unknown code.
func (c Code) Severity() Severity {
	if i, ok := c.Info(); ok {
		return i.Severity
	}
	return Error
}

// Severities lists those that findings of c have: the usual one, and those of the cases
// that weigh differently. A finding about a hook that can block is weaker where the same
// about another hook is a loss.
func (c Code) Severities() []Severity {
	i, _ := c.Info()
	return append([]Severity{c.Severity()}, i.Also...)
}
