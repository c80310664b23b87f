package session

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/state"
)

// Keys of the session's file that identify a continuation. The entry's name is added to the first two.
const (
	keyTurn   = "turn|"
	keyGoing  = "going|"
	keyPrefix = "prefix"
)

// A Turn is one that a stop hook has continued. Not every agent marks its continuation, and some raise their prompt
// event for it. The prompt, which stays the same, and the growing answer identify it.
type Turn struct {
	Rounds  int64  // how many times in a row the agent was kept working
	Prompt  string // of the user
	Answer  string // the agent's output so far
	Message string // the hook's reason to continue; "": none
}

// Continued returns the rounds of the turn with this prompt and answer, and the new part of the answer. The rounds are
// 0 if it isn't the turn that KeepTurn kept.
func (e Entry) Continued(prompt, answer string) (rounds int64, last string) {
	value, _ := e.of.get(keyTurn + e.name)
	parts := strings.Fields(value)
	if len(parts) != 4 || parts[1] != digest(prompt) {
		return 0, ""
	}
	rounds, err := strconv.ParseInt(parts[0], 10, 64)
	old := cutMark(parts[2], parts[3])
	if err != nil || rounds < 0 || !old.begins(answer) {
		return 0, ""
	}
	return rounds, strings.TrimPrefix(answer[old.size:], "\n")
}

// KeepTurn keeps what identifies a continuation. If the Turn has no message, or one longer than MaxText, it keeps
// nothing and forgets the turn before.
func (e Entry) KeepTurn(t Turn) {
	turn, going := keyTurn+e.name, keyGoing+e.name
	if t.Message == "" || len(t.Message) > MaxText {
		e.of.take(turn)
		e.of.take(going)
		return
	}
	value := strings.Join([]string{strconv.FormatInt(t.Rounds, 10), digest(t.Prompt), markOf(t.Answer).String()}, " ")
	e.of.put(turn, value, turnLife)
	e.of.put(going, t.Message, turnLife)
}

// SentOn reports whether a prompt is a stop hook's message, alone or among others'.
func (m *Memory) SentOn(prompt string) bool {
	prompt = "\n" + prompt + "\n"
	return slices.ContainsFunc(m.items, func(it state.Item) bool {
		return strings.HasPrefix(it.Key, keyGoing) && strings.Contains(prompt, "\n"+it.Value+"\n")
	})
}

// KeepPrefix keeps what the host puts before the first prompt for context of the session's start.
func (m *Memory) KeepPrefix(text string) { m.put(keyPrefix, markOf(text).String(), turnLife) }

// WithoutPrefix returns a prompt without the text of KeepPrefix. Any other prompt stays whole: a guard must see it.
func (m *Memory) WithoutPrefix(prompt string) string {
	value, _ := m.get(keyPrefix)
	size, sum, _ := strings.Cut(value, " ")
	if mark := cutMark(size, sum); mark.begins(prompt) {
		return prompt[mark.size:]
	}
	return prompt
}

// A mark identifies the beginning of a text.
type mark struct {
	size int // below 0: no text
	sum  string
}

func markOf(text string) mark { return mark{len(text), digest(text)} }

func cutMark(size, sum string) mark {
	n, err := strconv.Atoi(size)
	if err != nil {
		n = -1
	}
	return mark{n, sum}
}

func (m mark) begins(text string) bool {
	return 0 <= m.size && m.size <= len(text) && digest(text[:m.size]) == m.sum
}

func (m mark) String() string { return strconv.Itoa(m.size) + " " + m.sum }

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}
