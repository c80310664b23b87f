package main

// guardFlags are those of a run whose hooks are rules.
type guardFlags struct{ runTool }

func (f *guardFlags) define(fs *flags) {
	for _, name := range []string{"host", "project", "home", "log"} {
		fs.row(&f.Call, name, "")
	}
}

func (f *guardFlags) run(fs *flags, rest []string, std stdio) (int, error) {
	f.Rules = append([]string{}, rest...)
	return f.runTool.run(fs, nil, std)
}
