# For test.sh and docs/update.sh, which read this file: what the go tool does for them, in less processor time. No test
# reads what a debugger reads, which takes two fifths of the time to compile. A program without cgo, as it is released,
# starts sooner. The compiler and the tests have memory enough to collect garbage less often.
export GOFLAGS="-mod=readonly -gcflags=all=-dwarf=false" CGO_ENABLED=0 GOGC=400
