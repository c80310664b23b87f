package conformance

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// reader reads one vector. vector.schema.json says the same for other programs;
// a test holds the two together.
type reader struct {
	l *loader
	v Vector
}

// object calls one for every member, in order, and refuses what one does not
// know and what is not there.
func (r *reader) object(m ordjson.Member, path string, needs []string, one func(ordjson.Member, string) bool) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		r.l.refuse(m.Off, path, "must be an object")
		return
	}
	for _, need := range needs {
		if _, ok := o.Get(need); !ok {
			r.l.refuse(m.Off, path, "has no "+need)
		}
	}
	for _, m := range o {
		if at := ordjson.Pointer(path, m.Name); !one(m, at) {
			r.l.refuse(m.Off, at, "the format has no member "+strconv.Quote(m.Name))
		}
	}
}

func (r *reader) array(m ordjson.Member, path string, one func(ordjson.Member, string)) {
	list, err := ordjson.Elements(m.Value, m.Off)
	if err != nil {
		r.l.refuse(m.Off, path, "must be an array")
	}
	for i, m := range list {
		one(m, path+"/"+strconv.Itoa(i))
	}
}

// text reads a string; of words, if there are any, it must be one.
func (r *reader) text(m ordjson.Member, path string, into *string, words ...string) {
	s, ok := ordjson.String(m.Value)
	switch {
	case !ok:
		r.l.refuse(m.Off, path, "must be a string")
	case s == "":
		r.l.refuse(m.Off, path, "must not be empty")
	case len(words) > 0 && !slices.Contains(words, s):
		r.l.refuse(m.Off, path, strconv.Quote(s)+" is none of "+strings.Join(words, ", "))
	}
	*into = s
}

// bytes reads a string that may be empty.
func (r *reader) bytes(m ordjson.Member, path string) []byte {
	s, ok := ordjson.String(m.Value)
	if !ok {
		r.l.refuse(m.Off, path, "must be a string")
	}
	return []byte(s)
}

func (r *reader) flag(m ordjson.Member, path string, into *bool) {
	b, ok := ordjson.Bool(m.Value)
	if !ok || !b {
		r.l.refuse(m.Off, path, "must be true, or not be there")
	}
	*into = b
}

func (r *reader) json(m ordjson.Member) []byte { return ordjson.AppendCompact(nil, m.Value) }

func (r *reader) vector(m ordjson.Member, path string) {
	v := &r.v
	r.object(m, path, []string{"id", "why", "source", "confirmed", "from", "to", "diagnostics"}, r.member)
	o, _ := ordjson.Members(m.Value, m.Off)
	_, hasInput := o.Get("input")
	_, hasOutput := o.Get("output")
	switch {
	case hasInput == v.InputText:
		r.l.refuse(m.Off, path, "needs either input or input_text")
	case hasOutput == (v.Verdict != ""):
		r.l.refuse(m.Off, path, "needs either output or verdict")
	case v.Output == nil && v.Verdict == "" && len(v.Findings) == 0:
		r.l.refuse(m.Off, path, "no output without a diagnostic: any failure would pass")
	case (v.Confirmed == ConfirmedNone) != (v.Client == ""):
		r.l.refuse(m.Off, path, "client goes with confirmed, and the other way round")
	}
	r.fits(m, path)
}

// fits holds the id against the dialects, and the members against the op.
func (r *reader) fits(m ordjson.Member, path string) {
	v := &r.v
	op, rest, _ := strings.Cut(v.ID, "/")
	pair, fact, _ := strings.Cut(rest, "/")
	v.Op = Op(op)
	switch {
	case v.ID == "":
	case !slices.Contains(ops, v.Op):
		r.l.refuse(m.Off, path+"/id", "begins with none of config, call, reply, run")
	case pair != v.Pair():
		r.l.refuse(m.Off, path+"/id", "must go on with "+v.Pair()+", as from and to say")
	case fact == "" || strings.Trim(fact, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
		r.l.refuse(m.Off, path+"/id", "must end with the fact in small letters, digits and hyphens")
	}
	run := v.Process != nil || v.Files != nil || v.Home != nil || v.Environment != nil || v.Before != nil || v.Writes != nil || v.Verdict != ""
	opt := v.Options
	switch {
	case run && v.Op != OpRun:
		r.l.refuse(m.Off, path, "process, files, home, environment, before, writes and verdict are for run")
	case v.Op == OpReply && v.Event == "":
		r.l.refuse(m.Off, path, "a reply needs the event that it answers")
	case v.Event != "" && v.Op != OpReply && v.Op != OpCall, v.Tool != "" && v.Op != OpReply && v.Op != OpCall:
		r.l.refuse(m.Off, path, "event and tool are for reply and call")
	case v.Output != nil && v.Output[0] == '[' && v.Op != OpCall:
		r.l.refuse(m.Off, path, "only a call has several outputs")
	case opt.Wrap != "" && v.Op != OpConfig, opt.Ask+opt.Allow != "" && v.Op != OpReply && v.Op != OpRun,
		(opt.FailClosed || opt.RequireTrust || opt.Evaluator) && v.Op != OpRun:
		r.l.refuse(m.Off, path+"/options", "an option that this op does not have")
	}
}

func (r *reader) member(m ordjson.Member, path string) bool {
	v := &r.v
	switch m.Name {
	case "id":
		r.text(m, path, &v.ID)
	case "why":
		r.text(m, path, &v.Why)
	case "source":
		r.text(m, path, &v.Source)
	case "confirmed":
		r.text(m, path, &v.Confirmed, ConfirmedNone, ConfirmedReplayed, ConfirmedLive)
	case "client":
		r.text(m, path, &v.Client)
	case "from":
		r.dialect(m, path, &v.From)
	case "to":
		r.dialect(m, path, &v.To)
	case "event":
		r.text(m, path, &v.Event)
	case "tool":
		r.text(m, path, &v.Tool)
	case "options":
		r.object(m, path, nil, r.option)
	case "input":
		v.Input = r.json(m)
	case "input_text":
		v.Input, v.InputText = r.bytes(m, path), true
	case "output":
		list, _ := ordjson.Elements(m.Value, m.Off)
		switch k := ordjson.KindOf(m.Value); {
		case k == ordjson.ObjectKind, k == ordjson.Array && len(list) > 1:
			v.Output = r.json(m)
		case k == ordjson.Null:
		default:
			r.l.refuse(m.Off, path, "must be an object, null or, of a call, an array of objects")
		}
	case "verdict":
		r.text(m, path, &v.Verdict, schema.NoOpinion.String(), schema.Allow.String(), schema.Ask.String(), schema.Deny.String())
	case "diagnostics":
		r.array(m, path, r.finding)
	default:
		return r.runMember(m, path)
	}
	return true
}

func (r *reader) runMember(m ordjson.Member, path string) bool {
	v := &r.v
	switch m.Name {
	case "process":
		v.Process = []Process{}
		r.array(m, path, r.process)
	case "files":
		v.Files = r.files(m, path)
	case "home":
		v.Home = r.files(m, path)
	case "environment":
		v.Environment = r.vars(m, path)
	case "before":
		r.array(m, path, func(m ordjson.Member, _ string) { v.Before = append(v.Before, r.json(m)) })
	case "writes":
		s := string(r.bytes(m, path))
		v.Writes = &s
	default:
		return false
	}
	return true
}

func (r *reader) dialect(m ordjson.Member, path string, into *string) {
	r.text(m, path, into)
	if *into != "" && !r.l.known(*into) {
		r.l.refuse(m.Off, path, "unknown dialect "+strconv.Quote(*into))
	}
}

func (r *reader) option(m ordjson.Member, path string) bool {
	o := &r.v.Options
	switch m.Name {
	case "allow":
		r.text(m, path, &o.Allow, "pass", "approve")
	case "ask":
		r.text(m, path, &o.Ask, "deny", "relay", "allow")
	case "wrap":
		r.text(m, path, &o.Wrap, "auto", "always", "never")
	case "fail_closed":
		r.flag(m, path, &o.FailClosed)
	case "require_trust":
		r.flag(m, path, &o.RequireTrust)
	case "evaluator":
		r.flag(m, path, &o.Evaluator)
	default:
		return false
	}
	return true
}

func (r *reader) finding(m ordjson.Member, path string) {
	f := Finding{}
	r.object(m, path, []string{"code", "severity", "path"}, func(m ordjson.Member, path string) bool {
		switch m.Name {
		case "code":
			r.text(m, path, &f.Code)
			if _, ok := schema.Code(f.Code).Info(); !ok {
				r.l.refuse(m.Off, path, "no such code")
			}
		case "severity":
			r.text(m, path, &f.Severity, schema.Note.String(), schema.Loss.String(), schema.Weaker.String(), schema.Error.String())
		case "path":
			f.Path = string(r.bytes(m, path))
		default:
			return false
		}
		return true
	})
	r.v.Findings = append(r.v.Findings, f)
}

func (r *reader) process(m ordjson.Member, path string) {
	p := Process{Runs: 1}
	r.object(m, path, []string{"name"}, func(m ordjson.Member, path string) bool {
		switch m.Name {
		case "name":
			r.text(m, path, &p.Name)
			if strings.Trim(p.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
				r.l.refuse(m.Off, path, "must be of small letters, digits and hyphens")
			}
		case "exit":
			p.Exit = r.number(m, path)
		case "runs":
			p.Runs = r.number(m, path)
		case "stdout": // a text, or JSON to be printed
			if p.Stdout = r.json(m); ordjson.KindOf(m.Value) == ordjson.StringKind {
				p.Stdout = r.bytes(m, path)
			}
		case "stderr":
			p.Stderr = r.bytes(m, path)
		case "env_file":
			r.text(m, path, &p.EnvFile)
		case "hangs":
			r.flag(m, path, &p.Hangs)
		case "stdin":
			p.Stdin = r.json(m)
		case "environment":
			p.Env = r.vars(m, path)
		default:
			return false
		}
		return true
	})
	if slices.ContainsFunc(r.v.Process, func(q Process) bool { return q.Name == p.Name }) {
		r.l.refuse(m.Off, path+"/name", "two processes are called "+strconv.Quote(p.Name))
	}
	r.v.Process = append(r.v.Process, p)
}

func (r *reader) number(m ordjson.Member, path string) int {
	n, ok := ordjson.Int(m.Value)
	if !ok || n < 0 || n > 255 {
		r.l.refuse(m.Off, path, "must be a whole number from 0 to 255")
	}
	return int(n)
}

// files reads an object of path and content: a text, or JSON to be written.
func (r *reader) files(m ordjson.Member, path string) []File {
	list := []File{}
	r.object(m, path, nil, func(m ordjson.Member, path string) bool {
		f := File{Path: m.Name}
		if f.Text = string(r.json(m)); ordjson.KindOf(m.Value) == ordjson.StringKind {
			f.Text = string(r.bytes(m, path))
		}
		if f.Path == "" || strings.HasPrefix(f.Path, "/") || slices.Contains(strings.Split(f.Path, "/"), "..") {
			r.l.refuse(m.Off, path, "must be a path inside the folder")
		}
		list = append(list, f)
		return true
	})
	return list
}

// vars reads an object of variables; null is a variable that must not be there.
func (r *reader) vars(m ordjson.Member, path string) []Var {
	list := []Var{}
	r.object(m, path, nil, func(m ordjson.Member, path string) bool {
		x := Var{Name: m.Name, Unset: ordjson.KindOf(m.Value) == ordjson.Null}
		if !x.Unset {
			x.Value = string(r.bytes(m, path))
		}
		list = append(list, x)
		return true
	})
	return list
}
