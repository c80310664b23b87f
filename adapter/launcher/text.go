package launcher

// The texts are for dash, bash and busybox, and for cmd. What is found without starting a program costs nothing: a call
// waits for the launcher.

const findPlugin = `root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 0
data=${@DATA@:-${XDG_DATA_HOME:-$HOME/.local/share}/hookbridge}
look "$data/node_modules/.bin/hookbridge"
`

const ownPlugin = `# The agent of the plugin's own hooks runs them itself.
[ -z "$host" ] && [ -n "$@FOLDER@" ] && [ "$@FOLDER@" -ef "$root" ] && exit 0
`

// findProject finds programs for agents that a desktop starts with a short PATH. The user's own setting comes first.
const findProject = `found=$program program=''
case $HOOKBRIDGE in /*) look "$HOOKBRIDGE" ;; esac
program=${program:-$found}
for dir in "${GOBIN:-${GOPATH:-$HOME/go}/bin}" "$HOME/go/bin" "$HOME/.local/bin" "$HOME/.npm-global/bin" \
	/usr/local/bin /opt/homebrew/bin /home/linuxbrew/.linuxbrew/bin; do
	look "$dir/hookbridge"
done
`

const fetching = `if [ -z "$program" ] && [ "$missing" = say ]; then
	npm install --prefix "$data" --no-audit --no-fund @PACKAGE@ >/dev/null 2>&1 </dev/null
	look "$data/node_modules/.bin/hookbridge"
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
# What lies in the @WHAT@, or in the folder or checkout of the session, may have come with a repository: no variable and
# no PATH makes such a program hookbridge.
own=${0%/*}/..
case $0 in */*/*) own=${0%/*/*} ;; */*) own=. ;; esac
checkout() {
	top=$1 next=$1
	until [ -e "$next/.git" ]; do
		[ "$next/" -ef / ] && next=$1 && break
		next=$next/..
	done
	top=$next
	[ "$top/" -ef / ] || [ "$top" -ef "$HOME" ] && top=''
}
inside() {
	at=$(CDPATH='' cd -P -- "${1%/*}" && pwd -P) || return 0
	while [ "$at" ]; do
		[ "$at" -ef "$own" ] || [ "$at" -ef "$ours" ] || [ "$at" -ef "$theirs" ] && return 0
		at=${at%/*}
	done
	return 1
}
checkout "$own"
ours=$top
checkout .
theirs=$top program=''
look() {
	[ -n "$program" ] || [ ! -f "$1" ] || [ ! -x "$1" ] || [ "$1" -ef "$0" ] || inside "$1" || program=$1
}
set -f
IFS=:
for dir in $PATH; do
	case $dir in /*) look "$dir/hookbridge" ;; esac
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
	case $status in @ANSWERED@) exit "$status" ;; esac
else
	cat >/dev/null
	status=0
fi
@OWN@case $missing in
closed)@REFUSES@
	# A hookbridge that was killed may have answered. Text behind the answer voids it, and the exit status refuses.
	case $status in 0 | 64 | 126 | 127) ;; *) host=unknown && echo '@MISSING@' ;; esac
	case $host in
@REFUSE@	esac
	echo '@MISSING@' >&2
	exit @EXIT@
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

const findPluginWindows = `set "data=%@DATA@%"
if not defined data set "data=%LOCALAPPDATA%\hookbridge"
call :look "%data%\node_modules\.bin\hookbridge.cmd"
`

const ownPluginWindows = `echo %* | "%find%" /c:"--host" >nul || if /i "%@FOLDER@%"=="%root%" exit /b 0
`

const findProjectWindows = `set "found=%program%"
set "program="
if defined HOOKBRIDGE call :look "%HOOKBRIDGE%"
if not defined program set "program=%found%"
call :look "%GOBIN%\hookbridge.exe"
call :look "%USERPROFILE%\go\bin\hookbridge.exe"
call :look "%APPDATA%\npm\hookbridge.cmd"
`

const batch = `@echo off
rem @BY@
setlocal
for %%I in ("%~dp0..") do set "root=%%~fI"
set "program="
for %%P in (hookbridge.exe) do call :look "%%~$PATH:P"
for %%P in (hookbridge.cmd) do call :look "%%~$PATH:P"
@FIND@set "find=%SystemRoot%\System32\findstr.exe"
if not defined program goto missing
call "%program%" %*@MORE@
rem hookbridge has answered, or said why it couldn't. With every other status it is too old, or never started.
for %%S in (@ANSWERED@) do if "%errorlevel%"=="%%S" exit /b %%S
if "%errorlevel%"=="64" goto missing
if "%errorlevel%"=="9009" goto missing
rem A hookbridge that was killed may have answered. Text behind the answer voids it, and the exit status refuses.
@OWN@echo %* | "%find%" /c:"--missing closed" >nul || exit /b 1
echo @MISSING@
>&2 echo @MISSING@
@REFUSES@exit /b @EXIT@
:missing
@OWN@echo %* | "%find%" /c:"--missing closed" >nul && (
@REFUSE@	>&2 echo @MISSING@
@REFUSESHERE@	exit /b @EXIT@
)
echo %* | "%find%" /c:"--missing say" >nul || goto none
@SAY@:none
@NONE@exit /b 0
rem What lies in the @WHAT@, or in the folder of the session, may have come with a repository: no variable and no PATH
rem makes such a program hookbridge.
:look
if defined program exit /b 0
if not exist "%~1" exit /b 0
set "full=%~f1"
set "at=%full%"
:up
for %%I in ("%at%\..") do set "up=%%~fI"
if "%up%"=="%at%" set "program=%full%"& exit /b 0
if /i "%up%"=="%root%" exit /b 0
if /i not "%CD%"=="%USERPROFILE%" if /i "%up%"=="%CD%" if not "%up:~3%"=="" exit /b 0
set "at=%up%"
goto up
`
