package conformance

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// Own is hookbridge itself as an Implementation. Its zero value does all ops
// but run, which needs Now.
type Own struct {
	OS      string // as runtime.GOOS
	TempDir string // for the environment files of hooks
	Self    string // the program that runs asynchronous hooks; "": they are not listened to
	Now     func() time.Time

	found func(*Request, schema.Diagnostics) // sees the findings with their texts; nil: nobody reads them
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
		out, ds = bridge.TranslateReply(from, to, r.Input, r.Event, r.Tool, cmdline.PolicyOf(r.Options.Ask, r.Options.Allow))
	case OpRun:
		out, ds = own.run(ctx, from, to, r)
	default:
		return Answer{}, errors.New("unknown op " + string(r.Op))
	}
	if own.found != nil {
		own.found(r, ds)
	}
	found := lists.Map(ds, func(d schema.Diagnostic) Finding { return Finding{string(d.Code), d.Severity.String(), d.Path} })
	return Answer{Output: out, Findings: found}, nil
}

// oneOrList is the payload that a call becomes, or an array of several.
func oneOrList(payloads [][]byte) []byte {
	switch len(payloads) {
	case 0:
		return nil
	case 1:
		return payloads[0]
	}
	return append(append([]byte{'['}, bytes.Join(payloads, []byte{','})...), ']')
}

// convertVector does what the command convert does with a file on stdin: one that its
// own agent refuses gives nothing.
func convertVector(from, to adapter.Dialect, r *Request) (out []byte, ds schema.Diagnostics) {
	if ds = inspect.Misread(from, r.Input, schema.Source{}); ds != nil {
		return nil, ds
	}
	cfg, ds := inspect.Accepted(from.ParseConfig(r.Input, schema.Source{}))
	if ds.Max() == schema.Error {
		return nil, ds
	}
	if adapter.NameOf(from) == adapter.NameOf(to) {
		return r.Input, ds
	}
	c := convert.Convert(from, to, cfg, convert.ConvertOptions{Wrap: convert.WrapPolicyOf(r.Options.Wrap), Policy: cmdline.PolicyOf(r.Options.Ask, r.Options.Allow)})
	return c.Document(to), append(ds, c.Diagnostics...)
}

func (own *Own) run(ctx context.Context, from, to adapter.Dialect, r *Request) ([]byte, schema.Diagnostics) {
	b := bridge.Bridge{
		Host: to, Hooks: from, Policy: cmdline.PolicyOf(r.Options.Ask, r.Options.Allow), FailClosed: r.Options.FailClosed, RequireTrust: r.Options.RequireTrust,
		Places:    schema.Places{OS: own.OS, Home: r.Home, Project: r.Project, Env: r.Environment},
		OwnHooks:  from.Profile().Name == to.Profile().Name,
		StateDir:  r.State,
		TrustFile: r.State + "-trusted",
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
