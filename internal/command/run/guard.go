package run

import "github.com/hookbridge/hookbridge/internal/command/cli"

// guardCall is a call of run whose hooks are rules.
type guardCall struct{ call }

func (f *guardCall) Define(fs *cli.Flags) {
	for _, name := range []string{"host", "project", "home", "log"} {
		fs.Row(&f.Call, name, "")
	}
}

func (f *guardCall) Run(fs *cli.Flags, rest []string, std cli.IO) (int, error) {
	f.Rules = append([]string{}, rest...)
	return f.call.Run(fs, nil, std)
}
