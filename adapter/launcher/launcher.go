// Package launcher writes the programs that entries start instead of hookbridge: those of plugins, and those of
// projects. They look for hookbridge and pass on its answer. If it is missing, too old, or can't start, they answer by
// a policy.
package launcher

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// Home is the address of the repository, "" as long as the project has none. scripts/home.sh sets it, with every other
// name under which the project is found.
const Home = ""

// ByInstall is the By of the launcher of a project.
const ByInstall = "Written by: hookbridge install --launcher"

// A Text is the content of a launcher. The zero Text is invalid.
type Text struct {
	By    string            // the command that writes the same again
	Whose string            // the owner of the hooks that need hookbridge: "This project"
	Hosts []adapter.Dialect // the agents whose entries start it
	// Plugin is the plugin that has the launcher; nil: a project has it.
	Plugin *Plugin
}

// A Plugin is what a launcher needs from its plugin.
type Plugin struct {
	Folder string // the variable with the plugin's folder, set by the agent of its hooks
	Data   string // the variable with the folder for the plugin's data
	Fetch  string // package and version that the launcher fetches if hookbridge is missing; "": none
}

// Project returns the launcher of every project: the policy is in the entries.
func Project() *Text {
	return &Text{By: ByInstall, Whose: "This project", Hosts: adapter.Where(func(d adapter.Dialect) bool {
		return d.Profile().Modules == nil && plan.InProjects(d)
	})}
}

// Shell returns the launcher for sh. A hookbridge that doesn't support what an entry needs ends with 64. If it can't
// start, the shell's status is 126 or 127, and more than 128 if a signal has ended it.
func (t *Text) Shell() []byte {
	find, own := findProject, ""
	if p := t.Plugin; p != nil {
		find, own = findPlugin, ownPlugin
		if p.Fetch != "" {
			find += strings.ReplaceAll(fetching, "@PACKAGE@", shell.Quote(p.Fetch))
		}
	}
	more, what := t.passed(` --plugin "$root"`)

	line := func(host, answer string) string {
		return "\t" + host + ") printf '%s\\n' " + shell.Quote(answer) + " && exit 0 ;;\n"
	}
	none := t.answers(t.noOpinion, line)
	if none != "" {
		none = "case $host in\n" + none + "esac\n"
	}
	usual, others := t.statuses()
	refuses, exit := "", usual
	for _, s := range others {
		refuses += "\n\t" + s.host + " | " + s.host + "@*) refuses=" + s.text + " ;;"
	}
	if len(others) > 0 {
		refuses, exit = "\n\trefuses="+usual+"\n\tcase $host in"+refuses+"\n\tesac", `"$refuses"`
	}

	text := strings.NewReplacer("@FIND@", find, "@OWN@", own, "@MORE@", more, "@WHAT@", what, "@NONE@", none,
		"@ANSWERED@", strings.Join(answered(usual, others), " | "), "@REFUSES@", refuses, "@EXIT@", exit,
		"@REFUSE@", t.answers(t.refusal, line), "@SAY@", t.answers(t.saying, line)).Replace(script)
	return []byte(t.fill(text))
}

// Windows returns the same for cmd.
func (t *Text) Windows() []byte {
	line := func(indent string) func(host, answer string) string {
		return func(host, answer string) string {
			host, programs, _ := strings.Cut(host, "|")
			find := ofHost(host, programs != "")
			if host == "''" {
				find = `/c:"run"`
			}
			return indent + `echo %* | "%find%" ` + find + ` >nul && echo ` + answer + " && exit /b 0\n"
		}
	}
	find, own := findProjectWindows, ""
	if t.Plugin != nil {
		find, own = findPluginWindows, ownPluginWindows
	}
	more, what := t.passed(` --plugin "%root%"`)

	usual, others := t.statuses()
	refuses := func(indent string) (lines string) {
		for _, s := range others {
			lines += indent + `echo %* | "%find%" ` + ofHost(s.host, true) + ` >nul && exit /b ` + s.text + "\n"
		}
		return lines
	}

	text := strings.NewReplacer("@FIND@", find, "@OWN@", own, "@MORE@", more, "@WHAT@", what,
		"@ANSWERED@", strings.Join(answered(usual, others), " "), "@REFUSES@", refuses(""),
		"@REFUSESHERE@", refuses("\t"), "@EXIT@", usual, "@REFUSE@", t.answers(t.refusal, line("\t")),
		"@SAY@", t.answers(t.saying, line("")),
		"@NONE@", t.answers(t.noOpinion, line(""))).Replace(batch)
	return []byte(strings.ReplaceAll(t.fill(text), "\n", "\r\n"))
}

// ofHost makes findstr look for a host's whole name, or one of its programs: echo writes a blank after the last word.
func ofHost(host string, programs bool) string {
	find := `/c:"--host ` + host + ` "`
	if programs {
		find += ` /c:"--host ` + host + `@"`
	}
	return find
}

// A status is a host's exit code for a denial, if it isn't the usual one.
type status struct {
	host  string
	text  string
	holds bool // hookbridge ends with it too
}

// statuses returns the exit code for a denial in most hosts, which also counts for an unknown host, and those of the
// other hosts.
func (t *Text) statuses() (usual string, others []status) {
	hosts := map[int]int{}
	most := 1 // if no host has one
	for _, d := range t.Hosts {
		code := d.Profile().RefusalStatus
		if hosts[code]++; code != 0 && (hosts[most] == 0 || hosts[code] > hosts[most]) {
			most = code
		}
	}
	for _, d := range t.Hosts {
		if p := d.Profile(); p.RefusalStatus != 0 && p.RefusalStatus != most {
			others = append(others, status{p.Name, strconv.Itoa(p.RefusalStatus), p.StatusHolds})
		}
	}
	return strconv.Itoa(most), others
}

// answered returns the exit codes with which hookbridge has answered, or reported why it couldn't.
func answered(usual string, others []status) []string {
	codes := []string{"0", "1", usual}
	for _, s := range others {
		if s.holds && !slices.Contains(codes, s.text) {
			codes = append(codes, s.text)
		}
	}
	return codes
}

// passed returns what the launcher adds to the words of an entry, and whose hooks hookbridge then runs.
func (t *Text) passed(plugin string) (more, what string) {
	if t.Plugin != nil {
		return plugin, "plugin"
	}
	return "", "project"
}

// fill inserts what is known of the owner into the text.
func (t *Text) fill(text string) string {
	folder, data := "", ""
	if t.Plugin != nil {
		folder, data = t.Plugin.Folder, t.Plugin.Data
	}
	return strings.NewReplacer("@BY@", t.By, "@FOLDER@", folder, "@DATA@", data,
		"@MISSING@", t.missing("this call can not be checked.")).Replace(text)
}

// answers returns a launcher's lines for the hosts, each with an answer. A program of a host with another answer has a
// line before it. An entry that several hosts share names no host; such hosts get the line for "".
func (t *Text) answers(answer func(adapter.Dialect) []byte, line func(host, answer string) string) (lines string) {
	shared := "" // after the others: it may fit every call
	for _, d := range t.Hosts {
		name, text := d.Profile().Name, answer(d)
		switch {
		case text == nil:
		case t.Plugin != nil && d.Profile().Plugins.Fixed():
			shared = line("''", string(text))
		case t.Plugin != nil:
			lines += line(name, string(text))
		default:
			for _, p := range d.Profile().Programs {
				other, err := adapter.Find(name + "@" + p.Name)
				if err != nil {
					continue
				}
				if its := answer(other); its != nil && string(its) != string(text) {
					lines += line(name+"@"+p.Name, string(its))
				}
			}
			lines += line(name+"|"+name+"@*", string(text))
		}
	}
	return lines + shared
}

// missing returns the message that hookbridge is missing, with the consequence and what to do.
func (t *Text) missing(so string) string {
	install := "Install hookbridge and start a new session."
	if Home != "" {
		install = "Install it from " + Home + " and start a new session."
	}
	return t.Whose + " needs hookbridge, which is missing or too old: " + so + " " + install
}

// refusal returns the answer with which a host denies a call. For an unknown host, the exit status denies.
func (t *Text) refusal(d adapter.Dialect) []byte {
	row := d.Profile().Row(d.Profile().Generic(schema.PreTool))
	if row == nil || t.Plugin != nil && d.Profile().Plugins.Fixed() {
		return nil
	}
	return d.Refuse(nil, row.Native, t.missing("this call can't be checked."))
}

// noOpinion returns the answer that changes nothing, for a host that treats no answer as a failure; nil for others.
func (t *Text) noOpinion(d adapter.Dialect) []byte {
	native := d.Profile().Generic(schema.PreTool)
	call := &schema.Call{Dialect: d.Profile().Name, Native: native, Event: schema.PreTool}
	if answer := d.AppendReply(nil, call, &schema.Reply{}); string(answer) != "{}" && t.Plugin == nil {
		return answer
	}
	return nil
}

// saying returns what a host gets at the start of a session.
func (t *Text) saying(d adapter.Dialect) []byte {
	row := lists.Find(d.Profile().Events, func(r *schema.EventRow) bool { return r.Event == schema.SessionStart })
	if row == nil {
		return nil
	}
	call := &schema.Call{Dialect: d.Profile().Name, Native: row.Native, Event: row.Event}
	text := t.missing("its hooks don't run.")
	answer := d.AppendReply(nil, call, &schema.Reply{Notice: text})
	// the agent shows its user nothing here
	if string(answer) == string(d.AppendReply(nil, call, &schema.Reply{})) {
		answer = d.AppendReply(nil, call, &schema.Reply{Context: text})
	}
	return answer
}

// Plain returns a name without characters that are special in any shell.
func Plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune("\"'`$\\%!&|<>^@\x7f", r) {
			return '-'
		}
		return r
	}, name)
}

// What a launcher does if hookbridge is missing, as the command line has it.
const (
	Closed = "closed" // it denies the calls that hooks may deny
	Open   = "open"   // it lets them proceed, and notifies the user at the start of a session
)
