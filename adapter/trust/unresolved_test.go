package trust

import (
	"testing"

	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/schema"
)

// TestUnresolved: only a command of fixed words and known variables is recorded.
func TestUnresolved(t *testing.T) {
	hidden := []string{
		`x=$(cat name); sh $x`, `sh $(cat name)`, "sh `cat name`", `. "$(cat name)"`, `source $X`, `$X`, `"$HOOK" a`,
		`exec "$HOOK"`,
		`env A=1 $X`, `timeout 5 $X`, `eval "$(cat name)"`, `eval $X`, `eval 'sh $X'`, `bash -c "$X"`,
		`bash -c 'sh $X'`,
		`bash -c "bash -c 'sh *'"`, `python3 -c 'exec(open("x").read())'`, `bash -o pipefail "$X"`, `cat $X | sh`,
		`sh < "$X"`,
		`sh <<<"$X"`, `read f <name; sh "$f"`, `for f in *; do sh $f; done`, `cat list | xargs sh`, `xargs -a list sh`,
		`find . -name "*.sh" -exec sh '{}' ';'`, `x=a.sh; x=$(cat name); sh $x`, `sh ${X:-a.sh}`,
		`if true; then $X; fi`,
		`echo $(sh $X)`, `python3 "$X"`, `./*`, `sh "$X`, `sh ./gu*.sh`,
		`sh '$CLAUDE_PROJECT_DIR'/a.sh $CLAUDE_PROJECT_DIR`,
		`sh $CLAUDE_PROJECT_DIRS/a.sh`, `sh \$CLAUDE_PROJECT_DIR/$X`,
		`CLAUDE_PROJECT_DIR=x sh -c 'sh $CLAUDE_PROJECT_DIR/a.sh'`}
	unresolved := func(command string) bool {
		h := schema.Hook{Command: command, Event: schema.PreTool, Native: "PreToolUse", Handler: schema.HandlerCommand}
		return !fixed(&h, known(claude.New(), &h, "/p"))
	}
	for _, c := range hidden {
		if !unresolved(c) {
			t.Errorf("%s: taken for resolved", c)
		}
	}
	for _, c := range []string{
		`true`, `./guard.sh`, `sh guard.sh`, `jq -r .tool_input.command`, `bash "$CLAUDE_PROJECT_DIR"/a.sh`,
		`${CLAUDE_PROJECT_DIR}/a.sh`,
		`"$CLAUDE_PROJECT_DIR/my k/x.sh" a b`, `python3 hook.py --flag`, `sh -c 'sh ./guard.sh'`, `A=1 env B=2 ./x.sh`,
		`$HOME/x.sh`, `sh 'a b.sh'`, `grep -q 'a|b'`,
	} {
		if unresolved(c) {
			t.Errorf("%s: taken for unresolved", c)
		}
	}
	if h := (schema.Hook{Command: "sh", Args: []string{"-c", "sh $X"}}); fixed(&h, nil) {
		t.Error("an argument is a script of its own")
	}
}
