package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
)

// TestRead reads command lines of run both ways. Package flag must read a line that the short reader accepts as the
// same call.
func TestRead(t *testing.T) {
	words := strings.Split("--host -host=cursor cursor -c ./x --c= -- --pin-hooks --pin-hooks=false --pin-hooks= "+
		"--log --timeout 5 --timeout=x --ask --ask=relay --ask=never --config=a --log-payload --next -h --help - "+
		"--=x -5 --hooks", " ")
	short := 0
	for _, one := range words {
		for _, two := range words {
			for _, three := range append(words, "") {
				line := strings.Fields(strings.Join([]string{one, two, three}, " "))
				var quick, full cmdline.Call
				if !quick.Read(line) {
					continue
				}
				short++
				fs := NewFlags("run")
				fs.Rows(&full)
				rest, err := fs.parse(line)
				same := slices.Equal(quick.Flags, full.Flags) && slices.Equal(quick.Program, full.Program) &&
					(quick.Program == nil) == (full.Program == nil) && quick.FindsHooks() == full.FindsHooks()
				if err != nil || len(rest) > 0 || !same {
					t.Fatalf("%q: %+v, but %+v, %q, %v", line, quick, full, rest, err)
				}
			}
		}
	}
	if short < 500 {
		t.Errorf("only %d lines are read the short way", short)
	}
}
