package claude

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/internal/wildcard"
)

// TestLineDenied has lines that Claude Code 2.1.332 denied and ran with only the rule Bash(rm *) (observed). It also
// has lines whose form was seen to be decided in this way.
func TestLineDenied(t *testing.T) {
	pattern := wildcard.ParseCommand("rm *")
	for _, line := range []string{
		"rm -f x", "rm", "env rm -f x", "/bin/rm -f x", "./rm x", "../rm x", "sudo rm -f x", "sh -c 'rm -f x'",
		"zsh -c 'rm x'", "sh -ec 'rm x'", "bash -c 'ls; rm -f x'", "time rm -f x", "time -p rm -f x",
		"timeout 5 rm x", "timeout -k 1 5 rm x", "timeout --signal=9 5 rm x", "nice rm x", "nice -n 5 rm x",
		"nice -5 rm x", "nohup rm x", "nohup -- rm x", "stdbuf -oL rm x", "echo x | xargs rm", "A=1 rm x",
		"command rm x", "exec rm x", "builtin rm x", "env A=1 rm x", "env -u A rm x", "env -i rm x",
		"env -S 'rm x'", "doas rm x", "sudo -u me rm x", "sudo A=1 rm x", "sudo -E -- rm x", "ionice rm x",
		"setsid rm x", "watch rm x", "strace rm x", "ltrace rm x", "unshare rm x", "flock f rm x",
		"taskset 1 rm x", "chrt 1 rm x", "noglob rm x", "script -c 'rm x'", "time sudo nice rm -f x",
		"sudo sh -c 'rm x'", "env sudo /bin/rm x", "\\rm x", "'rm' x", "r''m x", "{ rm x; }", "(rm x)",
		"nocorrect rm x", "nocorrect -- rm x", "noglob nocorrect rm x", "nocorrect sudo rm x", "nsenter rm x",
		"nsenter -t 1 -m rm x", "nsenter --target 1 --mount -- rm x", "nsenter.exe rm x", "pkexec rm x",
		"pkexec --user root rm x", "pkexec -- rm x", "pkexec --disable-internal-agent rm x", "sandbox-exec rm x",
		"sandbox-exec -p x rm x", "sandbox-exec -n no-network -- rm x", "nohup nsenter -t 1 pkexec rm x",
		"env -S\"rm x\"", "env -S'rm x'", "env -Srm x", "env -S'rm' x", "env -S=rm", "env -u A -S'rm x'",
		"env -S'sudo rm x'", "env --split-string='rm x'", "env --split-string=\"rm x\"", "env --split-string='rm' x",
		"env.exe -S'rm x'", "env -iS'rm x'", "script --command='rm x'", "script --command 'rm x'", "script -c'rm x'",
		"flock f -c'rm x'", "flock f --command 'rm x'", "sudo.exe rm x", "sudo.Exe rm x", "timeout.exe 5 rm x",
		"nice.EXE -n 5 rm x", "/usr/bin/env.exe rm x", "rm.exe x", "rm.eXe x", "./rm.exe x", "/bin/rm.EXE x",
		"'C:\\x\\rm.exe' x", "'a\\rm' x",
		"! rm x", "rm x &", "ls && sudo rm x", "sh -c \"sh -c 'sudo rm x'\"", "sh -c \"$X\"",
	} {
		if !lineDenied(line, pattern, 0) {
			t.Errorf("%s: not denied", line)
		}
	}
	for _, line := range []string{
		"ls", "git rm x", "echo rm x", "sudo git rm x", "timeout 60 git rm x", "sudo -- git rm x", "RM x", "rmdir x",
		"npx rm x", "busybox rm x", "sh -c 'ls'", "sh rm x", "python3 -c 'rm x'", "ssh h rm x", "/bin/ls rm",
		"rm.exe.exe x", "rm.com x", "rm.bat x", "RM.EXE x", "NSENTER rm x", "env -S'echo rm x'", "env -", "exe rm x",
		".exe rm x",
	} {
		if lineDenied(line, pattern, 0) {
			t.Errorf("%s: denied", line)
		}
	}
}

// TestLineDeniedEnds checks that a line of unlimited depth is denied, and a long line of one command isn't.
func TestLineDeniedEnds(t *testing.T) {
	pattern := wildcard.ParseCommand("rm *")
	nested := "ls"
	for range maxScripts + 1 {
		nested = "sh -c " + shell.Quote(nested)
	}
	for _, line := range []string{
		nested, strings.Repeat("sudo ", 1000) + "ls",
		strings.Repeat("sudo -a ", 100_000) + "ls",
	} {
		if !lineDenied(line, pattern, 0) {
			t.Errorf("%.40s: not denied", line)
		}
	}
	if lineDenied("sudo ls "+strings.Repeat("a ", 100_000)+"a", pattern, 0) {
		t.Error("a long command is denied")
	}
}
