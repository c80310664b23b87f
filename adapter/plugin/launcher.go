package plugin

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/launcher"
)

// written begins the line of a launcher with the command that wrote it, after the first line of a script.
const written = "Written by: hookbridge plugin write"

// strangers lists the files under the names of the launcher that Plan didn't write.
func (t tree) strangers() (files []string) {
	for _, f := range launcher.PluginFiles() {
		if _, ours := f.Written(t.text(f.Path), written); t.has(f.Path) && !ours {
			files = append(files, f.Path)
		}
	}
	return files
}

// Fault returns what is wrong with a plugin's launcher, and with which of its files; "" if nothing is. older: an older
// hookbridge wrote it.
func (p *Plugin) Fault() (file, fault string, older bool) {
	o, ok := p.Written()
	if p.Owner == nil {
		return cmdline.LauncherFile, "which belongs to no hooks of the plugin", false
	}
	text := &launcher.Text{By: written}
	if ok {
		text = p.Launcher(&o)
	}
	for _, f := range launcher.PluginFiles() {
		if !p.now.has(f.Path) { // another check reports that it can't be started
			continue
		}
		if fault, older := f.Fault(text, p.now.text(f.Path)); fault != "" {
			return f.Path, fault, older
		}
	}
	return "", "", false
}

// says reports whether the launcher notifies the user that hookbridge is missing, or fetches it.
func (o *Options) says() bool { return o.Missing == "open" || o.Fetch != "" }

// command returns the command that writes the same again.
func (o *Options) command() string {
	line := written + " --host " + strings.Join(adapter.NamesOf(o.Hosts), ",") + " --missing " + o.Missing
	if o.Fetch != "" {
		line += " --fetch " + o.Fetch
	}
	for _, f := range o.Policy.Flags() {
		line += " --" + f.Name + " " + f.Value
	}
	return line
}

// Written returns the options that the plugin's launcher was written with; ok is false if it has none.
func (p *Plugin) Written() (o Options, ok bool) { return p.now.written() }

func (t tree) written() (o Options, ok bool) {
	f := launcher.PluginFiles()[0]
	line, ok := f.Written(t.text(f.Path), written)
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

// Else returns the options, completed by those of an earlier writing, for the hosts of both.
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

// Launcher returns the text of the program that the entries start: it lets hookbridge run the hooks of its plugin.
func (p *Plugin) Launcher(o *Options) *launcher.Text {
	own := &launcher.Plugin{Folder: "HOOKBRIDGE_FOLDER", Data: "HOOKBRIDGE_DATA", Fetch: o.Fetch}
	if p.Owner != nil {
		rules := &p.Owner.Profile().Plugins
		own.Data = cmp.Or(rules.Data, own.Data)
		own.Folder = append(slices.Clone(rules.Vars), own.Folder)[0]
	}
	hosts := slices.DeleteFunc(slices.Clone(o.Hosts), func(d adapter.Dialect) bool { return rulesOf(d) == nil })
	return &launcher.Text{By: o.command(), Whose: "The plugin " + launcher.Plain(p.Name()), Hosts: hosts,
		Plugin: own}
}
