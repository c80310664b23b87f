package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// Outcomes of a vector.
const (
	Passed  = "passed"
	Failed  = "failed"
	Skipped = "skipped"
)

// A Result is the outcome of one vector.
type Result struct {
	Vector  *Vector
	Outcome string
	Wrong   []string // what differs, if it failed
	Reason  string   // why it was skipped
}

// A Skip lets the vectors that match Glob fail. If one of them passes, the skip is out of date, and that is a failure.
type Skip struct{ Glob, Reason string }

// A Runner tests an implementation with vectors.
type Runner struct {
	Impl    Implementation
	Skips   []Skip
	Project string   // for run vectors without their own files
	TempDir string   // where run vectors are played
	Environ []string // the environment that every program needs: PATH and the like
	OS      string   // as runtime.GOOS
}

// Run tests all vectors, in order, and calls each with every result as it comes. The error is why it ended early: ctx
// is done, or the implementation no longer answers.
func (r *Runner) Run(ctx context.Context, list []Vector, each func(Result)) error {
	for i := range list {
		res, err := r.one(ctx, &list[i])
		if cerr := ctx.Err(); cerr != nil {
			return fmt.Errorf("ended after %d of %d vectors: %w", i, len(list), cerr)
		}
		each(res)
		if errors.Is(err, ErrGivenUp) {
			return fmt.Errorf("ended after %d of %d vectors: %w", i+1, len(list), err)
		}
	}
	return nil
}

func (r *Runner) one(ctx context.Context, v *Vector) (Result, error) {
	if v.Op == OpRun && r.OS == "windows" {
		return Result{Vector: v, Outcome: Skipped, Reason: "fake hooks need a POSIX shell"}, nil
	}
	res := Result{Vector: v, Outcome: Passed}
	wrong, skip, err := r.ask(ctx, v)
	excuse := ""
	for _, s := range r.Skips {
		if Match(s.Glob, v.ID) {
			excuse = s.Reason
		}
	}
	switch {
	case skip != "":
		res.Outcome, res.Reason = Skipped, skip
	case excuse != "" && len(wrong) == 0:
		res.Outcome, res.Wrong = Failed, []string{"it is to be skipped (" + excuse + ") and passes: take the skip away"}
	case excuse != "":
		res.Outcome, res.Reason = Skipped, excuse
	case len(wrong) > 0:
		res.Outcome, res.Wrong = Failed, wrong
	}
	return res, err
}

// ask sends one vector to the implementation and returns the mistakes in the answer, or why there is no answer.
func (r *Runner) ask(ctx context.Context, v *Vector) (wrong []string, skip string, err error) {
	req := Request{ID: v.ID, Op: v.Op, From: v.From, To: v.To, Event: v.Event, Tool: v.Tool, Options: v.Options,
		Input: v.Input, InputText: v.InputText}
	want := v.Output
	if v.Op == OpRun {
		s, err := newStage(v, r.TempDir, r.Project)
		if err != nil {
			return []string{err.Error()}, "", err
		}
		defer s.remove()
		for _, payload := range v.Before {
			before := req
			before.ID, before.Input, before.InputText = v.ID+"#before", payload, false
			s.request(&before, r.Environ)
			if _, err := r.Impl.Do(ctx, &before); err != nil {
				return []string{err.Error()}, "", err
			}
		}
		s.request(&req, r.Environ)
		defer func() {
			if skip == "" {
				wrong = append(wrong, s.check()...)
			}
		}()
		want = []byte(fill(s.quoted.Replace(string(want))))
	}

	a, err := r.Impl.Do(ctx, &req)
	if err != nil {
		return []string{err.Error()}, "", err
	}
	if a.Skip != "" {
		return nil, a.Skip, nil
	}

	return judge(v, &req, want, &a), "", nil
}

// judge compares an answer with the expectation of v.
func judge(v *Vector, req *Request, want []byte, a *Answer) (wrong []string) {
	switch {
	case v.Verdict != "":
		if got := verdict(v, req, a.Output); got != v.Verdict {
			wrong = append(wrong, "decides "+got+", want "+v.Verdict+": "+brief(string(a.Output)))
		}
		if len(v.Findings) == 0 { // only about the decision
			return wrong
		}
	case v.Output == nil && a.Output != nil:
		wrong = append(wrong, "output: "+brief(string(a.Output))+", want none")
	case v.Output != nil && a.Output == nil:
		wrong = append(wrong, "output: none, want "+brief(string(want)))
	case v.Output != nil:
		if d := difference("", want, a.Output); d != "" {
			wrong = append(wrong, "output: "+d)
		}
	}
	if d := sameFindings(v.Findings, a.Findings); d != "" {
		wrong = append(wrong, d)
	}
	return wrong
}

// verdict reads an answer as the host does.
func verdict(v *Vector, req *Request, output []byte) string {
	host, _ := adapter.Find(v.To)
	if output == nil {
		return "nothing"
	}
	c, _ := host.DecodeCall(req.Input, req.Environment)
	if c == nil {
		return "nothing"
	}
	for _, view := range host.Views(c) {
		if view.Event == c.Native {
			reply, _ := host.DecodeReply(&schema.Hook{Event: c.Event, Native: c.Native, Handler: schema.HandlerCommand},
				view, &process.Result{Stdout: output})
			return reply.Verdict.String()
		}
	}
	return "nothing"
}

// Known reports whether hookbridge has a dialect. It is the usual argument of Load.
func Known(dialect string) bool {
	_, err := adapter.Find(dialect)
	return err == nil
}

// Own is hookbridge itself as an Implementation. Its zero value supports all ops except run, which needs Now.
type Own struct {
	OS      string        // as runtime.GOOS
	TempDir string        // for the environment files of hooks
	Self    func() string // the program that runs asynchronous hooks; nil: they aren't awaited
	Now     func() time.Time

	found func(*Request, schema.Diagnostics) // receives the findings with their texts; may be nil
}

// Do answers r.
func (own *Own) Do(ctx context.Context, r *Request) (Answer, error) {
	from, err := adapter.Find(r.From)
	if err != nil {
		return Answer{}, err
	}
	to, err := adapter.Find(r.To)
	if err != nil {
		return Answer{}, err
	}

	var out []byte
	var ds schema.Diagnostics
	switch r.Op {
	case OpConfig:
		out, ds = convertVector(from, to, r)
	case OpCall:
		var payloads [][]byte
		payloads, ds = bridge.TranslateCall(from, to, r.Input, r.Event, r.Tool, nil)
		out = oneOrList(payloads)
	case OpReply:
		out, ds = bridge.TranslateReply(from, to, r.Input, r.Event, r.Tool,
			cmdline.PolicyOf(r.Options.Ask, r.Options.Allow))
	case OpRun:
		out, ds = own.run(ctx, from, to, r)
	default:
		return Answer{}, errors.New("unknown op " + string(r.Op))
	}
	if own.found != nil {
		own.found(r, ds)
	}

	found := lists.Map(ds, func(d schema.Diagnostic) Finding {
		return Finding{string(d.Code), d.Severity.String(), d.Path}
	})
	return Answer{Output: out, Findings: found}, nil
}

// oneOrList returns the payload for a call, or an array of several.
func oneOrList(payloads [][]byte) []byte {
	switch len(payloads) {
	case 0:
		return nil
	case 1:
		return payloads[0]
	}
	return append(append([]byte{'['}, bytes.Join(payloads, []byte{','})...), ']')
}

// convertVector does what the command convert does with a file on stdin: a file that its own agent rejects yields
// nothing.
func convertVector(from, to adapter.Dialect, r *Request) (out []byte, ds schema.Diagnostics) {
	if ds = hookfile.Misread(from, r.Input, schema.Source{}); ds != nil {
		return nil, ds
	}
	cfg, ds := hookfile.Accepted(from.ParseConfig(r.Input, schema.Source{}))
	if ds.Max() == schema.Error {
		return nil, ds
	}
	if adapter.NameOf(from) == adapter.NameOf(to) {
		return r.Input, ds
	}
	c := convert.Convert(from, to, cfg, convert.ConvertOptions{Wrap: convert.WrapPolicyOf(r.Options.Wrap),
		Policy: cmdline.PolicyOf(r.Options.Ask, r.Options.Allow)})
	return c.Document(to), append(ds, c.Diagnostics...)
}

func (own *Own) run(ctx context.Context, from, to adapter.Dialect, r *Request) ([]byte, schema.Diagnostics) {
	b := bridge.Bridge{
		Host: to, Hooks: from, Policy: cmdline.PolicyOf(r.Options.Ask, r.Options.Allow),
		FailClosed: r.Options.FailClosed, RequireTrust: r.Options.RequireTrust,
		Places:    schema.Places{OS: own.OS, Home: r.Home, Project: r.Project, Env: r.Environment},
		OwnHooks:  from.Profile().Name == to.Profile().Name,
		StateDir:  r.State,
		Trusted:   trust.Records{File: r.State + "-trusted"},
		TempDir:   own.TempDir,
		Evaluator: r.EvaluatorCmd,
		Self:      own.Self,
		Now:       own.Now,
	}
	out, report, err := b.Run(ctx, r.Input, "")
	if err != nil {
		out = nil
	}
	return out, report.Diagnostics
}
