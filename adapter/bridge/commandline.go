package bridge

import (
	"cmp"
	"errors"
	"path/filepath"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/schema"
)

// A Machine is the computer that a command line runs on.
type Machine struct {
	OS       string // as runtime.GOOS
	Env      schema.Environ
	Dir      string // the current folder, "" if unknown
	Home     string // the user's home folder, "" if unknown
	Account  string // Home, if the system's user database confirms it
	TempDir  string
	StateDir string // folder for the session files; "": no relay
	// UsualState is the folder to use instead if StateDir is in the project
	UsualState string
	Self       func() string // see Bridge
	Now        func() time.Time
}

// New returns a Bridge for a call of hookbridge run. Host is nil if the payload determines it. A *cmdline.Mistake is an
// error in the call.
func New(call *cmdline.Call, m Machine) (*Bridge, error) {
	b := &Bridge{
		Policy: call.Policy(), FailClosed: call.On("fail-closed"), RequireTrust: call.On("require-trust"),
		Proceed:       call.Text("own-failure") == "proceed",
		BlockFailures: call.FindsHooks() && call.Text("module") == "" && call.Text("on-failure") == "block",
		PinHooks:      call.On("pin-hooks"), Evaluator: call.Text("evaluator"),
		Timeout: time.Duration(call.Number("timeout") * float64(time.Second)),
		Now:     m.Now, TempDir: m.TempDir, StateDir: m.StateDir, UsualState: m.UsualState, Self: m.Self,
	}
	if err := b.setAgents(call); err != nil {
		return nil, err
	}
	if err := b.setPlaces(call, m); err != nil {
		return nil, err
	}

	if call.Rules != nil {
		if err := call.Check(); err != nil {
			return nil, err
		}
		b.guard(call.Rules)
		return b, nil
	}

	if call.LooksForHooks() {
		b.Scope, b.Exclude = call.Scope(), call.Excluded()
		return b, nil
	}

	at := call.Source()
	at.Plugin = m.path(at.Plugin)
	if text := call.Text("inline"); text != "" {
		b.Inline, b.InlineAt = []byte(text), at
	}

	return b, b.setSingle(call, at)
}

func (b *Bridge) setAgents(call *cmdline.Call) (err error) {
	for i, name := range call.Owners() {
		d, err := cmdline.FindDialect("--hooks", name)
		switch {
		case err != nil:
			return err
		case i == 0:
			b.Hooks = d
		case !adapter.Has(append(b.Others, b.Hooks), d):
			b.Others = append(b.Others, d)
		}
	}
	if len(b.Others) > 0 && !call.LooksForHooks() {
		return &cmdline.Mistake{Text: "--hooks names one agent where the command line gives the hooks"}
	}
	if call.Text("host") != "" {
		b.Host, err = cmdline.FindDialect("--host", call.Text("host"))
	}
	return err
}

func (b *Bridge) setPlaces(call *cmdline.Call, m Machine) error {
	given := call.All("config")
	for _, path := range append([]string{call.Text("project"), call.Text("home"), call.Text("plugin")}, given...) {
		if path != "" && !filepath.IsAbs(path) && m.Dir == "" {
			return errors.New("the current folder is unknown, so " + strconv.Quote(path) + " names nothing")
		}
	}
	for _, file := range given { // a plugin's file determines its folder
		b.Given = append(b.Given, m.path(file))
	}
	b.Plugin = m.path(call.Text("plugin"))
	b.Places = m.Places(call)
	b.Trusted = trust.RecordsIn(m.Env, b.Places.Home)
	return nil
}

// Places returns the folders of a call.
func (m *Machine) Places(call *cmdline.Call) schema.Places {
	env := m.Env
	if m.Dir != "" && env.Get("PWD") != m.Dir { // a parent process may pass a stale PWD
		env = env.With(nil, schema.EnvVar{Name: "PWD", Value: m.Dir})
	}
	return schema.Places{OS: m.OS, Home: m.path(cmp.Or(call.Text("home"), m.Home)),
		Account: m.path(cmp.Or(call.Text("home"), m.Account)), Project: m.path(call.Text("project")), Env: env}
}

// path returns a path of the command line as an absolute path.
func (m *Machine) path(name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(m.Dir, name)
}

// setSingle sets the one hook that the call contains, if any.
func (b *Bridge) setSingle(call *cmdline.Call, at schema.Source) error {
	module := call.Text("module")
	if !call.Has("c") && call.Program == nil && module == "" {
		return nil
	}
	h := call.Hook()
	h.Source = at
	if module != "" {
		if !b.Hooks.Profile().IsModule(module) {
			return &cmdline.Mistake{Text: "--module " + strconv.Quote(module) +
				" isn't a module of callbacks for --hooks " +
				b.Hooks.Profile().Name + "; it needs --hooks qoder-sdk and a .mjs, .js, .cjs, .ts, .mts or .cts file"}
		}
		h.Handler, h.Command = schema.HandlerCallback, module
	}
	b.Single = &h
	event := call.Text("event")
	if event == "" {
		return nil
	}
	row := adapter.EventNamed(b.Hooks, event)
	if row == nil {
		return cmdline.NoEvent("--event", event, b.Hooks)
	}
	h.Native, h.Event = row.Native, row.Event
	return nil
}

// flags returns the flags that affect the answers, to compare the call with an entry.
func (b *Bridge) flags() []cmdline.Flag {
	limit := ""
	if b.Timeout > 0 {
		limit = strconv.FormatFloat(b.Timeout.Seconds(), 'f', -1, 64)
	}
	return append(b.Policy.Flags(),
		cmdline.Flag{Name: "timeout", Value: limit},
		cmdline.Flag{Name: "fail-closed", Value: strconv.FormatBool(b.FailClosed)},
		cmdline.Flag{Name: "own-failure", Value: map[bool]string{true: "proceed"}[b.Proceed]},
		cmdline.Flag{Name: "on-failure", Value: map[bool]string{true: "block"}[b.BlockFailures]},
		cmdline.Flag{Name: "require-trust", Value: strconv.FormatBool(b.RequireTrust)},
		cmdline.Flag{Name: "evaluator", Value: b.Evaluator})
}
