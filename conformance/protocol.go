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
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
)

// A Request asks an implementation for one translation. On the wire it is one
// JSON object on one line, with the fields of a vector that it needs; see
// README.md.
type Request struct {
	ID           string
	Op           Op
	From, To     string
	Event, Tool  string
	Options      Options
	Input        []byte // JSON, or any bytes if InputText is set
	InputText    bool
	Project      string   // run: the folder with the hooks; "" else
	Home         string   // run: the user's home
	State        string   // run: a folder that lasts from one event of a session to the next
	Environment  []string // run: the whole environment, "NAME=value"
	EvaluatorCmd string   // run: the command that answers prompt and agent hooks, "" if none
}

// An Answer is what an implementation gave.
type Answer struct {
	Output   []byte // one JSON object, of a call an array of several too; nil: none
	Findings []Finding
	Skip     string // why the implementation does not do this; "" if it did
}

// An Implementation answers requests, one at a time. An error says that there
// was no answer that could be judged.
type Implementation interface {
	Do(ctx context.Context, r *Request) (Answer, error)
}

// Append writes r as one line without its line end.
func (r *Request) Append(dst []byte) []byte {
	line := struct {
		ID          string       `json:"id,omitempty"`
		Op          Op           `json:"op,omitempty"`
		From        string       `json:"from,omitempty"`
		To          string       `json:"to,omitempty"`
		Event       string       `json:"event,omitempty"`
		Tool        string       `json:"tool,omitempty"`
		Options     *Options     `json:"options,omitempty"`
		InputText   *string      `json:"input_text,omitempty"`
		Input       *jsondoc.Raw `json:"input,omitempty"`
		Project     string       `json:"project,omitempty"`
		Home        string       `json:"home,omitempty"`
		State       string       `json:"state,omitempty"`
		Evaluator   string       `json:"evaluator_command,omitempty"`
		Environment *[]string    `json:"environment,omitempty"`
	}{ID: r.ID, Op: r.Op, From: r.From, To: r.To, Event: r.Event, Tool: r.Tool, Project: r.Project, Home: r.Home,
		State: r.State, Evaluator: r.EvaluatorCmd}
	if r.Options != (Options{}) {
		line.Options = &r.Options
	}

	if text := string(r.Input); r.InputText {
		line.InputText = &text
	} else {
		raw := jsondoc.Raw(ordjson.AppendCompact(nil, r.Input))
		line.Input = &raw
	}
	if r.Environment != nil {
		line.Environment = &r.Environment
	}

	return append(dst, jsondoc.Marshal(line)...)
}

// ParseRequest reads a line of the protocol.
func ParseRequest(line []byte) (*Request, error) {
	o, err := ordjson.Parse(line)
	if err != nil {
		return nil, err
	}
	r := &Request{ID: o.Str("id"), Op: Op(o.Str("op")), From: o.Str("from"), To: o.Str("to"), Event: o.Str("event"),
		Tool:    o.Str("tool"),
		Project: o.Str("project"), Home: o.Str("home"), State: o.Str("state"), EvaluatorCmd: o.Str("evaluator_command")}
	if raw, ok := o.Get("input"); ok {
		r.Input = raw
	} else {
		r.Input, r.InputText = []byte(o.Str("input_text")), true
	}
	if raw, ok := o.Get("environment"); ok {
		list, _ := ordjson.Elements(raw, 0)
		r.Environment = lists.Map(list, func(m ordjson.Member) string {
			s, _ := ordjson.String(m.Value)
			return s
		})
	}
	options, _ := o.Members("options")
	on := func(name string) bool { return string(options.Value(name)) == "true" }
	r.Options = Options{Allow: options.Str("allow"), Ask: options.Str("ask"), Wrap: options.Str("wrap"),
		FailClosed: on("fail_closed"), RequireTrust: on("require_trust"), Evaluator: on("evaluator")}
	return r, nil
}

// Append writes a as one line without its line end.
func (a *Answer) Append(dst []byte) []byte {
	if a.Skip != "" {
		return append(dst, jsondoc.Marshal(map[string]string{"skip": a.Skip})...)
	}
	line := struct {
		Output      jsondoc.Raw `json:"output"`
		Diagnostics []Finding   `json:"diagnostics"`
	}{jsondoc.Raw(ordjson.AppendCompact(nil, a.Output)), append([]Finding{}, a.Findings...)}
	return append(dst, jsondoc.Marshal(line)...)
}

// ParseAnswer reads a line of the protocol. It is strict, so that a misspelt
// member cannot make an answer say less than it means to.
func ParseAnswer(line []byte) (Answer, error) {
	o, err := ordjson.Parse(line)
	if err != nil {
		return Answer{}, err
	}

	var a Answer
	said := false
	for _, m := range o {
		switch m.Name {
		case "id": // may be echoed
		case "skip":
			if a.Skip, _ = ordjson.String(m.Value); a.Skip == "" {
				return a, errors.New("skip must give a reason")
			}
		case "output":
			said = true
			switch ordjson.KindOf(m.Value) {
			case ordjson.ObjectKind, ordjson.Array:
				a.Output = m.Value
			case ordjson.Null:
			default:
				return a, errors.New("output is neither an object nor null, nor an array of objects")
			}
		case "diagnostics":
			if a.Findings, err = parseFindings(m.Value); err != nil {
				return a, err
			}
		default:
			return a, errors.New("an answer has no member " + m.Name)
		}
	}

	if said == (a.Skip != "") {
		return a, errors.New("an answer has either output or skip")
	}
	return a, nil
}

func parseFindings(raw []byte) (fs []Finding, err error) {
	list, err := ordjson.Elements(raw, 0)
	if err != nil {
		return nil, errors.New("diagnostics isn't an array")
	}
	for _, m := range list {
		o, err := ordjson.Members(m.Value, 0)
		if err != nil {
			return nil, errors.New("a diagnostic isn't an object")
		}
		for _, m := range o {
			if ordjson.KindOf(m.Value) != ordjson.StringKind {
				return nil, errors.New("a diagnostic's " + m.Name + " isn't a string")
			}
		} // members but these, a message say, are for people
		fs = append(fs, Finding{o.Str("code"), o.Str("severity"), o.Str("path")})
	}
	return fs, nil
}

// Serve answers the requests of in, a line each, by impl on out until in ends.
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

// A Program is an Implementation that runs as a process of its own: one request
// a line on its stdin, one answer a line on its stdout. One that dies, or has to
// be ended, is started anew for the next request.
type Program struct {
	Argv  []string
	Env   []string
	Limit time.Duration // for one answer; 0 is DefaultLimit

	talk   *process.Talk
	silent int  // how often in a row there was no answer in time
	failed int  // how often in a row there was no answer
	spoke  bool // it has answered once
}

// ErrGivenUp is wrapped in the error of Do for a program that does not answer any
// more: the next question would be as much in vain.
var ErrGivenUp = errors.New("it is given up")

// hopeless is how often in a row a program may fail: one that never answered, and
// one that did.
const hopelessAtFirst, hopelessLater = 3, 10

// DefaultLimit is how long a program may take for one answer.
const DefaultLimit = 10 * time.Second

// limit is shorter for a program that was silent before: it will hardly begin to
// speak, and all the rest is still to be asked.
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

// Do asks the program. The error describes what came instead of an answer.
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

// ask asks once. The end of ctx ends the program.
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
	a, err := ParseAnswer(line)
	if err != nil {
		// What else it says may be the answer to this: only a new start is in step.
		return Answer{}, p.over(fmt.Sprintf("it answered %s, which isn't a valid answer: %v", brief(string(line)), err))
	}

	answer, _ := ordjson.Parse(line)
	if id := answer.Str("id"); id != "" && id != r.ID {
		return Answer{}, p.over("it answered for " + brief(id))
	}
	return a, nil
}

// over ends the program and says why.
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

// brief is s in one line that fits a screen.
func brief(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "?")), " ")
	if r := []rune(s); len(r) > 300 {
		s = string(r[:300]) + " .."
	}
	return cmp.Or(s, "nothing")
}
