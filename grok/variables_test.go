package grok

import (
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestUnset checks which variables keep the client from starting a hook (each row observed 1.0.41).
func TestUnset(t *testing.T) {
	env := []string{"HOME=/h", "EMPTY="}
	for command, want := range map[string]string{
		": $NOPE": "NOPE", ": ${NOPE}": "NOPE", ": '$NOPE'": "NOPE", `: \$NOPE`: "NOPE", "# $NOPE": "NOPE",
		": $$NOPE": "NOPE", "awk '{print $NF}'": "NF", ": $PPID": "PPID", ": `echo $NOPE`": "NOPE",
		": $HOME $EMPTY": "", ": ${NOPE:-x} ${NOPE-x} ${NOPE:=x} ${NOPE+x}": "", ": ${#NOPE} ${NOPE%x} ${x[0]}": "",
		": ${NOPE:-$OTHER}": "", ": ${NOPE:-${OTHER}}": "", ": ${NOPE:-}$OTHER": "OTHER", "# ${NOPE": "",
		": $$ $? $! $# $@ $* $0 $1 $-": "", ": $9a": "", ": ${0}": "0", ": ${-} ${*} ${ A }": "", ": 5$ $": "",
		"X=1; : $X": "", ": $X; X=1": "", "true&&X=1&&: $X": "", "(X=1;: $X)": "", "y=$(X=1; : $X)": "",
		"{ { X=1; }; }; : $X": "", "for {X=1; : $X": "", ": ${X=x} $X": "", "X=1\n: $X": "", "X=\"a;Y=1\"; : $Y": "",
		"\tX=1>f; : $X": "", "export X=1; : $X": "X", "for f in a; do : $f; done": "f", "if X=1; then : $X; fi": "X",
		"! X=1; : $X": "X", "X+=1; : $X": "X", "x[0]=1; : $x": "x", "X=1 Y=2; : $Y": "Y", "env X=1 sh -c ': $X'": "X",
		"a) X=1;; : $X": "X", "`X=1`; : $X": "X", "'X'=1; : $X": "X", "\rX=1; : $X": "X", "; }X=1; : $X": "X",
		"read X; : $X": "", "read -r A B; : $B": "", "read -p hi X<<<a; : $X": "", "read X-Y Z; : $Z": "",
		"echo a | read X; : $X": "", "while read X; do : $X; done": "X", "IFS= read X; : $X": "X", "reads X; : $X": "X",
		"read \"X\"; : $X": "X", "read -rX; : $X": "X", "read; X; : $X": "X",
	} {
		if got := unset(command, env); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

// TestUnstarted checks that such a hook doesn't start, if the environment is known.
func TestUnstarted(t *testing.T) {
	h, c := &schema.Hook{Command: ": $NOPE"}, &schema.Call{Project: "/p", Cwd: "/p"}
	if _, err := New().Spec(h, c, schema.Places{Env: schema.Environ{"HOME=/h"}}); err == nil {
		t.Error("the hook starts")
	}
	if _, err := New().Spec(h, c, schema.Places{}); err != nil {
		t.Error(err)
	}
}
