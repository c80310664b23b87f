package trust

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// forms are ways to name a script. A shell runs each as "sh guard.sh" in the project or its folder hooks; {P} is the
// project.
var forms = []string{
	`sh guard.sh`, `./guard.sh`, `sh ./guard.sh`, `. ./guard.sh`, `sh {P}/guard.sh`, `sh "{P}/guard.sh"`,
	`sh '{P}'/guard.sh`,
	`sh ./gu*.sh`, `sh gu*.sh`, `sh ./gu?rd.sh`, `sh ./[g]uard.sh`, `sh ./gu[a-b]rd.sh`, `sh ./*.sh`, `sh *.sh`,
	`sh ./g*`, `sh */guard.sh`, `sh ./*/guard.sh`,
	`sh ?ooks/guard.sh`, `sh h*/gu*.sh`, `sh hooks/*.sh`, `cd hooks && sh guard.sh`, `cd hooks; sh ./gu*.sh`,
	`cd ho*; sh guard.sh`, `(cd hooks; sh guard.sh)`,
	`for f in guard.sh; do sh $f; done`, `for f in ./*.sh; do sh "$f"; done`, `for f in *.sh; do sh ./$f; done`,
	`for d in hooks; do sh $d/guard.sh; done`,
	`for f in hooks/*; do sh "$f"; done`, `for n in guard; do sh ./$n.sh; done`, `x=guard; sh ./$x.sh`,
	`x=gu; sh ./${x}ard.sh`, `x=./guard.sh; sh $x`,
	`x=guard.sh sh -c 'sh ./$x'`, `d=hooks; sh "$d/guard.sh"`, `d={P}; sh $d/guard.sh`, `sh "$PWD/guard.sh"`,
	`sh ${PWD}/guard.sh`, `sh "$(pwd)/guard.sh"`,
	"sh `pwd`/guard.sh", `sh "$CLAUDE_PROJECT_DIR"/guard.sh`, `sh "${CLAUDE_PROJECT_DIR:-.}/guard.sh"`,
	`sh /proc/self/cwd/guard.sh`, `sh /proc/$$/cwd/guard.sh`,
	"sh ./gu\\\nard.sh", "sh \\\n ./guard.sh", `sh ~+/guard.sh`, `sh $'./guard.sh'`, `sh $'./gu\x61rd.sh'`,
	`sh ./{guard,other}.sh`, `sh ./gu{a,b}rd.sh`,
	`sh {hooks,other}/guard.sh`, `sh ./"guard".sh`, `sh ./gu''ard.sh`, `sh ./gu\ard.sh`, `sh -c 'sh ./guard.sh'`,
	`bash -c "cd hooks && ./guard.sh"`,
	`eval "sh ./guard.sh"`, `env sh guard.sh`, `exec ./guard.sh`, `cat guard.sh | sh`, `sh <guard.sh`, `sh < ./gu*.sh`,
	`true && sh guard.sh || exit 2`,
	`sh 'a b;c.sh'`, `sh ./a\ b\;c.sh`, `sh './[x].sh'`, `sh "./it's.sh"`, `sh './$v.sh'`, `sh './{y}.sh'`,
	`sh ./hooks/../guard.sh`, `sh .//guard.sh`}

// TestTrustedForms checks that a hook isn't recorded, or that trust ends when its script changes, however the hook
// names it.
func TestTrustedForms(t *testing.T) {
	scripts := []string{"guard.sh", "hooks/guard.sh", "a b;c.sh", "[x].sh", "it's.sh", "$v.sh", "{y}.sh"}
	for _, form := range forms {
		dir := dialect.RealPath(t.TempDir())
		write := func(text string) {
			for _, s := range scripts {
				file := filepath.Join(dir, s)
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
					t.Skip(err) // a name that the system rejects
				}
			}
		}
		command := ""
		for i := 0; i < len(form); i++ {
			if i+3 <= len(form) && form[i:i+3] == "{P}" {
				command += dir
				i += 2
			} else {
				command += form[i : i+1]
			}
		}
		src := schema.Source{File: filepath.Join(dir, "hooks.json"), Scope: schema.ScopeProject}
		config := &schema.Config{Source: src, Hooks: []schema.Hook{{Command: command, Source: src}}}
		res := discover.Result{Configs: []*schema.Config{config}, Texts: [][]byte{nil}}
		sum := func() string {
			s, _, err := Fingerprint(dir, dir, res, func(schema.Source) bool { return true })
			if err != nil {
				return "refused"
			}
			return s
		}
		write("exit 2")
		before := sum()
		write("exit 0")
		hidden := Unresolved(claude.New(), dir, res, func(schema.Source) bool { return true })
		if after := sum(); after == before && after != "refused" && len(hidden) == 0 {
			t.Errorf("%s: the script has changed and is still trusted", form)
		}
	}
}
