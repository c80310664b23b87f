package bridge

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// A job is one selected hook during its execution.
type job struct {
	HookRun // Ran: spec is to be run
	spec    process.Spec
	answer  func(*run, *schema.Call, *job, *process.Result) schema.Reply
	envFile string   // file for environment variables, "" if none
	temps   []string // files to remove
	fault   fault
	did     done // the rest of what it did; with runs, those of a module's callbacks, instead of Reply
}

// execute runs the selected hooks, reads their answers and returns the call as they have rewritten it. If one hook is
// sequential, all run one after the other, each with the call as rewritten so far.
func execute(r *run, c *schema.Call, picked []pick) (did done, now *schema.Call) {
	if !slices.ContainsFunc(picked, func(p pick) bool { return p.hook.Sequential }) {
		return atOnce(r, c, picked), c
	}

	for i := range picked {
		one := atOnce(r, c, picked[i:i+1])
		did.add(&one)
		for i := range one.runs { // the next hook also gets the rewrite of a hook that denies
			reply := &one.runs[i].Reply
			if one.runs[i].Async {
				continue
			}
			if r.rules.Line != dialect.OwnInput {
				c = rewritten(r, c, reply)
			}
			refused := reply.Verdict == schema.Deny || reply.Objects || r.rules.Line == dialect.Chains &&
				neverAsked(r, c, reply)
			lifted := r.rules.Lifts(c.Event) && one.runs[i].Result.Exit == 0
			if refused && !lifted && r.rules.Line != dialect.PassesInput {
				for _, p := range picked[i+1:] {
					r.log.skip(&p.hook, SkipEnded, "an earlier hook refused the call or its result")
				}
				return did, c
			}
		}
	}

	return did, c
}

// neverAsked reports whether a hook's ask is a denial here, because the user is never asked. It ends a sequence of
// hooks as a user's "no" does (observed Copilot 1.0.102).
func neverAsked(r *run, c *schema.Call, reply *schema.Reply) bool {
	gate, _ := r.host.Asks(c)
	return reply.Verdict == schema.Ask && gate == "" && r.host.Honors(c, reply)&schema.EffectAsk == 0 &&
		r.opts.Ask != cmdline.AskAllow
}

// atOnce runs hooks in parallel. No result depends on which ends first.
func atOnce(r *run, c *schema.Call, picked []pick) (did done) {
	if len(picked) == 0 {
		return did
	}
	if r.opts.Dry {
		for i := range picked {
			did.runs = append(did.runs, HookRun{Hook: picked[i].hook, View: picked[i].view, Ran: true})
		}
		return did
	}

	jobs := make([]job, len(picked))
	payloads := payloads{}
	var specs []process.Spec
	var inside []standIn
	for i := range picked {
		j := &jobs[i]
		j.Hook, j.View = picked[i].hook, picked[i].view
		p := payloads.of(r, c, j.View, rootOfHook(r, c, &j.Hook))
		j.Stdin = p.bytes
		prepareJob(r, c, j, p)
		switch j.Async = j.Ran && detached(&j.Hook); {
		case j.Async: // it starts with the others and not after them
			detach(r, c, j)
		case j.Ran:
			specs = append(specs, j.spec)
			if r.opts.Start != nil {
				inside = append(inside, r.opts.Start(&j.Hook, j.spec))
			}
		}
	}

	results := runAll(r, specs, inside)
	for i := range jobs {
		j := &jobs[i]
		if j.Ran && !j.Async {
			j.Result, results = results[0], results[1:]
			finishJob(r, c, j)
		}
		blockFailure(r, j)
		j.Ran = j.Ran || r.opts.Rules != nil
		for _, f := range j.temps {
			os.Remove(f)
		}
		did.add(&j.did)
		if j.did.runs == nil {
			did.runs = append(did.runs, j.HookRun)
		}
	}

	return did
}

// A fault is how a hook has failed to answer.
type fault uint8

const (
	noFault    fault = iota
	noAnswer         // it gave no answer
	unreadable       // its agent can't read the answer
)

// faultOf returns the worst fault among the findings on an answer.
func faultOf(found schema.Diagnostics) (worst fault) {
	for i := range found {
		switch found[i].Code {
		case schema.CodeBadAnswer, schema.CodeBadSchema:
			return unreadable
		case schema.CodeNotStarted, schema.CodeTimedOut, schema.CodeHookFailed:
			worst = noAnswer
		}
	}
	return worst
}

// blockFailure turns a failure into a denial if the hook could have denied. It does so if the user
// asked for that, or Windows has no program to start the hook with.
func blockFailure(r *run, j *job) {
	row, res := r.rules.Row(j.View.Event), &j.Result
	unknown := r.opts.FailClosed && j.fault == unreadable
	noWay := r.places.OS == "windows" && errors.Is(res.Err, process.ErrNoWay)
	asked, denies := r.opts.BlockFailures || unknown || noWay, row != nil && row.Blocks&schema.EffectDeny != 0
	settled := j.Async || j.did.runs != nil || j.Reply.Verdict == schema.Deny
	if !asked || !denies || settled {
		return
	}
	clean := j.Ran && res.Outcome(r.rules.RefusalStatus) == process.Clean && !res.Released
	if !clean || j.fault != noFault {
		flag := "--on-failure block"
		if !r.opts.BlockFailures {
			flag = "--fail-closed"
		}
		why := "a hook failed, and " + flag + " denies then: "
		if noWay {
			why = "Windows can't start a hook that may refuse this (" + res.Err.Error() + "): "
		}
		j.Reply = denial("hookbridge: " + why + strings.TrimSpace(j.Hook.Native+" "+j.Hook.Source.File))
	}
}

// rewritten returns the call as a reply has changed it, for the hooks that run next. If several hooks rewrite it in
// turn, each changes the previous result.
func rewritten(r *run, c *schema.Call, reply *schema.Reply) *schema.Call {
	chained := reply.Output != nil && r.rules.Line == dialect.Chains
	if reply.Input == nil && reply.Prompt == "" && !chained {
		return c
	}
	c = c.Clone()
	c.Tool.Input = c.Tool.Input.With(reply.Input...)
	if reply.Prompt != "" {
		c.SetStr(schema.FieldPrompt, reply.Prompt)
	}
	if chained {
		c.Tool.Output = schema.Args{{Role: schema.RoleWhole, Raw: reply.Output}}
	}
	return c
}

// detached reports whether the agent doesn't wait for a hook.
func detached(h *schema.Hook) bool {
	return h.Handler == schema.HandlerCommand && (h.Async || h.Rewake)
}

// payloads keeps one payload per view: hooks of equal views share the bytes.
type payloads []payload

type payload struct {
	view  schema.View
	root  string // other root of the workspace that the hook belongs to
	call  *schema.Call
	bytes []byte
}

func (ps *payloads) of(r *run, c *schema.Call, v schema.View, root string) payload {
	for _, p := range *ps {
		if p.root == root && p.view.Event == v.Event && p.view.Tool == v.Tool && p.view.Kind == v.Kind &&
			p.view.Server == v.Server {
			return p
		}
	}
	p := payload{view: v, root: root, call: callIn(root, fillView(r, c, v))}
	size := len(c.Raw) + len(c.Raw)/8 + 512
	p.bytes = append(oneLine(r.hooks.AppendCall(make([]byte, 0, size), p.call, v)), '\n')
	*ps = append(*ps, p)
	return p
}

// oneLine returns a payload or an answer without the line breaks of its parts: the reader may read only one line.
func oneLine(doc []byte) []byte {
	if bytes.IndexByte(doc, '\n') < 0 {
		return doc
	}
	return ordjson.AppendCompact(make([]byte, 0, len(doc)+1), doc)
}

// prepareJob fills in the job's spec for its kind of handler, or reports why it can't run.
func prepareJob(r *run, c *schema.Call, j *job, p payload) {
	if r.opts.Rules != nil {
		j.Reply = denial(j.Hook.Prompt)
		return
	}
	switch j.Hook.Handler {
	case schema.HandlerCommand:
		prepareCommand(r, c, j, p)
	case schema.HandlerHTTP:
		prepareHTTP(r, c, j, p)
	case schema.HandlerPrompt, schema.HandlerAgent:
		prepareModel(r, c, j, p)
	case schema.HandlerCallback:
		prepareModule(r, c, j)
		return
	default:
		j.Reply = cannot(r, j, schema.CodeNoHandler, schema.An(j.Hook.Handler.String())+
			" hook can't run outside its own agent")
	}
	if j.Ran {
		j.spec.Timeout = limitOf(r, &j.Hook)
	}
}

// limitOf returns a hook's timeout.
func limitOf(r *run, h *schema.Hook) time.Duration {
	limit := r.rules.Timeout(h)
	if r.opts.Timeout > 0 {
		limit = min(limit, r.opts.Timeout)
	}
	return limit
}

// cannot reports a hook that gave no answer, and returns its effect. If the hook blocks on failure, that is what its
// agent does when a hook doesn't start; otherwise it is nothing. The finding is more severe if the hook could have
// denied something.
func cannot(r *run, j *job, c schema.Code, msg string) schema.Reply {
	row := r.rules.Row(j.View.Event)
	s := schema.Loss
	if row != nil && row.Decides() != 0 {
		s = schema.Weaker
	}
	r.log.noteAs(s, c, msg).OfHook(&j.Hook)
	j.fault = noAnswer
	if j.Hook.Fail != schema.FailClosed {
		return schema.Reply{}
	}
	reply, _ := r.hooks.DecodeReply(&j.Hook, j.View, &process.Result{Exit: -1, Err: errors.New(msg)})
	return reply
}

// hookPlaces returns the places for a hook, without the variables that mark a process as the host's.
func hookPlaces(r *run) schema.Places {
	p := r.places
	p.Env = p.Env.With(r.hostRules.HostVariables.Has, schema.EnvVar{Name: "HOOKBRIDGE_HOST", Value: r.hostRules.Name})
	return p
}

func prepareCommand(r *run, c *schema.Call, j *job, p payload) {
	places := hookPlaces(r)
	if p.root != "" {
		places.Project = p.root
	}

	seen := *p.call
	seen.Tool.Name = j.View.Tool // variables name the tool as the payload does
	spec, err := r.hooks.Spec(&j.Hook, &seen, places)
	if err != nil {
		j.Reply = decodeReply(r, c, j, &process.Result{Exit: -1, Err: err})
		return
	}

	spec.Dir = startIn(r, c, &spec, p.call.Project)
	if name := r.rules.EnvFile.For(j.Hook.Event); name != "" {
		if detached(&j.Hook) { // no process of ours is left to read a file when it ends
			spec.Env = append(spec.Env, name+"="+cmp.Or(hostEnvFile(r, c), os.DevNull))
		} else if f, err := tempFile(r); err == nil {
			f.Close()
			j.envFile = f.Name()
			j.temps = append(j.temps, j.envFile)
			spec.Env = append(spec.Env, name+"="+j.envFile)
		} else {
			r.log.hookNote(schema.CodeEnvFile, &j.Hook, "can't create the file for environment variables: "+err.Error())
		}
	}

	spec.Stdin, spec.Grace, spec.Answered = p.bytes, r.rules.OutputGrace, answered(r, j)
	if r.rules.ReleaseLine {
		spec.Release = dialect.GoesOn
	}

	j.spec, j.Ran, j.answer = spec, true, decodeReply
}

// tempFile creates a file for a hook, if possible where a later call removes it if this one is killed.
func tempFile(r *run) (*os.File, error) {
	if f, err := (state.Store{Dir: r.stateDir}).Temp(); err == nil {
		return f, nil
	}
	return os.CreateTemp(r.opts.TempDir, "hookbridge-")
}

func finishJob(r *run, c *schema.Call, j *job) {
	if j.Result.Truncated {
		r.log.hookNote(schema.CodeTruncated, &j.Hook, "the hook's output exceeds the limit and was truncated")
	}
	j.did.exhausted = j.did.exhausted || starving(j.Result.Err)
	j.Reply = j.answer(r, c, j, &j.Result)
	if j.envFile == "" {
		return
	}
	text, err := os.ReadFile(j.envFile)
	if err != nil || len(text) == 0 {
		return
	}
	format := r.hooks.Abilities().EnvFile
	if format == nil {
		return
	}
	vars, ds := format.ParseEnvFile(string(text), r.places.Env)
	j.Reply.Env = append(j.Reply.Env, vars...)
	r.log.add(ds, &j.Hook)
}

// starving reports whether a program wasn't started because files, processes or memory ran out, or the input is too
// large. That isn't the hook's fault.
func starving(err error) bool {
	return slices.ContainsFunc([]syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.EAGAIN, syscall.ENOMEM,
		syscall.E2BIG},
		func(no syscall.Errno) bool { return errors.Is(err, no) })
}

// prepareModel passes a prompt or agent hook to the evaluator.
func prepareModel(r *run, c *schema.Call, j *job, p payload) {
	if r.opts.Evaluator == "" {
		j.Reply = cannot(r, j, schema.CodeNoEvaluator, schema.An(j.Hook.Handler.String())+" hook needs --evaluator")
		return
	}
	line := strings.TrimSuffix(string(p.bytes), "\n")
	prompt := strings.ReplaceAll(j.Hook.Prompt, "$ARGUMENTS", line)
	if !strings.Contains(j.Hook.Prompt, "$ARGUMENTS") {
		prompt += "\n\n" + line
	}
	set := schema.Vars("HOOKBRIDGE_MODEL", j.Hook.Model, "HOOKBRIDGE_HANDLER", j.Hook.Handler.String())
	if r.places.OS == "windows" { // cmd.exe would prefer a program of that name in the project
		set = append(set, schema.Vars("NoDefaultCurrentDirectoryInExePath", "1")...)
	}
	j.spec = process.Spec{Argv: process.ShellArgv(r.places.OS, r.opts.Evaluator), Dir: folderFor(r, c, c.Cwd),
		Stdin: []byte(prompt), Env: r.places.Env.With(nil, set...)}
	j.Ran, j.answer = true, modelReply
}

// modelReply reads {"ok": bool, "reason": text}. For anything else the call proceeds, as with the agents' own models.
func modelReply(r *run, c *schema.Call, j *job, res *process.Result) schema.Reply {
	fail := func(msg string) schema.Reply {
		return cannot(r, j, schema.CodeEvaluator, "the evaluator failed: "+msg)
	}
	switch {
	case res.Err != nil:
		return fail(res.Err.Error())
	case res.TimedOut:
		return fail("timed out after " + j.spec.Timeout.Round(time.Millisecond).String())
	case res.Exit != 0:
		return fail("exit code " + strconv.Itoa(res.Exit))
	}
	o, err := ordjson.Parse(bytes.TrimSpace(res.Stdout))
	if err != nil {
		return fail(err.Error())
	}
	switch good, isBool := o.Bool("ok"); {
	case !isBool:
		return fail("the answer has no field ok that is true or false")
	case good:
		return schema.Reply{}
	}
	return dialect.Refusal(r.hooks, &j.Hook, j.View, o.Str("reason"))
}
