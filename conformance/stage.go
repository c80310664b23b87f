package conformance

import (
	"bytes"
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A stage is the folder in which one run vector is played: project, home and fake hooks.
type stage struct {
	v                              *Vector
	dir, project, home, state, env string
	words                          *strings.Replacer // placeholders in texts
	quoted                         *strings.Replacer // the same inside JSON
	err                            error             // the first error while building it
}

// newStage sets up the content of v below a new folder in temp. project is the project for a vector without its own
// files.
func newStage(v *Vector, temp, project string) (*stage, error) {
	dir, err := os.MkdirTemp(temp, "hookbridge-conformance-")
	if err != nil {
		return nil, err
	}

	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	s := &stage{v: v, dir: dir, project: filepath.Join(dir, "project"), home: filepath.Join(dir, "home"),
		state: filepath.Join(dir, "state")}
	if v.Files == nil {
		s.project = project
	}
	if v.Writes != nil {
		s.env = filepath.Join(dir, "env-file")
	}

	pairs := []string{"{PROJECT}", s.project, "{HOME}", s.home}
	for _, p := range v.Process {
		pairs = append(pairs, "{HOOK "+p.Name+"}", s.script(p.Name))
	}
	s.words = strings.NewReplacer(pairs...)
	for i := 1; i < len(pairs); i += 2 {
		pairs[i] = strings.Trim(string(ordjson.AppendString(nil, pairs[i])), `"`)
	}
	s.quoted = strings.NewReplacer(pairs...)
	if err := s.build(); err != nil {
		s.remove()
		return nil, err
	}
	return s, nil
}

func (s *stage) remove() { os.RemoveAll(s.dir) }

func (s *stage) script(name string) string { return filepath.Join(s.dir, "hooks", name) }

func (s *stage) build() error {
	for _, d := range []string{"project", "home", "hooks", "seen"} {
		s.must(os.Mkdir(filepath.Join(s.dir, d), 0o700))
	}
	if s.env != "" {
		s.write(s.env, "", 0o600)
	}
	for _, in := range []struct {
		folder string
		files  map[string]jsondoc.Raw
	}{{s.project, s.v.Files}, {s.home, s.v.Home}} {
		for path, text := range in.files {
			s.write(filepath.Join(in.folder, filepath.FromSlash(path)), s.filledIn(content(text)), 0o600)
		}
	}
	for i := range s.v.Process {
		s.fake(&s.v.Process[i])
	}
	return s.err
}

func (s *stage) must(err error) { s.err = cmp.Or(s.err, err) }

func (s *stage) write(file, text string, mode os.FileMode) {
	s.must(os.MkdirAll(filepath.Dir(file), 0o700))
	s.must(os.WriteFile(file, []byte(text), mode))
}

// filledIn returns a text with its placeholders replaced.
func (s *stage) filledIn(text string) string {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return s.quoted.Replace(text)
	}
	return s.words.Replace(text)
}

// fill replaces every {FILL n} with n characters.
func fill(text string) string {
	const open = "{FILL "
	var b strings.Builder
	for {
		head, rest, ok := strings.Cut(text, open)
		b.WriteString(head)
		if !ok {
			return b.String()
		}
		digits, tail, closed := strings.Cut(rest, "}")
		n, err := strconv.Atoi(digits)
		if !closed || err != nil || n < 0 || n > 64<<20 {
			b.WriteString(open)
			text = rest
			continue
		}
		b.WriteString(strings.Repeat("x", n))
		text = tail
	}
}

// fake writes the program of a fake hook: plain sh that records its input and prints its answer. The answer is in
// files, so that a shell never parses a text of a vector.
func (s *stage) fake(p *Process) {
	file, seen := s.script(p.Name), filepath.Join(s.dir, "seen", p.Name)
	var b strings.Builder
	b.WriteString("#!/bin/sh\n")
	b.WriteString("cat > '" + seen + "'.$$.in\nenv > '" + seen + "'.$$.env\n")
	if p.EnvFile != "" {
		s.write(file+".vars", s.words.Replace(p.EnvFile), 0o600)
		done := map[string]bool{"": true}
		for _, d := range adapter.Dialects() {
			if v := d.Profile().EnvFile.Variable; !done[v] { // agents may share one
				done[v] = true
				b.WriteString("[ -z \"${" + v + ":-}\" ] || cat '" + file + ".vars' >> \"$" + v + "\"\n")
			}
		}
	}

	for _, out := range []struct{ name, to, text string }{{".out", "", content(p.Stdout)},
		{".err", " >&2", textOf(p.Stderr)}} {
		if out.text != "" {
			s.write(file+out.name, fill(s.filledIn(out.text)), 0o600)
			b.WriteString("cat '" + file + out.name + "'" + out.to + "\n")
		}
	}

	if p.Hangs {
		b.WriteString("exec sleep 600\n")
	}
	b.WriteString("exit " + strconv.Itoa(p.Exit) + "\n")
	s.write(file, b.String(), 0o700)
}

// request adds everything that a run needs; environ is the environment that every program needs.
func (s *stage) request(r *Request, environ []string) {
	r.Input = []byte(s.quoted.Replace(string(r.Input)))
	r.Project, r.Home, r.State = s.project, s.home, s.state
	r.Environment = append(environ[:len(environ):len(environ)], "HOME="+s.home, "SHELL=/bin/sh", "PWD="+s.project)
	for _, name := range slices.Sorted(maps.Keys(s.v.Environment)) {
		if value := s.v.Environment[name]; value != nil {
			r.Environment = append(r.Environment, name+"="+s.words.Replace(*value))
		}
	}
	if s.env != "" {
		if host, err := adapter.Find(s.v.To); err == nil {
			file := host.Profile().EnvFile
			if c, _ := host.DecodeCall(r.Input, r.Environment); c != nil && file.Usable && file.For(c.Event) != "" {
				r.Environment = append(r.Environment, file.For(c.Event)+"="+s.env)
			}
		}
	}
	if s.v.Options.Evaluator {
		r.EvaluatorCmd = s.script("evaluator")
	}
}

// check returns how the input of the fake hooks differs from v.
func (s *stage) check() (wrong []string) {
	for i := range s.v.Process {
		p := &s.v.Process[i]
		runs, _ := filepath.Glob(filepath.Join(s.dir, "seen", p.Name+".*.in"))
		// a killed hook may not have recorded its input
		if len(runs) != p.runs() && !(p.Hangs && len(runs) < p.runs()) {
			wrong = append(wrong, "process "+p.Name+": run "+strconv.Itoa(len(runs))+" times, want "+
				strconv.Itoa(p.runs()))
			continue
		}
		if len(runs) > 0 {
			wrong = append(wrong, s.seen(p, runs)...)
		}
	}
	if s.v.Writes != nil {
		text, _ := os.ReadFile(s.env)
		if want := s.words.Replace(*s.v.Writes); want != string(text) {
			wrong = append(wrong, "the host's environment file: "+brief(string(text))+", want "+brief(want))
		}
	}
	return wrong
}

func (s *stage) seen(p *Process, runs []string) (wrong []string) {
	heard := p.Stdin == nil
	last := ""
	for _, file := range runs {
		text, _ := os.ReadFile(file)
		text = s.withoutState(bytes.TrimSpace(text))
		if ordjson.Check(text) != nil {
			last = "no JSON: " + brief(string(text))
		} else if p.Stdin != nil {
			diff := difference("", []byte(s.quoted.Replace(string(p.Stdin))), text)
			heard, last = heard || diff == "", diff
		}
		env, _ := os.ReadFile(strings.TrimSuffix(file, ".in") + ".env")
		vars := schema.Environ(strings.Split(string(env), "\n"))
		for _, name := range slices.Sorted(maps.Keys(p.Env)) {
			got, want := vars.Get(name), s.words.Replace(textOf(p.Env[name]))
			set := slices.ContainsFunc(vars, func(e string) bool { return strings.HasPrefix(e, name+"=") })
			if set != (p.Env[name] != nil) || got != want {
				wrong = append(wrong, "process "+p.Name+": "+name+" is "+strconv.Quote(got)+", want "+
					strconv.Quote(want))
			}
		}
	}
	if !heard {
		wrong = append(wrong, "process "+p.Name+": stdin: "+last)
	}

	return wrong
}

// withoutState replaces a folder below the one for the session's memory with {STATE}: only hookbridge defines its name.
func (s *stage) withoutState(text []byte) []byte {
	open := bytes.TrimSuffix(ordjson.AppendString(nil, s.state), []byte(`"`))
	start := bytes.Index(text, open)
	if start < 0 {
		return text
	}
	end := start + len(open) + max(0, bytes.IndexByte(text[start+len(open):], '"'))
	name := text[bytes.LastIndexByte(text[:end], '/')+1 : end]
	return slices.Concat(text[:start], []byte(`"{STATE}/`), name, text[end:])
}
