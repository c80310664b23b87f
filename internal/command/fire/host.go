package fire

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/schema"
)

// entry returns the call that the flags describe and that replaces installed entries, or nil if they describe none.
// --hooks alone means the installed entries, if there are any for these hooks.
func (f *flags) entry(host adapter.Dialect, at schema.Places) (*cmdline.Call, error) {
	call := cmdline.Call{Program: f.Program}
	stated := f.Program != nil
	for _, flag := range f.Flags {
		switch flag.Name {
		case "host", "hooks":
			continue
		case "project", "home":
			if flag.Value, _ = filepath.Abs(flag.Value); f.payload != "" || flag.Name == "home" {
				call.Flags = append(call.Flags, flag)
			}
			continue
		case "config", "plugin-root":
			flag.Value, _ = filepath.Abs(flag.Value)
		}
		call.Flags, stated = append(call.Flags, flag), true
	}

	named := f.Has("hooks")
	if named && !stated {
		l := survey.Load(host, at, nil)
		stated = !slices.ContainsFunc(l.Hooks, func(h schema.Hook) bool {
			c, ok := cmdline.Parse(h.Command, h.Args)
			return ok && slices.ContainsFunc(f.Owners(), c.RunsHooksOf)
		})
	}

	if named {
		if d, err := cli.FindDialect("--hooks", f.Text("hooks")); err != nil {
			return nil, err
		} else if adapter.SameAgent(d, host) {
			return nil, cli.Usage("--host and --hooks must differ: " + host.Profile().Title + " runs its own hooks")
		}
	}

	if !stated {
		return nil, nil
	}

	hooks := strings.Join(f.Owners(), ",")
	if !named && f.LooksForHooks() {
		d, err := otherHooks(host, at)
		if err != nil {
			return nil, err
		}
		hooks = d.Profile().Full()
	}

	call.Flags = append([]cmdline.Flag{{Name: "host", Value: host.Profile().Full()}, {Name: "hooks", Value: hooks}},
		call.Flags...)
	return &call, nil
}

// otherHooks returns the first agent other than the host with hooks here.
func otherHooks(host adapter.Dialect, at schema.Places) (adapter.Dialect, error) {
	others := adapter.Without(adapter.Dialects(), host)
	for _, d := range others {
		if res, ds := survey.ForEntry(d, at, nil); len(res.Configs) > 0 || len(ds) > 0 {
			return d, nil
		}
	}
	if d, _ := adapter.Find(adapter.Default); !adapter.SameAgent(d, host) {
		return d, nil
	}
	return nil, cli.Usage(host.Profile().Title + " runs its own hooks, and no other agent has hooks here; name the " +
		"agent with --hooks: " + cli.Either(adapter.NamesOf(others)))
}
