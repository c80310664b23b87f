package claude

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// envTests are environment files, the variables that they set and the lines that need a shell. Files without such lines
// are also run in /bin/sh.
var envTests = []struct {
	name, text string
	want       string // NAME=value, one per line
	lines      []int
}{
	{"plain", "export A=1\nB=2\n", "A=1\nB=2", nil},
	{"quotes", `export A='it is' B="a \"b\" \$C" D=a\ b E='$X'"'"`, "A=it is\nB=a \"b\" $C\nD=a b\nE=$X'", nil},
	{"several lines", "export A='1\n2'\nexport B=3", "A=1\n2\nB=3", nil},
	{"variables", "X=1\nexport A=$X:${X}:$HOME/b B=\"$NONE\" C=\"5$\"", "X=1\nA=1:1:/home/u/b\nB=\nC=5$", nil},
	{"path", `export PATH="$PATH:/opt/bin"`, "PATH=/bin:/usr/bin:/opt/bin", nil},
	{"comments", "# no\nexport A=1 # yes\n  # no\nB=x#y", "A=1\nB=x#y", nil},
	{"continuation", "export A=1 \\\n  B=2\nC=3\\\n4", "A=1\nB=2\nC=34", nil},
	{"statements", "A=1; export A; B=2;C=3", "A=1\nB=2\nC=3", nil},
	{"filled in first", "A=1\nexport A=2 B=$A\nC=3 D=$C", "A=2\nB=1\nC=3\nD=3", nil},
	{"unset of others", "A=1\nunset A NONE\nunset HOME\nB=2", "B=2", []int{3}},
	{"later wins", "A=1\nA=2", "A=2", nil},
	{"unset", "A=1\nB=2\nunset A", "B=2", nil},
	{"tilde", "export A=~/x B=/y:~/z C=a~ D=~", "A=/home/u/x\nB=/y:/home/u/z\nC=a~\nD=/home/u", nil},
	{"empty", "export A=\n\n \n", "A=", nil},
	{"windows lines", "export A=1\r\nexport B='2'\r\n", "A=1\nB=2", nil},
	{"declare", "declare -x A=1\nexport -x B=2", "A=1\nB=2", nil},
	{"somebody's home", "A=~root/x\nB=1", "B=1", []int{1}},
	{"substitution", "A=1\n\nexport B=$(date)\nexport C=`date`\nD=\"x$(echo \"a b\")\"\nE=2", "A=1\nE=2",
		[]int{3, 4, 5}},
	{"defaults", "A=${B:-x}\nC=$((1+1))\nD=$1", "", []int{1, 2, 3}},
	{"commands", "echo hi\nA=1 make\ncd x\nB=2", "B=2", []int{1, 2, 3}},
	{"conditions", "if true; then\n  export A=1\nfi\nB=2", "B=2", []int{1}},
	{"function", "f() {\n A=1\n}\nB=2", "B=2", []int{1}},
	{"here-document", "cat <<EOF\nA=1\nEOF\nB=2", "B=2", []int{1}},
	{"open quote", "A=1\nB='x\nC=2", "A=1", []int{2}},
	{"unfinished escape", "A=1\nexport B=$'x\\", "A=1", []int{2}},
	{"a fault ends the reading", "A=1\nB=2; )\nC=3", "A=1", []int{2}},
	{"bytes that are no UTF-8", "A='caf\xe9'\nB=\xff\\\xfe", "A=caf\xe9\nB=\xff\xfe", nil},
	{"NUL", "A=1\x00\nB=2", "A=1\nB=2", nil},
	{"line of a late fault", "A='\n\n'\nB=$(x)", "A=\n\n", []int{4}},
}

var envGiven = schema.Environ{"HOME=/home/u", "PATH=/bin:/usr/bin"}

func TestParseEnvFile(t *testing.T) {
	for _, tt := range envTests {
		t.Run(tt.name, func(t *testing.T) {
			vars, ds := New().ParseEnvFile(tt.text, envGiven)
			var got []string
			for _, v := range vars {
				got = append(got, v.Name+"="+v.Value)
			}
			same(t, "variables", tt.want, strings.Join(got, "\n"))
			var lines []int
			for _, d := range ds {
				lines = append(lines, d.Line)
				if d.Code != schema.CodeEnvFile {
					t.Errorf("code %s", d.Code)
				}
			}
			same(t, "lines", tt.lines, lines)
			if tt.lines == nil && !strings.Contains(tt.text, "\r") && !strings.Contains(tt.text, "-x") {
				for _, v := range vars {
					if sh := shellValue(t, tt.text, v.Name); sh != v.Value {
						t.Errorf("%s is %q, and %q for a shell", v.Name, v.Value, sh)
					}
				}
			}
		})
	}
}

// shellValue returns the value of a variable after a shell has read text.
func shellValue(t *testing.T, text, name string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no /bin/sh")
	}
	file := filepath.Join(t.TempDir(), "env")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	res := process.Run(context.Background(),
		process.Spec{Argv: []string{"/bin/sh", "-c", `. "$0"; printf %s "$` + name + `"`, file}, Env: envGiven,
			Timeout: 10 * time.Second})
	if res.Err != nil || res.Exit != 0 {
		t.Fatalf("sh: %v, status %d, %s", res.Err, res.Exit, res.Stderr)
	}
	return string(res.Stdout)
}
