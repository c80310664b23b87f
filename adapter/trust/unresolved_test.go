package trust

import (
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestUnresolved: a command that hides which file it runs is found, and one whose
// files the fingerprint covers is not.
func TestUnresolved(t *testing.T) {
	hidden := []string{
		`x=$(cat name); sh $x`, `sh $(cat name)`, "sh `cat name`", `. "$(cat name)"`, `source $X`, `$X`, `"$HOOK" a`, `exec "$HOOK"`, `env A=1 $X`,
		`timeout 5 $X`, `eval "$(cat name)"`, `eval $X`, `bash -c "$X"`, `bash -c 'sh $X'`, `bash -o pipefail "$X"`, `cat $X | sh`, `sh < "$X"`,
		`sh <<<"$X"`, `read f <name; sh "$f"`, `while read f; do sh "$f"; done <list`, `for f in $(ls); do sh $f; done`, `for f in *; do sh $f; done`,
		`cat list | xargs sh`, `ls | xargs -n 1 bash`, `find . -name "*.sh" -exec sh {} \;`, `find . -exec {} \;`, `x=a.sh; x=$(cat name); sh $x`,
		`sh ${X:-a.sh}`, `if true; then $X; fi`, `echo $(sh $X)`, `python3 "$X"`, `./*`, `sh "$X`,
	}
	for _, c := range hidden {
		if word := unresolvedIn(&schema.Hook{Command: c}); word == "" {
			t.Errorf("%s: taken for resolved", c)
		}
	}
	plain := append([]string{
		`jq -r .tool_input.command`, `f=$(jq -r .x); echo "$f"`, `jq -r .x | while read f; do prettier --write "$f"; done`, `python3 hook.py "$X"`,
		`[ -n "$X" ] && echo "$X"`, `bash "$CLAUDE_PROJECT_DIR"/a.sh "$1"`, `true`, `npx prettier "$X"`, `git diff | xargs grep x`, `sh -c 'echo $X'`,
		`find . -name "*.sh" -exec chmod +x {} \;`, `sh -s < a.sh`, `cat a.sh | sh`,
	}, forms...)
	for _, c := range plain {
		if word := unresolvedIn(&schema.Hook{Command: c}); word != "" {
			t.Errorf("%s: %s taken for unresolved", c, word)
		}
	}
}
