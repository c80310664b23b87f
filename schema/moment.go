package schema

// A Moment is a moment at which an agent raises an event although others don't, or the only moment at which it does.
type Moment uint8

const (
	_ Moment = iota
	// AtExitTwice: the end of a session, raised again for the same end.
	AtExitTwice
	// OfSessionBefore: the end of a session, also of one that the agent itself began and left.
	OfSessionBefore
	// EachTry: an error, for every try of the request.
	EachTry
	// EachChunk: an answer of the model, for every part of it.
	EachChunk
	// OwnChanges: a changed file, also if the agent's own tools changed it.
	OwnChanges
	// EachSession: a setup, even if nobody requested it.
	EachSession
	// AgentsUnmarked: the end of a turn, also a sub-agent's, which the payload doesn't distinguish.
	AgentsUnmarked
	// Compacting: the end of a sub-agent, also of the one that compacts the conversation.
	Compacting
	// Refused: a failed call, also one that a hook denied, which the payload doesn't distinguish.
	Refused
	// Deferred: a call of an MCP server's tool, also of the tool with which the model makes such calls.
	Deferred
	// AfterCancel: the end of a session, after a hook has canceled it.
	AfterCancel
	// ByClassifier: a denial by the classifier of a permission mode.
	ByClassifier
	// ByMode: a denial by a permission mode that would ask and can't.
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

// Shown reports whether the payload identifies the moment, so that a hook can distinguish it.
func (m Moment) Shown() bool { return m == Deferred || m == Compacting }

// String returns when the moment is, for a sentence that names the event; "" for the zero Moment.
func (m Moment) String() string {
	if int(m) < len(momentTexts) {
		return momentTexts[m]
	}
	return ""
}
