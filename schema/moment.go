package schema

// A Moment is when an agent raises an event although others don't, or the only moment at which it does.
type Moment uint8

const (
	_ Moment = iota
	// AtExitTwice: the end of a session, once more for the same end.
	AtExitTwice
	// OfSessionBefore: the end of a session, also for one that the agent itself began and left.
	OfSessionBefore
	// EachTry: an error, for every try of the request.
	EachTry
	// EachChunk: an answer of the model, for every part of it.
	EachChunk
	// OwnChanges: a file that changed, also by the agent's own tools.
	OwnChanges
	// EachSession: a setup, without anybody asking for one.
	EachSession
	// AgentsUnmarked: the end of a turn, also of a sub-agent's, and the payload doesn't show it.
	AgentsUnmarked
	// Compacting: the end of a sub-agent, also of the one that compacts the conversation.
	Compacting
	// Refused: a call that failed, also one that a hook refused, and the payload doesn't show it.
	Refused
	// Deferred: a call of an MCP server's tool, also of the tool by which the model makes such calls.
	Deferred
	// AfterCancel: the end of a session, after a hook has canceled it.
	AfterCancel
	// ByClassifier: a refusal, by the classifier of a permission mode.
	ByClassifier
	// ByMode: a refusal, by a permission mode that would ask and can't.
	ByMode
)

// momentTexts follow "raises EVENT only" or "also raises EVENT".
var momentTexts = [...]string{
	AtExitTwice:     "a second time when its terminal client ends",
	OfSessionBefore: "a second time when it is started for a protocol (ACP), for a session that it left",
	EachTry:         "for every try of a request",
	EachChunk:       "for every part of an answer",
	OwnChanges:      "for files that its own tools change",
	EachSession:     "in every session, although nobody asked for a setup",
	AgentsUnmarked:  "when a sub-agent ends its turn, and the payload doesn't show it",
	Compacting:      "for the agent that compacts the conversation",
	Refused:         "for calls that a hook refused, and the payload doesn't show it",
	Deferred:        "for the tool by which its model calls the tools of MCP servers",
	AfterCancel:     "after a hook has canceled the session",
	ByClassifier:    "for calls that the classifier of a permission mode refused",
	ByMode:          "for calls that a permission mode refused because it can't ask",
}

// Shown reports whether a payload shows that it is such a moment, so that a hook can tell it from the others.
func (m Moment) Shown() bool { return m == Deferred || m == Compacting }

// String says when it is, behind the name of an event; "" of the zero Moment.
func (m Moment) String() string {
	if int(m) < len(momentTexts) {
		return momentTexts[m]
	}
	return ""
}
