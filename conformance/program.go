package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
)

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
