package common

import (
	"bytes"
	"errors"
	"strings"

	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A LogRecord is one line of a log, as log shows it. The host's payload and the hooks' output are left out. Lines of
// older versions lack some fields and have others.
type LogRecord struct {
	Time     string       `json:"time"`
	HooksOf  string       `json:"hooks_of"`
	Host     string       `json:"host"` // this and the next five: "" if the payload couldn't be read
	Version  string       `json:"version"`
	Event    string       `json:"event"`
	Session  string       `json:"session"`
	Tool     string       `json:"tool,omitempty"`
	CallID   string       `json:"call_id,omitempty"`
	Trace    string       `json:"traceparent,omitempty"` // of the payload, or of the environment
	Project  string       `json:"project"`
	Hooks    []LogHook    `json:"hooks"`
	Decision string       `json:"decision"`
	Reason   string       `json:"reason,omitempty"` // with --log-reasons, like the hooks' reasons
	Effects  string       `json:"effects"`
	Findings []LogFinding `json:"diagnostics"`
	Failed   bool         `json:"failed"`
	MS       float64      `json:"ms"`

	Raw []byte `json:"-"` // the line
}

// A LogHook is a hook that ran, in a LogRecord.
type LogHook struct {
	Event    string  `json:"event"`
	Tool     string  `json:"tool,omitempty"`
	Handler  string  `json:"handler"`
	Command  string  `json:"command"`
	File     string  `json:"file"`
	Path     string  `json:"path"`
	Line     int     `json:"line"`
	Exit     int     `json:"exit"`
	Signal   string  `json:"signal,omitempty"`
	TimedOut bool    `json:"timed_out"`
	MS       float64 `json:"ms"`
	Decision string  `json:"decision"`
	Reason   string  `json:"reason,omitempty"`
	Effects  string  `json:"effects"`
}

// A LogFinding is a finding without its text, because that may quote the payload.
type LogFinding struct {
	Code     schema.Code `json:"code"`
	Severity string      `json:"severity"`
	Path     string      `json:"path"`
}

func (f LogFinding) String() string {
	return strings.TrimSpace(f.Severity + " " + string(f.Code) + " " + f.Path)
}

// ReadRecord reads one line of a log.
func ReadRecord(line []byte) (*LogRecord, error) {
	if err := ordjson.Check(line); err != nil {
		return nil, err
	}
	r := &LogRecord{}
	if err := jsondoc.Unmarshal(line, r); err != nil {
		return nil, errors.New("not a record of a log: " + err.Error())
	}
	r.Raw = bytes.TrimSpace(line)
	return r, nil
}

// What names the call: the agent, its event and the tool, if known.
func (r *LogRecord) What() string {
	return strings.TrimSpace(strings.Join([]string{r.Host, r.Event, r.Tool}, " "))
}

// Outcome returns the decision, or else the effects, in a word for people.
func (r *LogRecord) Outcome() string {
	switch {
	case r.Failed:
		return "failed"
	case r.Decision != "none" && r.Decision != "":
		return r.Decision
	case r.Effects != "":
		return r.Effects
	}
	return "none"
}
