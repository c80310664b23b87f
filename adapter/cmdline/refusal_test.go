package cmdline

import (
	"strconv"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
)

// TestRefusal: an entry that denies without its launcher ends with its host's exit code for a denial, and is read back
// with any exit code.
func TestRefusal(t *testing.T) {
	for _, status := range []int{2, 3, 44} {
		for _, tt := range []struct {
			starts  dialect.Start
			command string // # is the exit code
		}{
			{dialect.Start{}, ".hookbridge/run run --host x --missing closed || exit #"},
			{dialect.Start{Variable: "DIR"}, `"${DIR}/.hookbridge/run" run --host x --missing closed || exit #`},
			{dialect.Start{Windows: dialect.PowerShell5},
				".hookbridge/run run --host x --missing closed; exit $((#*!!(0+${hookbridge-1}-!$?)))"},
			{dialect.Start{Below: true}, `d=$PWD; until [ -x "$d/.hookbridge/run" ]; do [ "$d" ] || { echo ` +
				`"no .hookbridge/run here" >&2; exit #; }; d=${d%/*}; done; "$d/.hookbridge/run" ` +
				"run --host x --missing closed || exit #"},
		} {
			want := strings.ReplaceAll(tt.command, "#", strconv.Itoa(status))
			call, ok := Parse(want, nil)
			if !ok {
				t.Errorf("%s isn't read", want)
				continue
			}
			host := &dialect.Profile{Answers: dialect.Answers{RefusalStatus: status},
				Environment: dialect.Environment{Starts: tt.starts}}
			if words := LaunchWords(host, true); words != call.ProjectLauncher || Refusal(host) != call.Refusal {
				t.Errorf("%q and %q are read as %q and %q", words, Refusal(host), call.ProjectLauncher, call.Refusal)
			}
			if got := call.Command(); got != want {
				t.Errorf("%s is written as %s", want, got)
			}
		}
	}
	for _, other := range []string{" || exit 0", " || exit 256", " || exit x", " || exit  2",
		"; exit $((2*!!(0-!$?)))", " && exit 2"} {
		if call, ok := Parse(ProjectLauncher+" run --host x"+other, nil); ok {
			t.Errorf("%q is read as %+v", other, call)
		}
	}
}
