package cmdline

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// FuzzWrap checks that a hook wrapped in a call of hookbridge is read back unchanged, with any texts: no shell splits
// them into words.
func FuzzWrap(f *testing.F) {
	f.Add("echo 'a b'", "Bash|Write", "Bash(rm *)", "x\ny", false)
	f.Add("\u0085", "0", "0", "0", false)
	f.Add("a\u00a0", "\u0085", "\ufeff", "\u2028", true)
	f.Add("0", "\r", "\r\n", "\n\r", true)
	f.Add("$(touch hit)", "`id`", "'; rm -rf / '", "--", true)
	f.Fuzz(func(t *testing.T, command, match, condition, arg string, program bool) {
		if command == "" || strings.Contains(command+match+condition+arg, "\x00") {
			return
		}
		w := Wrapping{Host: "cursor", Hooks: "claude", Event: "PreToolUse",
			Hook: schema.Hook{Handler: schema.HandlerCommand, Command: command,
				Matcher: match, Condition: condition, Timeout: 5 * time.Second, Fail: schema.FailClosed}}
		if program {
			w.Hook.Args = []string{arg, "last"}
		}
		list := Unwrap(w.Command(), nil)
		if len(list) != 1 {
			t.Fatalf("%q\n gives %+v", w.Command(), list)
		}
		got := list[0]
		words, _ := shell.Words(w.Command()) // as an entry with arguments has them
		if same := Unwrap(words[0], words[1:]); !reflect.DeepEqual(same, list) {
			t.Fatalf("%q\n gives %+v as words, not %+v", words, same, list)
		}
		if got.Hook.Command != command || got.Hook.Matcher != match || got.Hook.Condition != condition ||
			got.Hook.Timeout != w.Hook.Timeout ||
			strings.Join(got.Hook.Args, "\x00") != strings.Join(w.Hook.Args, "\x00") ||
			(got.Hook.Args == nil) == program {
			t.Fatalf("%q\n gives %+v", w.Command(), got)
		}
		Unwrap(command, nil) // must not panic
		FindsHooks(command, nil)
	})
}
