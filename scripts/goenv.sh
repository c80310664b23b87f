# For test.sh and docs/update.sh, which read this file: what the go tool does for them, in less processor time. No test
# reads what a debugger reads, which takes two fifths of the time to compile. A program without cgo, as it is released,
# starts sooner. The compiler and the tests have memory enough to collect garbage less often.
export GOFLAGS="-mod=readonly -gcflags=all=-dwarf=false" CGO_ENABLED=0 GOGC=400

# Tests write many small files: where a disk has them, they take most of the system's time.
memory=/dev/shm
if [ -z "${TMPDIR:-}" ] && [ -w $memory ] && [ "$(df -Pk $memory | awk 'NR == 2 {print $4}')" -gt 8000000 ] &&
	! mount | grep " $memory " | grep -q noexec; then
	TMPDIR=$(mktemp -d $memory/hookbridge-XXXXXX)
	chmod 755 "$TMPDIR" # some tests start the program as another user
	export TMPDIR
	trap 'chmod -R u+w "$TMPDIR"; rm -rf "$TMPDIR"' EXIT
	trap 'exit 130' INT TERM
fi
