package bridge

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/session"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ascii"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/internal/wildcard"
	"github.com/hookbridge/hookbridge/schema"
)

// AsyncCommand is the argument that makes Bridge.Self run one asynchronous hook: the job on stdin, see RunAsync.
const AsyncCommand = "async-hook"

// detach starts an asynchronous hook and doesn't wait for it. If there is a relay, a second process of hookbridge waits
// for it, and a later event delivers the hook's context.
func detach(r *run, c *schema.Call, j *job) {
	spec, msg := j.spec, "started in the background; its answer is ignored"
	if self := r.opts.self(); self != "" && r.mem.Ready() {
		spec = process.Spec{Argv: []string{self, AsyncCommand}, Dir: j.spec.Dir, Folders: j.spec.Folders,
			Env: j.spec.Env, Stdin: asyncJobOf(r, j)}
		msg = "started in the background"
	}
	switch name := r.rules.EnvFile.For(j.Hook.Event); {
	case name == "":
	case hostEnvFile(r, c) == "":
		msg += "; any variables that it sets are lost"
	default: // Claude Code reads the file again for its own background hooks (observed 2.1.328)
		msg += "; any variables that it sets after the model's first command are lost"
	}
	if _, err := process.Detach(spec); err != nil {
		r.log.hookNote(schema.CodeNotStarted, &j.Hook, err.Error())
		return
	}
	r.log.hookNote(schema.CodeDetached, &j.Hook, msg)
}

func (b *Bridge) self() (program string) {
	if b.Self != nil {
		program = b.Self()
	}
	return program
}

// An asyncJob is the input of the waiting process. It inherits the environment and the folder.
type asyncJob struct {
	Hooks     string   `json:"hooks"`
	Argv      []string `json:"argv"`
	Dir       string   `json:"dir"`
	TimeoutMS int64    `json:"timeout_ms"`
	Event     string   `json:"event"`
	Tool      string   `json:"tool"`
	Kind      string   `json:"kind"`
	Rewake    bool     `json:"rewake"`
	State     string   `json:"state"`
	Session   string   `json:"session"`
	Stdin     string   `json:"stdin"`
}

func asyncJobOf(r *run, j *job) []byte {
	return jsondoc.Marshal(asyncJob{Hooks: r.rules.Full(), Argv: j.spec.Argv, Dir: j.spec.Dir,
		TimeoutMS: j.spec.Timeout.Milliseconds(),
		Event:     j.View.Event, Tool: j.View.Tool, Kind: j.View.Kind.String(), Rewake: j.Hook.Rewake,
		State: r.stateDir, Session: r.mem.Name(), Stdin: string(j.spec.Stdin)})
}

// RunAsync runs the asynchronous hook that job describes and leaves its context to the session's next events. Such a
// hook decides nothing; if it rewakes, the text of a block counts as context (observed Claude Code 2.1.328).
func RunAsync(job []byte, env []string, now func() time.Time) error {
	var a asyncJob
	if err := jsondoc.Unmarshal(job, &a); err != nil {
		return err
	}
	d, err := adapter.Find(a.Hooks)
	if err != nil {
		return fmt.Errorf("the job of an asynchronous hook: %w", err)
	}
	row := d.Profile().Row(a.Event)
	if row == nil {
		return errors.New("unknown event in the job of an asynchronous hook")
	}
	res := process.Run(context.Background(), process.Spec{Argv: a.Argv, Dir: a.Dir, Env: env, Stdin: []byte(a.Stdin),
		Grace: d.Profile().OutputGrace, Timeout: time.Duration(a.TimeoutMS) * time.Millisecond})
	kind, _ := schema.ParseKind(a.Kind)
	text := lateContext(d, row, schema.View{Event: row.Native, Tool: a.Tool, Kind: kind}, res, a.Rewake)
	if _, err := os.Stat(a.State); text == "" || err != nil { // without the folder the session is over: a simulated one
		return nil
	}
	return session.AddContext(state.Store{Dir: a.State}, a.Session, now(), text)
}

func lateContext(d dialect.Dialect, row *schema.EventRow, v schema.View, res process.Result, rewake bool) string {
	blocked := res.Outcome(d.Profile().RefusalStatus) == process.Refused
	if blocked && !rewake {
		return ""
	}
	h := schema.Hook{Event: row.Event, Native: row.Native, Handler: schema.HandlerCommand, Async: true, Rewake: rewake}
	reply, _ := d.DecodeReply(&h, v, &res)
	text := schema.JoinText(reply.Context, reply.Notice)
	if blocked {
		text = schema.JoinText(text, schema.JoinText(reply.Feedback, schema.JoinText(reply.KeepGoing, reply.Reason)))
	}
	return text
}

// ReadModule loads a module of callbacks and lists its hooks. It runs the module's code in the folder dir. If the
// module can't be used, the Config is nil and the diagnostics contain the reason.
func ReadModule(ctx context.Context, d dialect.Dialect, file, dir string, env schema.Environ) (*schema.Config,
	schema.Diagnostics) {
	m := d.Abilities().Callbacks
	abs := file
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(dir, file)
	}
	var ds schema.Diagnostics
	if info, err := os.Stat(abs); err != nil || !info.Mode().IsRegular() {
		ds.Add(schema.CodeModule, "", "the module "+abs+" doesn't exist or isn't a regular file").File = file
		return nil, ds
	}
	spec := m.DescribeModule(abs, env)
	spec.Dir = dir
	res := process.Run(ctx, spec)
	hooks, ds := m.ModuleHooks(abs, &res)
	if ds.Max() == schema.Error {
		return nil, ds
	}
	return &schema.Config{Source: schema.Source{File: abs}, Hooks: hooks}, ds
}

// modulePath resolves a module's relative path: in the project, or else in the folder that hookbridge was started in.
func modulePath(r *run, c *schema.Call, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	for _, dir := range []string{c.Project, r.places.Env.Get("PWD")} {
		path := filepath.Join(dir, file)
		if info, err := os.Stat(path); dir != "" && err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return file
}

// prepareModule gives a module every view that the hook's own matcher accepts; the callbacks' own matchers, in the
// module's language, choose among them.
func prepareModule(r *run, c *schema.Call, j *job) {
	m := r.hooks.Abilities().Callbacks
	if m == nil || j.Hook.Command == "" {
		j.Reply = cannot(r, j, schema.CodeNoHandler, schema.An(j.Hook.Handler.String())+
			" hook can't run outside its own agent")
		return
	}

	file := modulePath(r, c, j.Hook.Command)
	if !filepath.IsAbs(file) {
		d := r.log.note(schema.CodeModule, "the module is neither in the project nor in the current folder")
		d.File, j.did.broken = file, true
		return
	}

	var views []schema.View
	var shown [][]byte
	ps := payloads{}
	for _, v := range r.hooks.Views(c) {
		if v.Event != j.View.Event {
			continue
		}
		if _, ok := pickFor(r, c, &j.Hook, []schema.View{v}); ok {
			views, shown = append(views, v), append(shown, ps.of(r, c, v, "").bytes)
		}
	}

	limit := j.Hook.Timeout
	if r.opts.Timeout > 0 && (limit == 0 || r.opts.Timeout < limit) {
		limit = r.opts.Timeout
	}

	places := hookPlaces(r)
	env := places.Env
	if spec, err := r.hooks.Spec(&j.Hook, c, places); err == nil {
		env = spec.Env
	}

	j.spec = m.RunModule(file, views, shown, limit, env)
	j.spec.Dir = folderFor(r, c, c.Project)
	j.Ran = true
	j.answer = func(r *run, _ *schema.Call, j *job, res *process.Result) schema.Reply {
		return moduleReplies(r, m, j, file, views, res)
	}
}

func moduleReplies(r *run, m dialect.CallbackRunner, j *job, file string, views []schema.View,
	res *process.Result) schema.Reply {
	runs, ds, usable := m.ModuleReplies(&j.Hook, file, views, res)
	for _, d := range ds {
		d.Event = j.View.Event
		r.log.ds = append(r.log.ds, d)
	}
	j.did = done{broken: !usable, exhausted: j.did.exhausted, printed: res.Stderr, runs: make([]HookRun, 0, len(runs))}
	for _, c := range runs {
		j.did.runs = append(j.did.runs, HookRun{Hook: c.Hook, View: c.View, Stdin: j.Stdin, Ran: true, Result: *res,
			Reply: c.Reply})
	}
	return schema.Reply{}
}

// prepareHTTP posts the payload with curl. A separate program saves other hooks the cost of an HTTP and TLS client
// (half a millisecond at every start). Address and headers go through a private file, so that the process list shows no
// secret.
func prepareHTTP(r *run, c *schema.Call, j *job, p payload) {
	rules := r.rules.HTTP
	if why, _, severity := rules.Refused(&j.Hook, c.Event); why != "" && !r.foreignHooks() {
		j.Reply = cannot(r, j, schema.CodeVoidHook, r.rules.Title+" "+why)
		if rules.Fails && severity < schema.Weaker { // else the hook is skipped
			j.Reply, _ = r.hooks.DecodeReply(&j.Hook, j.View, &process.Result{Exit: 1})
		}
		return
	}

	address, ok := allowedURL(j.Hook.URL, r.from.allowURLs, rules.AnyPort)
	if !ok {
		j.Reply = cannot(r, j, schema.CodeHTTP, "the settings don't allow this address: "+j.Hook.URL)
		return
	}

	for _, h := range j.Hook.Headers {
		if !isHeaderName(h.Name) { // curl would read "@file" as the name of a file with headers
			j.Reply = cannot(r, j, schema.CodeHTTP, strconv.Quote(h.Name)+" isn't a valid name for a header")
			return
		}
	}

	f, err := tempFile(r)
	if err == nil {
		j.temps = append(j.temps, f.Name())
		_, err = f.WriteString(curlConfig(&j.Hook, address, r.places.Env, r.from.allowEnv))
		err = cmp.Or(err, f.Close())
	}

	if err != nil {
		j.did.exhausted, j.Reply = true, cannot(r, j, schema.CodeHTTP, err.Error())
		return
	}

	options := []string{"--request", "POST", "--max-redirs", "0"}
	if rules.Follow { // some redirects turn a POST into a GET
		options = []string{"--location", "--proto-redir", "=http,https", "--max-redirs", "20"}
	}
	if r.places.OS != "windows" { // older releases' curl can't
		options = append(options, "--compressed")
	}

	body := bytes.TrimSuffix(p.bytes, []byte("\n"))
	if rules.Event != "" && len(body) > 1 {
		w := ordjson.NewWriter(nil)
		w.String(rules.Event, j.View.Event)
		head := bytes.TrimSuffix(w.Bytes(), []byte("}"))
		body = append(append(head, ','), body[1:]...)
	}

	j.spec = process.Spec{
		// Without globbing, so that one allowed address can't match others.
		Argv: append([]string{"curl", "--disable", "--globoff", "--proto", "=http,https", "--silent", "--show-error",
			"--config", f.Name(),
			"--data-binary", "@-", "--write-out", "\n%{http_code}"}, options...),
		Dir: folderFor(r, c, c.Project), Env: r.places.Env, Stdin: body,
	}

	j.Ran, j.answer = true, httpReply
}

// allowedURL returns the address that a hook calls, if it may: HTTP or HTTPS, and matching a pattern if settings list
// addresses. The address is then built from the compared parts, so that no other reading is possible.
func allowedURL(url string, patterns []string, anyPort bool) (string, bool) {
	if patterns == nil {
		return url, strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")
	}
	a, ok := wildcard.ParseAddress(url)
	if !ok || a.Scheme != "http" && a.Scheme != "https" {
		return "", false
	}
	return a.String(), slices.ContainsFunc(patterns, func(p string) bool {
		return wildcard.MatchAddress(p, url, anyPort)
	})
}

// isHeaderName reports whether s is a token in the sense of RFC 9110.
func isHeaderName(s string) bool {
	const token = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return s != "" && strings.Trim(s, token) == ""
}

// curlConfig writes address and headers in curl's file format. A hook's header replaces a default one; the payload
// determines the length.
func curlConfig(h *schema.Hook, address string, env schema.Environ, allowed []string) string {
	var b strings.Builder
	line := func(key, value string) {
		b.WriteString(key + " = \"")
		b.WriteString(strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "", "\n", "").Replace(value))
		b.WriteString("\"\n")
	}
	line("url", address)
	line("header", "Expect:")
	for _, std := range []schema.EnvVar{{Name: "Content-Type", Value: "application/json"},
		{Name: "Accept", Value: "application/json, text/plain, */*"}} {
		named := func(own schema.EnvVar) bool { return strings.EqualFold(own.Name, std.Name) }
		if !slices.ContainsFunc(h.Headers, named) {
			line("header", std.Name+": "+std.Value)
		}
	}
	for _, own := range h.Headers {
		switch value := headerValue(h, own.Value, env, allowed); {
		case strings.EqualFold(own.Name, "Content-Length") || strings.EqualFold(own.Name, "Transfer-Encoding"):
		case strings.TrimSpace(value) == "": // with a colon curl would leave it out
			line("header", own.Name+";")
		default:
			line("header", own.Name+": "+value)
		}
	}
	return b.String()
}

// headerValue fills in variables: $NAME and ${NAME} with NAME of capitals, digits and "_"; everything else stays.
// Variables that the hook doesn't list become empty, and so do those missing from a list in the settings (observed
// Claude Code 2.1.328 and Qoder 1.1.52).
func headerValue(h *schema.Hook, text string, env schema.Environ, allowed []string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "$")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		inner, braced := strings.CutPrefix(rest, "{")
		name := capitals(inner)
		after := inner[len(name):]
		if braced {
			after, found = strings.CutPrefix(after, "}")
		}
		if name == "" || !found {
			b.WriteByte('$')
			text = rest
			continue
		}
		if slices.Contains(h.EnvAllow, name) && (allowed == nil || slices.Contains(allowed, name)) {
			b.WriteString(env.Get(name))
		}
		text = after
	}
}

// capitals returns the variable name that s begins with.
func capitals(s string) string {
	for i := range len(s) {
		small := 'a' <= s[i] && s[i] <= 'z'
		if !ascii.Word(s[i]) || small || i == 0 && ascii.Digit(s[i]) {
			return s[:i]
		}
	}
	return s
}

// httpReply reads the answer. A JSON object with a 2xx status counts like a command's stdout, an empty body means no
// opinion. Anything else is a failure that doesn't block, unless the hooks' agent reads it as printed text or a failed
// command.
func httpReply(r *run, c *schema.Call, j *job, res *process.Result) schema.Reply {
	rules := r.rules.HTTP
	fail := func(msg string) schema.Reply {
		reply := cannot(r, j, schema.CodeHTTP, msg)
		if rules.Fails {
			reply, _ = r.hooks.DecodeReply(&j.Hook, j.View, &process.Result{Exit: 1})
		}
		return reply
	}

	switch {
	case res.TimedOut:
		return cannot(r, j, schema.CodeHTTP, "timed out")
	case res.Err != nil:
		return fail("curl: " + res.Err.Error())
	case res.Exit != 0:
		return fail(strings.TrimSpace(string(res.Stderr)))
	}

	i := bytes.LastIndexByte(res.Stdout, '\n')
	status, err := strconv.Atoi(string(res.Stdout[i+1:]))
	// Clients drop a byte order mark (observed Claude Code 2.1.328, Qoder 1.1.52).
	body := bytes.TrimSpace(bytes.TrimPrefix(res.Stdout[:max(i, 0)], []byte("\ufeff")))
	switch {
	case err != nil || status < 200 || status > 299:
		return fail("HTTP status " + strconv.Itoa(status))
	case len(body) == 0:
		return schema.Reply{}
	case body[0] != '{' && !rules.Text:
		return cannot(r, j, schema.CodeHTTP, "the answer isn't a JSON object")
	}

	return decodeReply(r, c, j, &process.Result{Stdout: body})
}
