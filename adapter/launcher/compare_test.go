package launcher

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// now has the digests of what this version writes, in the order of earlier.
const now = "48cfdc18ce8b0dfb 85b00336d2fd576a 17a9c33e89de5ff8 5c15c53f632d756e 5f691245c2bc3b44"

// texts returns the launchers of a project, of plugins with different names, hosts and variables, and of one that
// fetches.
func texts() (list [][]*Text) {
	project := Project()
	of := func(name, fetch string, hosts int) *Text {
		return &Text{By: "Written by: hookbridge plugin write --host x --missing closed", Whose: "The plugin " + name,
			Hosts: project.Hosts[:hosts], Plugin: &Plugin{Folder: strings.ToUpper(name) + "_PLUGIN_ROOT",
				Data: strings.ToUpper(name) + "_PLUGIN_DATA", Fetch: fetch}}
	}
	fewer := *project
	fewer.Hosts = project.Hosts[2:]
	return [][]*Text{{project, &fewer}, {of("a", "", 5), of("bb", "", 2)}, {of("a", "hb@1", 5), of("c", "x@2", 1)}}
}

// TestEarlier checks that the digests of what this version writes are those stated here, with any parameters. When you
// change a text, move them to earlier, so that files of this version are recognized.
func TestEarlier(t *testing.T) {
	var got []string
	for _, same := range texts() {
		for _, f := range ProjectFiles() {
			first := digest(f.Text(same[0]))
			if other := digest(f.Text(same[1])); other != first {
				t.Errorf("%s: parameters change the digest", f.Path)
			}
			if slices.Contains(earlier, first) {
				t.Errorf("%s: this version's text is among the earlier ones", f.Path)
			}
			if !slices.Contains(got, first) {
				got = append(got, first)
			}
		}
	}
	if s := strings.Join(got, " "); s != now {
		t.Errorf("the texts have changed: add %q to earlier, and set now to\n%q", now, s)
	}
}

// TestFault: only the complete text of this version has no fault, however much of it a file has.
func TestFault(t *testing.T) {
	for _, same := range texts() {
		for _, f := range ProjectFiles() {
			text := f.Text(same[0])
			head := bytes.Join(bytes.SplitAfter(text, []byte("\n"))[:2], nil)
			end := text[len(text)-len(bytes.SplitAfter(text, []byte("\n"))[0]):]
			cr := bytes.ReplaceAll(plain(text), []byte("\n"), []byte("\r\n"))
			if bytes.Equal(cr, text) {
				cr = plain(text)
			}
			for what, c := range map[string]struct {
				text  []byte
				fault string
			}{
				"as written":           {text, ""},
				"of other parameters":  {f.Text(same[1]), "changed"},
				"other ends of lines":  {cr, "end as they do on another system"},
				"only its first lines": {head, "changed"},
				"ended early":          {slices.Concat(head, []byte("exit 0\n"), text[len(head):]), "changed"},
				"a line more":          {slices.Concat(text, []byte("true\n")), "changed"},
				"a byte less":          {text[:len(text)-1], "changed"},
				"another word":         {bytes.Replace(text, []byte("program"), []byte("progam"), 1), "changed"},
				"somebody else's":      {[]byte("#!/bin/sh\nexit 0\n"), "didn't write"},
				"without its head": {bytes.Replace(text, []byte("Written by"), []byte("Ritten by"), 1),
					"didn't write"},
				"only its end": {end, "didn't write"},
				"none":         {nil, "didn't write"},
			} {
				fault, older := f.Fault(same[0], c.text)
				if older || fault == "" != (c.fault == "") || !strings.Contains(fault, c.fault) {
					t.Errorf("%s, %s: %q", f.Path, what, fault)
				}
			}
		}
	}
}

// TestOlder: what an earlier version wrote is recognized, with any parameters, but not if anything is added.
func TestOlder(t *testing.T) {
	f, text := ProjectFiles()[0], Project()
	old := []byte(fmt.Sprintf("%s%s\n%s", f.head, "Written by: x", earlierProject))
	if fault, older := f.Fault(text, old); !older || fault == "" {
		t.Errorf("%q %t, digest %s", fault, older, digest(old))
	}
	if _, older := f.Fault(text, append(old, "exit 0\n"...)); older {
		t.Error("a changed text is taken for an older version's")
	}
}

// earlierProject is what the first version wrote for sh, without its parameters.
const earlierProject = `# Starts hookbridge, which runs the hooks of this project for the agent that calls.
host='' missing='' last=''
for word; do
	case $last in
	--host) host=$word ;;
	--missing) missing=$word ;;
	esac
	last=$word
done
program=''
look() {
	[ -n "$program" ] || [ ! -f "$1/hookbridge" ] || [ ! -x "$1/hookbridge" ] || [ "$1/hookbridge" -ef "$0" ] ||
		program=$1/hookbridge
}
set -f
IFS=:
for dir in $PATH; do
	case $dir in /*) look "$dir" ;; esac
done
unset IFS
if [ -f "$HOOKBRIDGE" ] && [ -x "$HOOKBRIDGE" ] && ! [ "$HOOKBRIDGE" -ef "$0" ]; then
	program=$HOOKBRIDGE
fi
for dir in "${0%/*}/../node_modules/.bin" "${GOBIN:-${GOPATH:-$HOME/go}/bin}" "$HOME/go/bin" "$HOME/.local/bin" \
	"$HOME/.npm-global/bin" /usr/local/bin /opt/homebrew/bin /home/linuxbrew/.linuxbrew/bin; do
	look "$dir"
done
if [ -n "$program" ]; then
	exec 3<&0
	"$program" "$@" <&3 3<&- &
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
case $missing in
closed)
	# A hookbridge that was killed may have answered. Text behind the answer voids it, and the exit status refuses.
	case $host in
	esac
	exit 2
	;;
say)
	case $status in 0 | 64 | 126 | 127) ;; *) host=unknown ;; esac
	case $host in
	esac
	;;
esac
case $status in 0 | 64) ;; *)
	exit 1
	;;
esac
case $host in
esac
exit 0
`
