package cmdline

import (
	"testing"
)

// calls of hookbridge, and similar commands. own: install writes such an entry into a file of Cursor for hooks of
// Claude Code.
var callTests = []struct {
	command string
	args    []string
	ok, own bool
}{
	{"hookbridge run --host cursor --hooks claude", nil, true, true},
	{"  hookbridge  run --host=cursor -hooks claude ", nil, true, true},
	{"hookbridge run", nil, true, true},
	{"hookbridge run --host cursor@2.4 --hooks claude@2.0.45 --ask relay --fail-closed --require-trust", nil, true,
		true},
	{"hookbridge run --host cursor --hooks claude --log /tmp/l --evaluator './ask -m x' --timeout 3", nil, true, true},
	{"hookbridge run --hooks claude --log-payload=false --home /h", nil, true, true},
	{"/usr/local/bin/hookbridge run --host cursor", nil, true, true},
	{"'/opt/my tools/hookbridge' run --host cursor", nil, true, true},
	{"'C:\\Program Files\\hookbridge.exe' run --host cursor", nil, true, true},
	{"HOOKBRIDGE_STATE_DIR=/x hookbridge run --host cursor", nil, true, true},
	{"hookbridge", []string{"run", "--host", "cursor", "--hooks", "claude"}, true, true},
	{`hookbridge run --host cursor --evaluator "./ask \"me\""`, nil, true, true},
	{`hookbridge run --host cursor --evaluator "$(./other.sh)"`, nil, false, false},
	{"hookbridge run --host cursor \\\n--hooks claude", nil, false, false},
	{"hookbridge run --host cursor --hooks qoder", nil, true, false},
	{"hookbridge run --host qoder --hooks claude", nil, true, false},
	{"hookbridge run --host cursor --hooks claude --config ./mine.json", nil, true, false},
	{"hookbridge run --host cursor --hooks claude -c ./guard.sh", nil, true, false},
	{"hookbridge run --host cursor --hooks claude -- ./guard.sh --x", nil, true, false},
	{"hookbridge run --host cursor --hooks claude --inline '{}'", nil, true, false},
	{"./other.sh && hookbridge run --host cursor --hooks claude", nil, false, false},
	{"hookbridge run --host cursor --hooks claude && ./other.sh", nil, false, false},
	{"hookbridge run --host cursor --hooks claude; ./other.sh", nil, false, false},
	{"hookbridge run --host cursor --hooks claude | ./other.sh", nil, false, false},
	{"hookbridge run --host cursor --hooks claude & ./other.sh", nil, false, false},
	{"hookbridge run --host cursor --hooks claude\n./other.sh", nil, false, false},
	{"hookbridge run --host cursor --hooks $(./other.sh)", nil, false, false},
	{"hookbridge run --host cursor --hooks `./other.sh`", nil, false, false},
	{"./other.sh # hookbridge run --host cursor --hooks claude", nil, false, false},
	{"./other.sh hookbridge run --host cursor --hooks claude", nil, false, false},
	{"echo 'hookbridge run --host cursor --hooks claude'", nil, false, false},
	{"true hookbridge run --host cursor", nil, false, false},
	{"./hookbridge run --host cursor", nil, false, false},
	{"my-hookbridge run --host cursor", nil, false, false},
	{"/x/hookbridge-guard run --host cursor", nil, false, false},
	{"hookbridge running --host cursor", nil, false, false},
	{"hookbridge guard --host cursor 'Bash(rm *)' 'Read(.env)'", nil, true, false},
	{"hookbridge guard 'Bash(rm *)' && ./other.sh", nil, false, false},
	{"hookbridge guards 'Bash(rm *)'", nil, false, false},
	{"hookbridge doctor", nil, false, false},
	{"hookbridge", nil, false, false},
	{"hookbridge", []string{"run", "./guard.sh"}, false, false},
	{"hookbridge run guard", nil, false, false},
	{"hookbridge run --host", nil, false, false},
	{"hookbridge run --host cursor > /tmp/x", nil, false, false},
	{"", nil, false, false},
}

func TestParseBridgeCall(t *testing.T) {
	for _, tt := range callTests {
		call, ok := Parse(tt.command, tt.args)
		if ok != tt.ok {
			t.Errorf("%q %q: is a call of hookbridge: %v", tt.command, tt.args, ok)
		}
		if own := ok && call.Installed("cursor", "claude"); own != tt.own {
			t.Errorf("%q %q: belongs to an installation: %v", tt.command, tt.args, own)
		}
	}
}

// TestHandlersKept checks that a guard next to hookbridge's own entry runs.
func TestHandlersKept(t *testing.T) {
	for _, tt := range callTests {
		call, ok := Parse(tt.command, tt.args)
		if FindsHooks(tt.command, tt.args) != (ok && call.FindsHooks()) {
			t.Errorf("%q: run and install disagree", tt.command)
		}
	}
	if FindsHooks("./guard.sh # hookbridge run --host cursor", nil) {
		t.Error("a guard that mentions hookbridge is skipped")
	}
}

// TestProgramWord checks that a program's path is one word that shells read as that path.
func TestProgramWord(t *testing.T) {
	for _, c := range []struct {
		path, word string
		ok         bool
	}{
		{"hookbridge", "hookbridge", true},
		{"/usr/local/bin/hookbridge", "/usr/local/bin/hookbridge", true},
		{"/opt/my tools/hookbridge", "'/opt/my tools/hookbridge'", true},
		{`C:\Users\me\go\bin\hookbridge.exe`, `C:\\Users\\me\\go\\bin\\hookbridge.exe`, true},
		{`C:\Program Files\hookbridge.exe`, `'C:\Program Files\hookbridge.exe'`, false},
		{`C:\a&b\hookbridge.exe`, `'C:\a&b\hookbridge.exe'`, false},
		{`C:\%PATH%\hookbridge.exe`, `'C:\%PATH%\hookbridge.exe'`, false},
		{`C:\a$b\hookbridge.exe`, `'C:\a$b\hookbridge.exe'`, false},
		{`C:\Users\Jürgen\hookbridge.exe`, `'C:\Users\Jürgen\hookbridge.exe'`, false},
	} {
		word, ok := ProgramWord(c.path)
		if word != c.word || ok != c.ok {
			t.Errorf("%s is %s, %v", c.path, word, ok)
		}
		call := Call{Path: c.path}
		call.Set("host", "cursor")
		read, isCall := Parse(call.Command(), nil)
		if !isCall || read.Path != c.path && c.path != Program {
			t.Errorf("%s is read as %q, %v", call.Command(), read.Path, isCall)
		}
	}
}
