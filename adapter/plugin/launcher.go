package plugin

import (
	"cmp"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// written begins the line of a launcher that says how it was written, behind the first line of a script.
const (
	written = "Written by: hookbridge plugin write"

	shHead  = "#!/bin/sh\n# "
	cmdHead = "@echo off\nrem "
)

// launchers are the files of the launcher, with how each begins.
var launchers = []struct{ file, head string }{
	{cmdline.LauncherFile, shHead}, {cmdline.LauncherFile + ".cmd", cmdHead},
}

// strangers lists the files under the names of the launcher that Plan didn't write.
func (t tree) strangers() (files []string) {
	for _, l := range launchers {
		if t.has(l.file) && !t.begins(l.file, l.head+written) {
			files = append(files, l.file)
		}
	}
	return files
}

// says reports whether the launcher tells the user that hookbridge is missing, or fetches it.
func (o *Options) says() bool { return o.Missing == "open" || o.Fetch != "" }

// begins reports whether a file begins so; Git may have changed the ends of its lines.
func (t tree) begins(file, head string) bool {
	return strings.HasPrefix(strings.ReplaceAll(string(t.text(file)), "\r\n", "\n"), head)
}

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
	line, ok := strings.CutPrefix(string(t.text(cmdline.LauncherFile)), shHead+written)
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

// install says what to install.
func (o *Options) install() string {
	if o.Home == "" {
		return "Install hookbridge and start a new session."
	}
	return "Install it from " + o.Home + " and start a new session."
}

// fill puts what is known of a plugin into the text of a launcher.
func (p *Plugin) fill(text string, o *Options) string {
	rules, folder := &p.Owner.Profile().Plugins, "HOOKBRIDGE_FOLDER"
	if len(rules.Vars) > 0 {
		folder = rules.Vars[0]
	}
	return strings.NewReplacer("@COMMAND@", o.command(), "@NAME@", plain(p.Name()), "@FOLDER@", folder,
		"@DATA@", cmp.Or(rules.Data, "HOOKBRIDGE_DATA"), "@MISSING@", p.missing(o,
			"this call can not be checked.")).Replace(text)
}

// launcher is the program that the entries start, for sh. It looks for hookbridge in PATH and
// in the folder of the plugin's data, and lets it run the hooks of the plugin that it belongs
// to. A hookbridge that knows no plugins ends with 64; of one that can't start
// the shell says 126 or 127, and more than 128 if a signal has ended it.
func (p *Plugin) launcher(o *Options) []byte {
	text, fetch := script, ""
	if o.Fetch != "" {
		fetch = strings.ReplaceAll(fetching, "@PACKAGE@", shell.Quote(o.Fetch))
	}
	text = strings.ReplaceAll(text, "@FETCH@", fetch)
	for _, part := range []struct {
		place  string
		answer func(d adapter.Dialect) []byte
	}{{"@REFUSE@", p.refusal(o)}, {"@SAY@", p.saying(o)}} {
		lines := p.answers(o, part.answer, func(host string, answer []byte) string {
			return "\t" + host + ") printf '%s\\n' " + shell.Quote(string(answer)) + " && exit 0 ;;\n"
		})
		text = strings.ReplaceAll(text, part.place, lines)
	}
	return []byte(p.fill(text, o))
}

// answers are lines of a launcher for the hosts, each with an answer. An entry that several hosts have
// says none; such hosts get the line for "".
func (p *Plugin) answers(o *Options, answer func(adapter.Dialect) []byte, line func(host string,
	answer []byte) string) (lines string) {
	shared := "" // behind the others: it may fit every call
	for _, d := range o.Hosts {
		rules := rulesOf(d)
		text := answer(d)
		switch {
		case rules == nil || text == nil:
		case rules.Only:
			shared = line("''", text)
		default:
			lines += line(d.Profile().Name, text)
		}
	}
	return lines + shared
}

// missing says that hookbridge is, and what follows.
func (p *Plugin) missing(o *Options, so string) string {
	return "The plugin " + plain(p.Name()) + " needs hookbridge, which is missing or too old: " + so + " " + o.install()
}

// refusal is the answer by which a host refuses a call. Where the host isn't known, the exit status says so.
func (p *Plugin) refusal(o *Options) func(adapter.Dialect) []byte {
	return func(d adapter.Dialect) []byte {
		row := d.Profile().Row(d.Profile().Generic(schema.PreTool))
		if row == nil || d.Profile().Plugins.Only {
			return nil
		}
		return d.Refuse(nil, row.Native, p.missing(o, "this call can't be checked."))
	}
}

// saying is what a host gets at the start of a session.
func (p *Plugin) saying(o *Options) func(adapter.Dialect) []byte {
	return func(d adapter.Dialect) []byte {
		row := lists.Find(d.Profile().Events, func(r *schema.EventRow) bool { return r.Event == schema.SessionStart })
		if row == nil {
			return nil
		}
		call := &schema.Call{Dialect: d.Profile().Name, Native: row.Native, Event: row.Event}
		text := p.missing(o, "its hooks don't run.")
		answer := d.AppendReply(nil, call, &schema.Reply{Notice: text})
		// the agent shows its user nothing here
		if string(answer) == string(d.AppendReply(nil, call, &schema.Reply{})) {
			answer = d.AppendReply(nil, call, &schema.Reply{Context: text})
		}
		return answer
	}
}

// plain is a name that is one line of letters in every shell.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune("\"'`$\\%!&|<>^@\x7f", r) {
			return '-'
		}
		return r
	}, name)
}

const fetching = `if [ -z "$program" ] && [ "$missing" = say ]; then
	npm install --prefix "$data" --no-audit --no-fund @PACKAGE@ >/dev/null 2>&1 </dev/null
	[ -x "$data/node_modules/.bin/hookbridge" ] && program=$data/node_modules/.bin/hookbridge
fi
`

const script = `#!/bin/sh
# @COMMAND@
# Starts hookbridge, which runs the hooks of this plugin for the agent that calls.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 0
data=${@DATA@:-${XDG_DATA_HOME:-$HOME/.local/share}/hookbridge}
host='' missing='' last=''
for word; do
	case $last in
	--host) host=$word ;;
	--missing) missing=$word ;;
	esac
	last=$word
done
program=''
for found in "$(command -v hookbridge)" "$data/node_modules/.bin/hookbridge"; do
	if [ -z "$program" ] && [ -x "$found" ] && ! [ "$found" -ef "$0" ]; then
		program=$found
	fi
done
@FETCH@if [ -n "$program" ]; then
	exec 3<&0
	"$program" "$@" --plugin "$root" <&3 3<&- &
	child=$!
	trap 'kill "$child" 2>/dev/null' HUP INT TERM
	wait "$child"
	status=$?
	# hookbridge has answered, or said why it couldn't. With every other status it is too old, or never started.
	case $status in 0 | 1 | 2) exit "$status" ;; esac
else
	cat >/dev/null
	status=0
fi
# The agent of the plugin's own hooks runs them itself.
[ -z "$host" ] && [ -n "$@FOLDER@" ] && [ "$@FOLDER@" -ef "$root" ] && exit 0
case $missing in
closed)
	# A hookbridge that was killed may have answered. Text behind the answer voids it, and the exit status refuses.
	case $status in 0 | 64 | 126 | 127) ;; *) host=unknown && echo '@MISSING@' ;; esac
	case $host in
@REFUSE@	esac
	echo '@MISSING@' >&2
	exit 2
	;;
say)
	case $status in 0 | 64 | 126 | 127) ;; *) host=unknown ;; esac
	case $host in
@SAY@	esac
	;;
esac
case $status in 0 | 64) exit 0 ;; esac
echo "@MISSING@ (hookbridge ended with status $status)" >&2
exit 1
`

// windows is the same for cmd.
func (p *Plugin) windows(o *Options) []byte {
	line := func(indent string) func(host string, answer []byte) string {
		return func(host string, answer []byte) string {
			find := "--host " + host
			if host == "''" {
				find = "run"
			}
			return indent + `echo %* | "%find%" /c:"` + find + `" >nul && echo ` + string(answer) + " && exit /b 0\n"
		}
	}
	refuse, say := p.answers(o, p.refusal(o), line("\t")), p.answers(o, p.saying(o), line(""))
	text := strings.NewReplacer("@REFUSE@", refuse, "@SAY@", say).Replace(batch)
	text = p.fill(text, o)
	return []byte(strings.ReplaceAll(text, "\n", "\r\n"))
}

const batch = `@echo off
rem @COMMAND@
setlocal
for %%I in ("%~dp0..") do set "root=%%~fI"
set "data=%@DATA@%"
if not defined data set "data=%LOCALAPPDATA%\hookbridge"
set "program="
for %%P in (hookbridge.exe) do if not "%%~$PATH:P"=="" set "program=%%~$PATH:P"
if not defined program for %%P in (hookbridge.cmd) do if not "%%~$PATH:P"=="" set "program=%%~$PATH:P"
if /i "%program%"=="%~f0" set "program="
set "package=%data%\node_modules\.bin\hookbridge.cmd"
if not defined program if exist "%package%" set "program=%package%"
set "find=%SystemRoot%\System32\findstr.exe"
if not defined program goto missing
call "%program%" %* --plugin "%root%"
rem hookbridge has answered, or said why it couldn't. With every other status it is too old, or never started.
for %%S in (0 1 2) do if "%errorlevel%"=="%%S" exit /b %%S
if "%errorlevel%"=="64" goto missing
if "%errorlevel%"=="9009" goto missing
rem A hookbridge that was killed may have answered. Text behind the answer voids it, and the exit status refuses.
echo %* | "%find%" /c:"--host" >nul || if /i "%@FOLDER@%"=="%root%" exit /b 0
echo %* | "%find%" /c:"--missing closed" >nul || exit /b 1
echo @MISSING@
>&2 echo @MISSING@
exit /b 2
:missing
echo %* | "%find%" /c:"--host" >nul || if /i "%@FOLDER@%"=="%root%" exit /b 0
echo %* | "%find%" /c:"--missing closed" >nul && (
@REFUSE@	>&2 echo @MISSING@
	exit /b 2
)
echo %* | "%find%" /c:"--missing say" >nul || exit /b 0
@SAY@exit /b 0
`
