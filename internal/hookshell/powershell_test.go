package hookshell_test

import (
	"testing"

	"github.com/hookbridge/hookbridge/internal/hookshell"
)

// TestPowerShell5: the commands that Windows' own PowerShell starts, and those that it rejects as a whole, each with
// its documentation.
func TestPowerShell5(t *testing.T) {
	for _, c := range []struct {
		command string
		starts  bool
		source  string
	}{
		{".hookbridge/run run --host x --hooks a,b", true, "about_Command_Precedence: a path with a separator"},
		{"a.exe || exit 2", false, "about_Pipeline_Chain_Operators: new in PowerShell 7"},
		{"a.exe && exit", false, "about_Pipeline_Chain_Operators: new in PowerShell 7"},
		{`a.exe '|| "' "&& ''"`, true, "about_Quoting_Rules"},
		{`"C:\a b\x.exe" run`, false, "about_Operators: a command in quotes needs the call operator"},
		{`& "C:\a b\x.exe" run`, true, "about_Operators: call operator"},
		{`"a text"`, true, "about_Parsing: expression mode"},
		{"a.exe < in", false, "about_Redirection: < is reserved"},
		{"a.exe & b", false, "about_Operators: the background operator is new in PowerShell 6"},
		{"a.exe 'it''s'", true, "about_Quoting_Rules: a quote twice"},
		{`a.exe 'it'\''s'`, false, "about_Quoting_Rules: a backslash quotes nothing"},
		{`a.exe "\"`, true, "about_Quoting_Rules: a backslash quotes nothing"},
		{"exit (2*!$?)", true, "about_Language_Keywords: exit takes a pipeline"},
		{"exit $((2*!!(0+${save-items}-!$?)))", true, "about_Variables: names with special characters"},
		{"while ($d -and !(Test-Path (Join-Path $d x))) { $d=Split-Path $d }; & (Join-Path $d x) run", true,
			"about_While, about_Operators: the call operator takes an expression"},
		{"if ($x) { a.exe", false, "about_If"},
		{"a.exe )", false, "language specification 7.1"},
	} {
		if err := hookshell.PowerShell5(c.command); (err == nil) != c.starts {
			t.Errorf("%s: %v, but %s", c.command, err, c.source)
		}
	}
}
