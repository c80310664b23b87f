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

// A read takes a value, which is at a JSON Pointer of the file.
type read func(m ordjson.Member, path string)

// object reads the fields of an object, in order, and refuses those that aren't known
// and what isn't there.
func (r *reader) object(m ordjson.Member, path string, needs []string, known map[string]read) {
	o, ok := r.members(m, path)
	for _, need := range needs {
		if _, has := o.Get(need); ok && !has {
			r.l.refuse(m.Off, path, "has no "+need)
		}
	}
	for _, m := range o {
		at := ordjson.Pointer(path, m.Name)
		if one := known[m.Name]; one != nil {
			one(m, at)
		} else {
			r.l.refuse(m.Off, at, "the format has no member "+strconv.Quote(m.Name))
		}
	}
}

// members are those of an object; ok is false if it isn't one.
func (r *reader) members(m ordjson.Member, path string) (o ordjson.Object, ok bool) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		r.l.refuse(m.Off, path, "must be an object")
	}
	return o, err == nil
}

func (r *reader) array(one read) read {
	return func(m ordjson.Member, path string) {
		list, err := ordjson.Elements(m.Value, m.Off)
		if err != nil {
			r.l.refuse(m.Off, path, "must be an array")
		}
		for i, m := range list {
			one(m, path+"/"+strconv.Itoa(i))
		}
	}
}

// text reads a string; of words, if there are any, it must be one.
func (r *reader) text(into *string, words ...string) read {
	return func(m ordjson.Member, path string) {
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
}

func (r *reader) bytes(m ordjson.Member, path string) []byte {
	s, ok := ordjson.String(m.Value)
	if !ok {
		r.l.refuse(m.Off, path, "must be a string")
	}
	return []byte(s)
}

func (r *reader) flag(into *bool) read {
	return func(m ordjson.Member, path string) {
		b, ok := ordjson.Bool(m.Value)
		if !ok || !b {
			r.l.refuse(m.Off, path, "must be true, or not be there")
		}
		*into = b
	}
}

func (r *reader) json(m ordjson.Member) []byte { return ordjson.AppendCompact(nil, m.Value) }

// content reads a text, or JSON that is to be written.
func (r *reader) content(m ordjson.Member, path string) []byte {
	if ordjson.KindOf(m.Value) == ordjson.StringKind {
		return r.bytes(m, path)
	}
	return r.json(m)
}

func (r *reader) vector(m ordjson.Member, path string) {
	v := &r.v
	r.object(m, path, []string{"id", "why", "source", "confirmed", "from", "to", "diagnostics"}, map[string]read{
		"id":         r.text(&v.ID),
		"why":        r.text(&v.Why),
		"source":     r.text(&v.Source),
		"confirmed":  r.text(&v.Confirmed, ConfirmedNone, ConfirmedReplayed, ConfirmedLive),
		"client":     r.text(&v.Client),
		"from":       r.dialect(&v.From),
		"to":         r.dialect(&v.To),
		"event":      r.text(&v.Event),
		"tool":       r.text(&v.Tool),
		"options":    r.options,
		"input":      func(m ordjson.Member, _ string) { v.Input = r.json(m) },
		"input_text": func(m ordjson.Member, path string) { v.Input, v.InputText = r.bytes(m, path), true },
		"output":     r.output,
		"verdict": r.text(&v.Verdict, schema.NoOpinion.String(), schema.Allow.String(), schema.Ask.String(),
			schema.Deny.String()),
		"diagnostics": r.array(r.finding),
		"process": func(m ordjson.Member, path string) {
			v.Process = []Process{}
			r.array(r.process)(m, path)
		},
		"files":       r.files(&v.Files),
		"home":        r.files(&v.Home),
		"environment": r.vars(&v.Environment),
		"before":      r.array(func(m ordjson.Member, _ string) { v.Before = append(v.Before, r.json(m)) }),
		"writes": func(m ordjson.Member, path string) {
			s := string(r.bytes(m, path))
			v.Writes = &s
		},
	})

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

// fits holds the id against the dialects, and the fields against the op.
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

	run := v.Process != nil || v.Files != nil || v.Home != nil || v.Environment != nil || v.Before != nil ||
		v.Writes != nil || v.Verdict != ""
	call := v.Op == OpReply || v.Op == OpCall
	opt := v.Options
	switch {
	case run && v.Op != OpRun:
		r.l.refuse(m.Off, path, "process, files, home, environment, before, writes and verdict are for run")
	case v.Op == OpReply && v.Event == "":
		r.l.refuse(m.Off, path, "a reply needs the event that it answers")
	case !call && (v.Event != "" || v.Tool != ""):
		r.l.refuse(m.Off, path, "event and tool are for reply and call")
	case v.Output != nil && v.Output[0] == '[' && v.Op != OpCall:
		r.l.refuse(m.Off, path, "only a call has several outputs")
	case opt.Wrap != "" && v.Op != OpConfig, opt.Ask+opt.Allow != "" && v.Op != OpReply && v.Op != OpRun,
		(opt.FailClosed || opt.RequireTrust || opt.Evaluator) && v.Op != OpRun:
		r.l.refuse(m.Off, path+"/options", "an option that this op does not have")
	}
}

func (r *reader) output(m ordjson.Member, path string) {
	list, _ := ordjson.Elements(m.Value, m.Off)
	switch k := ordjson.KindOf(m.Value); {
	case k == ordjson.ObjectKind, k == ordjson.Array && len(list) > 1:
		r.v.Output = r.json(m)
	case k == ordjson.Null:
	default:
		r.l.refuse(m.Off, path, "must be an object, null or, of a call, an array of objects")
	}
}

func (r *reader) dialect(into *string) read {
	return func(m ordjson.Member, path string) {
		r.text(into)(m, path)
		if *into != "" && !r.l.known(*into) {
			r.l.refuse(m.Off, path, "unknown dialect "+strconv.Quote(*into))
		}
	}
}

func (r *reader) options(m ordjson.Member, path string) {
	o := &r.v.Options
	r.object(m, path, nil, map[string]read{
		"allow":         r.text(&o.Allow, "pass", "approve"),
		"ask":           r.text(&o.Ask, "deny", "relay", "allow"),
		"wrap":          r.text(&o.Wrap, "auto", "always", "never"),
		"fail_closed":   r.flag(&o.FailClosed),
		"require_trust": r.flag(&o.RequireTrust),
		"evaluator":     r.flag(&o.Evaluator),
	})
}

func (r *reader) finding(m ordjson.Member, path string) {
	f := Finding{}
	r.object(m, path, []string{"code", "severity", "path"}, map[string]read{
		"code": func(m ordjson.Member, path string) {
			r.text(&f.Code)(m, path)
			if _, ok := schema.Code(f.Code).Info(); !ok {
				r.l.refuse(m.Off, path, "no such code")
			}
		},
		"severity": r.text(&f.Severity, schema.Note.String(), schema.Loss.String(), schema.Weaker.String(),
			schema.Error.String()),
		"path": func(m ordjson.Member, path string) { f.Path = string(r.bytes(m, path)) },
	})
	r.v.Findings = append(r.v.Findings, f)
}

func (r *reader) process(m ordjson.Member, path string) {
	p := Process{Runs: 1}
	r.object(m, path, []string{"name"}, map[string]read{
		"name": func(m ordjson.Member, path string) {
			r.text(&p.Name)(m, path)
			if strings.Trim(p.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
				r.l.refuse(m.Off, path, "must be of small letters, digits and hyphens")
			}
		},
		"exit":        r.number(&p.Exit),
		"runs":        r.number(&p.Runs),
		"stdout":      func(m ordjson.Member, path string) { p.Stdout = r.content(m, path) },
		"stderr":      func(m ordjson.Member, path string) { p.Stderr = r.bytes(m, path) },
		"env_file":    r.text(&p.EnvFile),
		"hangs":       r.flag(&p.Hangs),
		"stdin":       func(m ordjson.Member, _ string) { p.Stdin = r.json(m) },
		"environment": r.vars(&p.Env),
	})
	if slices.ContainsFunc(r.v.Process, func(q Process) bool { return q.Name == p.Name }) {
		r.l.refuse(m.Off, path+"/name", "two processes are called "+strconv.Quote(p.Name))
	}
	r.v.Process = append(r.v.Process, p)
}

func (r *reader) number(into *int) read {
	return func(m ordjson.Member, path string) {
		n, ok := ordjson.Int(m.Value)
		if !ok || n < 0 || n > 255 {
			r.l.refuse(m.Off, path, "must be a whole number from 0 to 255")
		}
		*into = int(n)
	}
}

// files reads an object of path and content.
func (r *reader) files(into *[]File) read {
	return func(m ordjson.Member, path string) {
		*into = []File{}
		o, _ := r.members(m, path)
		for _, m := range o {
			at := ordjson.Pointer(path, m.Name)
			f := File{m.Name, string(r.content(m, at))}
			if f.Path == "" || strings.HasPrefix(f.Path, "/") || slices.Contains(strings.Split(f.Path, "/"), "..") {
				r.l.refuse(m.Off, at, "must be a path inside the folder")
			}
			*into = append(*into, f)
		}
	}
}

// vars reads an object of variables; null is a variable that must not be there.
func (r *reader) vars(into *[]Var) read {
	return func(m ordjson.Member, path string) {
		*into = []Var{}
		o, _ := r.members(m, path)
		for _, m := range o {
			x := Var{Name: m.Name, Unset: ordjson.KindOf(m.Value) == ordjson.Null}
			if !x.Unset {
				x.Value = string(r.bytes(m, ordjson.Pointer(path, m.Name)))
			}
			*into = append(*into, x)
		}
	}
}
