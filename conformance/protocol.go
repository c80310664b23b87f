package conformance

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
)

// A Request asks an implementation for one translation. In the protocol it is one JSON object on one line, with the
// required fields of a vector; see README.md.
type Request struct {
	ID           string   `json:"id,omitempty"`
	Op           Op       `json:"op,omitempty"`
	From         string   `json:"from,omitempty"`
	To           string   `json:"to,omitempty"`
	Event        string   `json:"event,omitempty"`
	Tool         string   `json:"tool,omitempty"`
	Options      Options  `json:"options"`
	Input        []byte   `json:"-"` // JSON, or any bytes if InputText is set
	InputText    bool     `json:"-"`
	Project      string   `json:"project,omitempty"`           // run: the folder with the hooks; otherwise ""
	Home         string   `json:"home,omitempty"`              // run: the user's home
	State        string   `json:"state,omitempty"`             // run: a folder that outlives an event
	EvaluatorCmd string   `json:"evaluator_command,omitempty"` // run: answers prompt and agent hooks
	Environment  []string `json:"environment,omitempty"`       // run: the whole environment, "NAME=value"
}

// requestLine is a Request in the protocol.
type requestLine struct {
	*Request
	given
}

// An Answer is an implementation's result.
type Answer struct {
	Output   []byte // one JSON object, for a call perhaps an array of several; nil: none
	Findings []Finding
	Skip     string // why the implementation doesn't support this; "" if it does
}

// An Implementation answers requests, one at a time. An error means that there was no answer to check.
type Implementation interface {
	Do(ctx context.Context, r *Request) (Answer, error)
}

// Append writes r as one line without its line end.
func (r *Request) Append(dst []byte) []byte {
	return append(dst, jsondoc.Marshal(requestLine{r, givenAs(r.Input, r.InputText)})...)
}

// ParseRequest reads a line of the protocol.
func ParseRequest(line []byte) (*Request, error) {
	r := requestLine{Request: &Request{}}
	if err := jsondoc.Unmarshal(line, &r); err != nil {
		return nil, err
	}
	r.Input, r.InputText = r.input()
	return r.Request, nil
}

// answerLine is an Answer in the protocol. A diagnostic may have further texts, for people.
type answerLine struct {
	ID          *string             `json:"id,omitempty"` // may be echoed
	Skip        string              `json:"skip,omitempty"`
	Output      jsondoc.Raw         `json:"output,omitempty"`
	Diagnostics []map[string]string `json:"diagnostics,omitempty"`
}

// Append writes a as one line without its line end.
func (a *Answer) Append(dst []byte) []byte {
	if a.Skip != "" {
		return append(dst, jsondoc.Marshal(answerLine{Skip: a.Skip})...)
	}
	line := struct {
		Output      jsondoc.Raw `json:"output"`
		Diagnostics []Finding   `json:"diagnostics"`
	}{jsondoc.Raw(ordjson.AppendCompact(nil, a.Output)), append([]Finding{}, a.Findings...)}
	return append(dst, jsondoc.Marshal(line)...)
}

// parseAnswer reads a line of the protocol, and the id that it repeats. It is strict, so that a misspelled field can't
// remove a part of an answer.
func parseAnswer(answer []byte) (a Answer, id string, err error) {
	if err := ordjson.Check(answer); err != nil {
		return a, "", err
	}
	line, bad := jsondoc.Strict[answerLine](answer)
	if bad != nil {
		return a, "", errors.New(cmp.Or(bad[0].Path, "the whole") + ": " + bad[0].Msg)
	}

	switch kind := ordjson.KindOf(line.Output); {
	case (line.Output == nil) == (line.Skip == ""):
		return a, "", errors.New("an answer has either output or skip")
	case kind == ordjson.ObjectKind || kind == ordjson.Array:
		a.Output = line.Output
	case line.Output != nil && kind != ordjson.Null:
		return a, "", errors.New("output is neither an object nor null, nor an array of objects")
	}
	a.Skip = line.Skip
	for _, d := range line.Diagnostics {
		a.Findings = append(a.Findings, Finding{d["code"], d["severity"], d["path"]})
	}
	return a, textOf(line.ID), nil
}

// Serve reads requests from in, one per line, answers them with impl on out, and returns when in ends.
func Serve(ctx context.Context, impl Implementation, in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			if werr := serveOne(ctx, impl, line, out); werr != nil {
				return werr
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func serveOne(ctx context.Context, impl Implementation, line []byte, out io.Writer) error {
	r, err := ParseRequest(line)
	if err != nil {
		return err
	}
	a, err := impl.Do(ctx, r)
	if err != nil {
		a = Answer{Skip: "no answer: " + err.Error()}
	}
	_, err = out.Write(append(a.Append(nil), '\n'))
	return err
}

// A Program is an Implementation in a separate process: one request per line on its stdin, one answer per line on its
// stdout. One that dies, or has to be ended, is restarted for the next request.
type Program struct {
	Argv  []string
	Env   []string
	Limit time.Duration // for one answer; 0: DefaultLimit

	talk   *process.Talk
	silent int  // number of timeouts in a row
	failed int  // number of missing answers in a row
	spoke  bool // it has answered once
}

// ErrGivenUp is wrapped in the error of Do for a program that no longer answers: asking it again would be pointless.
var ErrGivenUp = errors.New("it is given up")

// hopelessAtFirst is how often in a row a program may fail that never answered, hopelessLater how often one that did.
const hopelessAtFirst, hopelessLater = 3, 10

// DefaultLimit is how long a program may take for one answer.
const DefaultLimit = 10 * time.Second

// limit is shorter for a program that timed out before: it will hardly start to answer, and the rest must still be run.
func (p *Program) limit() time.Duration {
	limit := p.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	switch {
	case p.silent >= 3:
		limit = min(limit, time.Second/4)
	case p.silent > 0:
		limit = min(limit, time.Second)
	}
	return limit
}

// Do sends a request to the program. The error describes what came instead of an answer.
func (p *Program) Do(ctx context.Context, r *Request) (Answer, error) {
	a, err := p.ask(ctx, r)
	if err == nil {
		p.failed, p.spoke = 0, true
		return a, nil
	}
	p.failed++
	if p.failed >= hopelessLater || p.failed >= hopelessAtFirst && !p.spoke {
		err = fmt.Errorf("%w; %w after %d failures in a row", err, ErrGivenUp, p.failed)
	}
	return a, err
}

// ask sends the request once. The end of ctx ends the program.
func (p *Program) ask(ctx context.Context, r *Request) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}

	if p.talk == nil {
		talk, err := process.StartTalk(process.Spec{Argv: p.Argv, Env: p.Env})
		if err != nil {
			return Answer{}, err
		}
		p.talk = talk
	}

	stop := context.AfterFunc(ctx, p.talk.Kill)
	line, err := p.talk.Ask(r.Append(nil), p.limit())
	stop()
	switch {
	case errors.Is(err, process.ErrSilent):
		p.silent++
		p.talk.Kill() // it would hardly react to a polite end
		return Answer{}, p.over(err.Error() + " (" + p.limit().String() + ")")
	case errors.Is(err, process.ErrUnasked):
		return Answer{}, p.over("it printed a line that nobody asked for: " + brief(string(line)))
	case err != nil:
		return Answer{}, p.over("")
	}
	p.silent = 0
	a, id, err := parseAnswer(line)
	if err != nil {
		// Its next output may be the answer to this request: only a restart is in step.
		return Answer{}, p.over(fmt.Sprintf("it answered %s, which isn't a valid answer: %v", brief(string(line)), err))
	}

	if id != "" && id != r.ID {
		return Answer{}, p.over("it answered for " + brief(id))
	}
	return a, nil
}

// over ends the program and returns the reason.
func (p *Program) over(why string) error {
	r := p.talk.Close()
	p.talk = nil
	if why == "" {
		why = "it ended with exit status " + strconv.Itoa(r.Exit)
		if r.Signal != "" {
			why = "it was ended by " + r.Signal
		}
		why += " instead of answering"
	}
	if s := strings.TrimSpace(string(r.Stderr)); s != "" {
		why += "; on stderr: " + brief(s)
	}
	return errors.New(why)
}

// Close ends the program, if it runs.
func (p *Program) Close() {
	if p.talk != nil {
		p.talk.Close()
		p.talk = nil
	}
}

// brief returns s in one line that fits a screen.
func brief(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "?")), " ")
	if r := []rune(s); len(r) > 300 {
		s = string(r[:300]) + " .."
	}
	return cmp.Or(s, "nothing")
}
