package plugin

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/launcher"
)

// written begins the line of a launcher that says how it was written, behind the first line of a script.
const written = "Written by: hookbridge plugin write"

// launchers are the files of the launcher, with how each begins.
var launchers = []struct{ file, head string }{
	{cmdline.LauncherFile, launcher.ShellHead}, {cmdline.LauncherFile + ".cmd", launcher.WindowsHead},
}

// strangers lists the files under the names of the launcher that Plan didn't write.
func (t tree) strangers() (files []string) {
	for _, l := range launchers {
		if t.has(l.file) && !launcher.Begins(t.text(l.file), l.head, written) {
			files = append(files, l.file)
		}
	}
	return files
}

// says reports whether the launcher tells the user that hookbridge is missing, or fetches it.
func (o *Options) says() bool { return o.Missing == "open" || o.Fetch != "" }

// command is the command that writes the same again.
func (o *Options) command() string {
	var names []string
	for _, d := range o.Hosts {
		names = append(names, d.Profile().Name)
	}
	line := written + " --host " + strings.Join(names, ",") + " --missing " + o.Missing
	if o.Fetch != "" {
		line += " --fetch " + o.Fetch
	}
	for _, f := range o.Policy.Flags() {
		line += " --" + f.Name + " " + f.Value
	}
	return line
}

// Written are the options that the plugin's launcher was written with; ok is false if it has none.
func (p *Plugin) Written() (o Options, ok bool) { return p.now.written() }

func (t tree) written() (o Options, ok bool) {
	line, ok := strings.CutPrefix(string(t.text(cmdline.LauncherFile)), launcher.ShellHead+written)
	line, _, _ = strings.Cut(line, "\n")
	words := strings.Fields(line)
	for i := 0; i+1 < len(words); i += 2 {
		switch value := words[i+1]; words[i] {
		case "--host":
			for _, name := range strings.Split(value, ",") {
				if d, err := adapter.Find(name); err == nil {
					o.Hosts = adapter.With(o.Hosts, d)
				}
			}
		case "--missing":
			o.Missing = value
		case "--fetch":
			o.Fetch = value
		case "--ask":
			o.Policy.Ask = cmdline.PolicyOf(value, "").Ask
		case "--allow":
			o.Policy.Allow = cmdline.PolicyOf("", value).Allow
		}
	}
	return o, ok
}

// Else are the options with those of an earlier writing where they say nothing, for the hosts of both.
func (o Options) Else(was Options) Options {
	for _, d := range was.Hosts {
		o.Hosts = adapter.With(o.Hosts, d)
	}
	o.Hosts = adapter.Where(func(d adapter.Dialect) bool { return adapter.Has(o.Hosts, d) })
	o.Missing = cmp.Or(o.Missing, was.Missing, "closed")
	o.Fetch = cmp.Or(o.Fetch, was.Fetch)
	if o.Policy == (cmdline.Policy{}) {
		o.Policy = was.Policy
	}
	return o
}

// Launcher is the text of the program that the entries start: it lets hookbridge run the hooks of the plugin that it
// belongs to.
func (p *Plugin) Launcher(o *Options) *launcher.Text {
	rules := &p.Owner.Profile().Plugins
	own := &launcher.Plugin{Folder: "HOOKBRIDGE_FOLDER", Data: cmp.Or(rules.Data, "HOOKBRIDGE_DATA"), Fetch: o.Fetch}
	if len(rules.Vars) > 0 {
		own.Folder = rules.Vars[0]
	}
	hosts := slices.DeleteFunc(slices.Clone(o.Hosts), func(d adapter.Dialect) bool { return rulesOf(d) == nil })
	return &launcher.Text{By: o.command(), Whose: "The plugin " + launcher.Plain(p.Name()), Hosts: hosts,
		Plugin: own}
}
