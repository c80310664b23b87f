package bridge

import (
	"bytes"
	"cmp"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/wildcard"
	"github.com/hookbridge/hookbridge/schema"
)

// prepareHTTP posts the payload with curl: a program of its own keeps the cost
// of an HTTP and TLS client (half a millisecond at every start) off the hooks
// that do not use it. Address and headers go through a private file, so that no
// secret is seen in the list of processes.
func (r *executor) prepareHTTP(j *job, p payload) {
	rules := r.Hooks.Profile().HTTP
	address, ok := allowedURL(j.hook.URL, r.allowURLs, rules.AnyPort)
	if !ok {
		j.reply = r.cannot(j, schema.CodeHTTP, "the settings don't allow this address: "+j.hook.URL)
		return
	}
	for _, h := range j.hook.Headers {
		if !isHeaderName(h.Name) { // curl would read "@file" as the name of a file with headers
			j.reply = r.cannot(j, schema.CodeHTTP, strconv.Quote(h.Name)+" isn't a valid name for a header")
			return
		}
	}
	f, err := os.CreateTemp(r.TempDir, "hookbridge-http-")
	if err == nil {
		j.temps = append(j.temps, f.Name())
		_, err = f.WriteString(curlConfig(&j.hook, address, r.places.Env, r.allowEnv))
		err = cmp.Or(err, f.Close())
	}
	if err != nil {
		r.starved, j.reply = true, r.cannot(j, schema.CodeHTTP, err.Error())
		return
	}
	redirects := []string{"--request", "POST", "--max-redirs", "0"}
	if rules.Follow { // some of which make a POST a GET
		redirects = []string{"--location", "--proto-redir", "=http,https", "--max-redirs", "20"}
	}
	body := bytes.TrimSuffix(p.bytes, []byte("\n"))
	if rules.Event != "" && len(body) > 1 {
		w := ordjson.NewWriter(nil)
		w.String(rules.Event, j.view.Event)
		head := bytes.TrimSuffix(w.Bytes(), []byte("}"))
		body = append(append(head, ','), body[1:]...)
	}
	j.spec = process.Spec{
		// Without globbing, by which one allowed address could stand for others.
		Argv: append([]string{"curl", "--disable", "--globoff", "--proto", "=http,https", "--silent", "--show-error", "--config", f.Name(),
			"--data-binary", "@-", "--write-out", "\n%{http_code}"}, redirects...),
		Dir: folderFor(r.stage, r.call.Project), Env: r.places.Env, Stdin: body,
	}
	j.ready, j.answer = true, (*executor).httpReply
}

// allowedURL returns the address that a hook calls, if it may: by HTTP only, and
// where settings list addresses, one that fits one of these. It is then written
// anew from the parts that were compared, so that it can't be read as another.
func allowedURL(url string, patterns []string, anyPort bool) (string, bool) {
	if patterns == nil {
		return url, strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")
	}
	a, ok := wildcard.ParseAddress(url)
	if !ok || a.Scheme != "http" && a.Scheme != "https" {
		return "", false
	}
	return a.String(), slices.ContainsFunc(patterns, func(p string) bool { return wildcard.MatchAddress(p, url, anyPort) })
}

// isHeaderName reports whether s is a token as RFC 9110 has it.
func isHeaderName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		alnum := '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
		if !alnum && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

// curlConfig writes address and headers in curl's own file format. What a hook
// names replaces what is sent of itself; its length is the payload's own affair.
func curlConfig(h *schema.Hook, address string, env schema.Environ, allowed []string) string {
	var b strings.Builder
	line := func(key, value string) {
		b.WriteString(key + " = \"")
		b.WriteString(strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "", "\n", "").Replace(value))
		b.WriteString("\"\n")
	}
	line("url", address)
	line("header", "Expect:")
	for _, std := range []schema.EnvVar{{Name: "Content-Type", Value: "application/json"}, {Name: "Accept", Value: "application/json, text/plain, */*"}} {
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

// headerValue fills in variables: $NAME and ${NAME} with NAME of capitals, digits
// and "_", all else stays as it is. Those that the hook does not list, or the
// settings where they have a list, become empty (observed Claude Code 2.1.328
// and Qoder 1.1.52).
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

// capitals is the variable's name with which s begins.
func capitals(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '_' && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return s[:i]
		}
	}
	return s
}

// httpReply reads the answer. A JSON object with a 2xx status counts like a command's
// stdout, an empty body means no opinion. Anything else is a failure that doesn't
// block, unless the hooks' agent reads it as printed text, or as a failed command.
func (r *executor) httpReply(j *job, res *process.Result) schema.Reply {
	rules := r.Hooks.Profile().HTTP
	fail := func(msg string) schema.Reply {
		reply := r.cannot(j, schema.CodeHTTP, msg)
		if rules.Fails {
			reply, _ = r.Hooks.DecodeReply(&j.hook, j.view, &process.Result{Exit: 1})
		}
		return reply
	}
	switch {
	case res.TimedOut:
		return r.cannot(j, schema.CodeHTTP, "timed out")
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
		return r.cannot(j, schema.CodeHTTP, "the answer isn't a JSON object")
	}
	return r.decode(j, &process.Result{Stdout: body})
}
