package launcher

// The texts are for dash, bash and busybox, and for cmd. What is found without starting a program costs nothing: a
// call waits for the launcher.

const findPlugin = `root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 0
data=${@DATA@:-${XDG_DATA_HOME:-$HOME/.local/share}/hookbridge}
look "$data/node_modules/.bin"
`

const ownPlugin = `# The agent of the plugin's own hooks runs them itself.
[ -z "$host" ] && [ -n "$@FOLDER@" ] && [ "$@FOLDER@" -ef "$root" ] && exit 0
`

// findProject finds what agents that a desktop starts don't have in their PATH. A program in the project's own
// node_modules is one that npm installed for it.
const findProject = `if [ -f "$HOOKBRIDGE" ] && [ -x "$HOOKBRIDGE" ] && ! [ "$HOOKBRIDGE" -ef "$0" ]; then
	program=$HOOKBRIDGE
fi
for dir in "${0%/*}/../node_modules/.bin" "${GOBIN:-${GOPATH:-$HOME/go}/bin}" "$HOME/go/bin" "$HOME/.local/bin" \
	"$HOME/.npm-global/bin" /usr/local/bin /opt/homebrew/bin /home/linuxbrew/.linuxbrew/bin; do
	look "$dir"
done
`

const fetching = `if [ -z "$program" ] && [ "$missing" = say ]; then
	npm install --prefix "$data" --no-audit --no-fund @PACKAGE@ >/dev/null 2>&1 </dev/null
	look "$data/node_modules/.bin"
fi
`

const script = `#!/bin/sh
# @BY@
# Starts hookbridge, which runs the hooks of this @WHAT@ for the agent that calls.
host='' missing='' last=''
for word; do
	case $last in
	--host) host=$word ;;
	--missing) missing=$word ;;
	esac
	last=$word
done
program=''
look() {
	[ -n "$program" ] || [ ! -f "$1/hookbridge" ] || [ ! -x "$1/hookbridge" ] || [ "$1/hookbridge" -ef "$0" ] ||
		program=$1/hookbridge
}
set -f
IFS=:
for dir in $PATH; do
	case $dir in /*) look "$dir" ;; esac
done
unset IFS
@FIND@if [ -n "$program" ]; then
	exec 3<&0
	"$program" "$@"@MORE@ <&3 3<&- &
	child=$!
	trap 'kill "$child" 2>/dev/null' HUP INT TERM
	wait "$child"
	status=$?
	# hookbridge has answered, or said why it couldn't. With every other status it is too old, or never started.
	case $status in 0 | 1 | 2) exit "$status" ;; esac
else
	cat >/dev/null
	status=0
fi
@OWN@case $missing in
closed)
	# A hookbridge that was killed may have answered. Text behind the answer voids it, and the exit status refuses.
	case $status in 0 | 64 | 126 | 127) ;; *) host=unknown && echo '@MISSING@' ;; esac
	case $host in
@REFUSE@	esac
	echo '@MISSING@' >&2
	exit 2
	;;
say)
	case $status in 0 | 64 | 126 | 127) ;; *) host=unknown ;; esac
	case $host in
@SAY@	esac
	;;
esac
case $status in 0 | 64) ;; *)
	echo "@MISSING@ (hookbridge ended with status $status)" >&2
	exit 1
	;;
esac
@NONE@exit 0
`

const findPluginWindows = `for %%I in ("%~dp0..") do set "root=%%~fI"
set "data=%@DATA@%"
if not defined data set "data=%LOCALAPPDATA%\hookbridge"
set "package=%data%\node_modules\.bin\hookbridge.cmd"
if not defined program if exist "%package%" set "program=%package%"
`

const ownPluginWindows = `echo %* | "%find%" /c:"--host" >nul || if /i "%@FOLDER@%"=="%root%" exit /b 0
`

const findProjectWindows = `if defined HOOKBRIDGE if exist "%HOOKBRIDGE%" set "program=%HOOKBRIDGE%"
if /i "%program%"=="%~f0" set "program="
for %%P in ("%~dp0..\node_modules\.bin\hookbridge.cmd" "%GOBIN%\hookbridge.exe" "%USERPROFILE%\go\bin\hookbridge.exe" ^
	"%APPDATA%\npm\hookbridge.cmd") do if not defined program if exist %%P set "program=%%~fP"
`

const batch = `@echo off
rem @BY@
setlocal
set "program="
for %%P in (hookbridge.exe) do if not "%%~$PATH:P"=="" set "program=%%~$PATH:P"
if not defined program for %%P in (hookbridge.cmd) do if not "%%~$PATH:P"=="" set "program=%%~$PATH:P"
if /i "%program%"=="%~f0" set "program="
@FIND@set "find=%SystemRoot%\System32\findstr.exe"
if not defined program goto missing
call "%program%" %*@MORE@
rem hookbridge has answered, or said why it couldn't. With every other status it is too old, or never started.
for %%S in (0 1 2) do if "%errorlevel%"=="%%S" exit /b %%S
if "%errorlevel%"=="64" goto missing
if "%errorlevel%"=="9009" goto missing
rem A hookbridge that was killed may have answered. Text behind the answer voids it, and the exit status refuses.
@OWN@echo %* | "%find%" /c:"--missing closed" >nul || exit /b 1
echo @MISSING@
>&2 echo @MISSING@
exit /b 2
:missing
@OWN@echo %* | "%find%" /c:"--missing closed" >nul && (
@REFUSE@	>&2 echo @MISSING@
	exit /b 2
)
echo %* | "%find%" /c:"--missing say" >nul || goto none
@SAY@:none
@NONE@exit /b 0
`
