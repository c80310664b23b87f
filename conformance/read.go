package conformance

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// readVector reads one vector. Paths of mistakes begin at the vector.
func readVector(vector []byte, known func(dialect string) bool) (Vector, []jsondoc.Misfit) {
	type document struct {
		Vector
		given
		Output jsondoc.Raw `json:"output,omitempty"`
	}
	doc, bad := jsondoc.Strict[document](vector)
	if bad != nil {
		return Vector{}, bad
	}

	v := doc.Vector
	op, _, _ := strings.Cut(v.ID, "/")
	v.Op = Op(op)
	v.Input, v.InputText = doc.input()
	if ordjson.KindOf(doc.Output) != ordjson.Null {
		v.Output = doc.Output
	}
	c := checker{v: &v, known: known}
	c.words()
	c.lists()
	c.id()
	c.refuse((doc.JSON != nil) == v.InputText, "", "needs either input or input_text")
	c.refuse((doc.Output != nil) == (v.Verdict != ""), "", "needs either output or verdict")
	c.whole()
	return v, c.bad
}

// A checker collects what a vector gets wrong that its Go type allows.
type checker struct {
	v     *Vector
	known func(dialect string) bool
	bad   []jsondoc.Misfit
}

func (c *checker) refuse(wrong bool, path, msg string) {
	if wrong {
		c.bad = append(c.bad, jsondoc.Misfit{Path: path, Msg: msg})
	}
}

// oneOf checks a word that may only be one of several.
func (c *checker) oneOf(path, word string, words ...string) {
	c.refuse(!slices.Contains(words, word), path,
		strconv.Quote(word)+" is none of "+strings.Trim(strings.Join(words, ", "), ", "))
}

// named reports whether s consists of lower-case letters, digits and hyphens.
func named(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func (c *checker) words() {
	v := c.v
	c.refuse(v.Why == "", "/why", "must not be empty")
	c.refuse(v.Source == "", "/source", "must not be empty")
	c.refuse(!c.known(v.From), "/from", "unknown dialect "+strconv.Quote(v.From))
	c.refuse(!c.known(v.To), "/to", "unknown dialect "+strconv.Quote(v.To))
	c.oneOf("/confirmed", v.Confirmed, ConfirmedNone, ConfirmedReplayed, ConfirmedLive)
	c.oneOf("/verdict", v.Verdict, "", schema.NoOpinion.String(), schema.Allow.String(), schema.Ask.String(),
		schema.Deny.String())
	c.oneOf("/options/allow", v.Options.Allow, "", "pass", "approve")
	c.oneOf("/options/ask", v.Options.Ask, "", "deny", "relay", "allow")
	c.oneOf("/options/wrap", v.Options.Wrap, "", "auto", "always", "never")

	if kind := ordjson.KindOf(v.Output); kind == ordjson.Array {
		list, _ := ordjson.Elements(v.Output, 0)
		c.refuse(len(list) < 2, "/output", "an array has several outputs")
	} else {
		c.refuse(v.Output != nil && kind != ordjson.ObjectKind, "/output",
			"must be an object, null or, of a call, an array of objects")
	}
}

func (c *checker) lists() {
	c.refuse(c.v.Findings == nil, "/diagnostics", "must be an array")
	for i, f := range c.v.Findings {
		at := "/diagnostics/" + strconv.Itoa(i)
		_, ok := schema.Code(f.Code).Info()
		c.refuse(!ok, at+"/code", "no such code")
		c.oneOf(at+"/severity", f.Severity, schema.Note.String(), schema.Loss.String(), schema.Weaker.String(),
			schema.Error.String())
	}

	seen := map[string]bool{}
	for i, p := range c.v.Process {
		at := "/process/" + strconv.Itoa(i)
		c.refuse(!named(p.Name), at+"/name", "must be of small letters, digits and hyphens")
		c.refuse(seen[p.Name], at+"/name", "two processes are called "+strconv.Quote(p.Name))
		c.refuse(p.Exit < 0 || p.Exit > 255, at+"/exit", "must be a whole number from 0 to 255")
		c.refuse(p.runs() < 0 || p.runs() > 255, at+"/runs", "must be a whole number from 0 to 255")
		seen[p.Name] = true
	}

	c.files("/files", c.v.Files)
	c.files("/home", c.v.Home)
}

func (c *checker) files(at string, files map[string]jsondoc.Raw) {
	for _, path := range slices.Sorted(maps.Keys(files)) {
		inside := path != "" && !strings.HasPrefix(path, "/") && !slices.Contains(strings.Split(path, "/"), "..")
		c.refuse(!inside, ordjson.Pointer(at, path), "must be a path inside the folder")
	}
}

// id checks the id against op and dialects.
func (c *checker) id() {
	_, rest, _ := strings.Cut(c.v.ID, "/")
	pair, fact, _ := strings.Cut(rest, "/")
	switch {
	case !slices.Contains(ops, c.v.Op):
		c.refuse(true, "/id", "begins with none of config, call, reply, run")
	case pair != c.v.Pair():
		c.refuse(true, "/id", "must go on with "+c.v.Pair()+", as from and to say")
	case !named(fact):
		c.refuse(true, "/id", "must end with the fact in small letters, digits and hyphens")
	}
}

// whole checks the fields against each other and against the op.
func (c *checker) whole() {
	v := c.v
	c.refuse(v.Output == nil && v.Verdict == "" && len(v.Findings) == 0, "",
		"no output without a diagnostic: any failure would pass")
	c.refuse((v.Confirmed == ConfirmedNone) != (v.Client == ""), "",
		"client goes with confirmed, and the other way round")

	run := v.Process != nil || v.Files != nil || v.Home != nil || v.Environment != nil || v.Before != nil ||
		v.Writes != nil || v.Verdict != ""
	call := v.Op == OpReply || v.Op == OpCall
	opt := v.Options
	switch {
	case run && v.Op != OpRun:
		c.refuse(true, "", "process, files, home, environment, before, writes and verdict are for run")
	case v.Op == OpReply && v.Event == "":
		c.refuse(true, "", "a reply needs the event that it answers")
	case !call && (v.Event != "" || v.Tool != ""):
		c.refuse(true, "", "event and tool are for reply and call")
	case ordjson.KindOf(v.Output) == ordjson.Array && v.Op != OpCall:
		c.refuse(true, "", "only a call has several outputs")
	case opt.Wrap != "" && v.Op != OpConfig, opt.Ask+opt.Allow != "" && v.Op != OpReply && v.Op != OpRun,
		(opt.FailClosed || opt.RequireTrust || opt.Evaluator) && v.Op != OpRun:
		c.refuse(true, "/options", "an option that this op does not have")
	}
}
