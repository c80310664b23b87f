package story

import (
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Doc is what one agent does with a call, in the form that --json prints.
type Doc struct {
	Host        string              `json:"host"`
	Hooks       string              `json:"hooks"`
	Event       string              `json:"event,omitempty"`
	Answer      string              `json:"answer"`
	Payload     jsondoc.Raw         `json:"payload"`
	Views       []viewDoc           `json:"views"`
	Ran         []any               `json:"ran"` // ranDoc or asyncDoc
	Skipped     []skippedDoc        `json:"skipped"`
	Merged      jsondoc.Raw         `json:"merged"`
	Reply       jsondoc.Raw         `json:"reply"`
	Stdout      jsondoc.Raw         `json:"stdout"`
	Diagnostics []schema.Diagnostic `json:"diagnostics"`
	Installed   bool                `json:"installed"` // false: the entry is from the command line
	Why         string              `json:"why"`       // why it was not simulated
	Steps       []stepDoc           `json:"steps"`
}

// A stepDoc is one event of the action.
type stepDoc struct {
	Event       string              `json:"event"`
	Raised      bool                `json:"raised"`
	Why         string              `json:"why"` // why it isn't raised
	Payload     jsondoc.Raw         `json:"payload"`
	Entries     []entryDoc          `json:"entries"`
	Skipped     []skippedDoc        `json:"skipped"`
	Merged      jsondoc.Raw         `json:"merged"`
	Reply       jsondoc.Raw         `json:"reply"`
	Ignored     []string            `json:"ignored"`
	Diagnostics []schema.Diagnostic `json:"diagnostics"`
}

// An entryDoc is an entry that the host called, with the hooks that hookbridge ran for it.
type entryDoc struct {
	Entry   any          `json:"entry"` // ranDoc or asyncDoc
	Agent   string       `json:"hooks_of"`
	Hooks   []any        `json:"hooks"`
	Skipped []skippedDoc `json:"skipped"`
	Stdout  jsondoc.Raw  `json:"answer"`
}

// A PlaysDoc is what several agents do with one call.
type PlaysDoc struct {
	Agents []Doc `json:"agents"`
}

type viewDoc struct {
	Event   string   `json:"event"`
	Tool    string   `json:"tool"`
	Matched []string `json:"matched_against"`
}

// A placeDoc identifies a hook.
type placeDoc struct {
	File    string `json:"file"`
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Event   string `json:"event"`
	Matcher string `json:"matcher"`
	Handler string `json:"handler"`
	Command string `json:"command"`
}

type skippedDoc struct {
	placeDoc
	Why    string `json:"why"`
	Detail string `json:"detail"`
}

type startDoc struct {
	placeDoc
	Tool    string      `json:"tool"`
	Stdin   jsondoc.Raw `json:"stdin"`
	Started bool        `json:"started"`
	Async   bool        `json:"async"`
}

// A RanDoc is a hook that ran and whose end was awaited.
type RanDoc struct {
	startDoc
	Exit        int                 `json:"exit"`
	Signal      string              `json:"signal"`
	TimedOut    bool                `json:"timed_out"`
	MS          float64             `json:"ms"`
	Stdout      string              `json:"stdout"`
	Stderr      string              `json:"stderr"`
	Reply       jsondoc.Raw         `json:"reply"`
	Diagnostics []schema.Diagnostic `json:"diagnostics"`
}

// An AsyncDoc is a hook whose end is not awaited.
type AsyncDoc struct {
	startDoc
	Diagnostics []schema.Diagnostic `json:"diagnostics"`
}

// Doc returns the show for --json.
func (x *Show) Doc() Doc {
	doc := Doc{Host: x.Host.Dialect.Profile().Name, Answer: schema.NoOpinion.String(),
		Installed: x.Host.Assumed == nil, Why: x.Why}
	doc.Hooks = doc.Host
	var merged, reply schema.Reply
	var found schema.Diagnostics
	if x.Out != nil {
		doc.Answer, found, reply = x.Out.Decision, x.Out.Diagnostics(), x.Out.Reply()
		for i := range x.Out.Steps {
			s := &x.Out.Steps[i]
			doc.Steps = append(doc.Steps, x.stepDoc(s))
			merged = x.Host.Dialect.Merge([]schema.Reply{merged, s.Merged})
			x.flatten(&doc, s, &merged)
		}
	}
	doc.Views, doc.Ran, doc.Skipped, doc.Steps = cli.Array(doc.Views), cli.Array(doc.Ran), cli.Array(doc.Skipped),
		cli.Array(doc.Steps)
	doc.Merged, doc.Reply, doc.Diagnostics = replyJSON(&merged), replyJSON(&reply), cli.FindingDocs(found)
	doc.Payload, doc.Stdout = jsondoc.Document(doc.Payload), jsondoc.Document(doc.Stdout)
	return doc
}

// flatten adds the results of one event to the whole. The payload is from the first event, and the trace from the first
// entry that calls hookbridge.
func (x *Show) flatten(doc *Doc, s *simulate.Step, merged *schema.Reply) {
	if doc.Event == "" && s.Why == "" {
		doc.Event, doc.Payload = s.Event, s.Payload
	}
	own := &Story{At: x.Host.Places}
	doc.Skipped = append(doc.Skipped, lists.Map(s.Skipped, own.skipDoc)...)
	for i := range s.Runs {
		t := Of(x.Host.Places, s, &s.Runs[i])
		if t.Inside == nil {
			doc.Ran = append(doc.Ran, t.runDoc(t.Run.HookRun))
			continue
		}
		if doc.Stdout == nil {
			doc.Hooks, doc.Stdout, *merged = t.Inside.Bridge.Hooks.Profile().Name, t.Inside.Answer,
				t.Report.Trace.Merged
			doc.Views = lists.Map(t.Report.Trace.Views, viewDocOf)
		}
		doc.Ran = append(doc.Ran, lists.Map(t.Report.Runs, t.runDoc)...)
		doc.Skipped = append(doc.Skipped, lists.Map(t.Report.Trace.Skipped, t.skipDoc)...)
	}
}

func viewDocOf(v schema.View) viewDoc { return viewDoc{v.Event, v.Tool, cli.Array(v.Target)} }

func (x *Show) stepDoc(s *simulate.Step) stepDoc {
	own := &Story{At: x.Host.Places}
	return stepDoc{
		Event: s.Event, Raised: s.Why == "", Why: s.Why, Payload: jsondoc.Document(s.Payload),
		Entries: lists.Map(s.Runs, func(r simulate.Run) entryDoc {
			t := Of(x.Host.Places, s, &r)
			doc := entryDoc{Entry: t.runDoc(r.HookRun), Hooks: []any{}, Skipped: []skippedDoc{}}
			if t.Inside != nil {
				doc.Agent, doc.Stdout = t.Inside.Bridge.Hooks.Profile().Name, jsondoc.Document(t.Inside.Answer)
				doc.Hooks, doc.Skipped = lists.Map(t.Report.Runs, t.runDoc),
					lists.Map(t.Report.Trace.Skipped, t.skipDoc)
			}
			return doc
		}),
		Skipped: lists.Map(s.Skipped, own.skipDoc), Merged: replyJSON(&s.Merged), Reply: replyJSON(&s.Reply),
		Ignored: s.Ignored.Names(), Diagnostics: cli.FindingDocs(s.Diagnostics()),
	}
}

func (s *Story) skipDoc(x bridge.Skip) skippedDoc {
	return skippedDoc{s.placeDoc(&x.Hook), x.Why.String(), x.Detail}
}

func (s *Story) placeDoc(h *schema.Hook) placeDoc {
	return placeDoc{cli.Relative(s.At.Project, "", h.Source.File), h.Path, h.Line, h.Native, h.Matcher,
		h.Handler.String(), common.What(h)}
}

func (s *Story) runDoc(run bridge.HookRun) any {
	start := startDoc{s.placeDoc(&run.Hook), run.View.Tool, jsondoc.Document(run.Stdin), run.Ran &&
		run.Result.Err == nil, run.Async}
	found := cli.FindingDocs(s.findings(&run.Hook))
	if run.Async {
		return AsyncDoc{start, found}
	}
	r := &run.Result
	return RanDoc{start, r.Exit, r.Signal, r.TimedOut, cli.Milliseconds(r.End.Sub(r.Start)), string(r.Stdout),
		string(r.Stderr), replyJSON(&run.Reply), found}
}

// replyJSON returns a reply with a field for each of its effects, named after the effect.
func replyJSON(r *schema.Reply) jsondoc.Raw {
	w := ordjson.NewWriter(nil)
	w.String("decision", r.Verdict.String())
	w.Strings("effects", r.Uses().Names())
	for _, p := range ReplyParts(r) {
		if p.Name != r.Verdict.String() && p.Name != schema.EffectEnv.Name() {
			w.String(p.Name, p.Text)
		}
	}
	if len(r.Env) > 0 {
		env := ordjson.NewWriter(nil)
		for _, v := range r.Env {
			env.String(v.Name, v.Value)
		}
		w.Raw(schema.EffectEnv.Name(), env.Bytes())
	}
	return w.Bytes()
}
