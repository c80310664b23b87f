#!/bin/sh
# Writes everything that is generated: the tables of the pages, the tour and the
# guides (their commands are run), the manual page, the JSON Schemas, the
# examples' vectors, and the vectors that follow of a further tool. The tests hold what this writes.
set -eu
cd "$(dirname "$0")/.."
go test -count=1 ./conformance -run 'Test(Generated|LaidOut|EveryTool|Suite|Embedded)$' -update
go test -count=1 ./cmd/hookbridge ./auggie ./claude ./cline ./cursor ./qoder ./codex ./copilot ./gemini ./opencode ./grok ./qwen ./codebuddy ./kimi ./droid ./pi -run 'Test(Readme|Reference|Guides|Pages|ManPage|Schemas|ExampleVectors)' -update
exec go test -count=1 ./schema -run TestPacked -update
