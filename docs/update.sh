#!/bin/sh
# Writes everything that is generated: the tables of the pages, the tour and the
# guides (their commands are run), the manual page, the JSON Schemas, the
# examples' vectors. The tests hold what this writes.
set -eu
cd "$(dirname "$0")/.."
exec go test -count=1 ./cmd/hookbridge ./claude ./cursor ./qoder ./codex ./copilot ./gemini ./opencode ./grok ./qwen ./codebuddy -run 'Test(Readme|Reference|Guides|Pages|ManPage|Schemas|ExampleVectors)' -update
