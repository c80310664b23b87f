#!/bin/sh
# Builds the OPA that the example's test asks, into DIR, and prints its path.
#
#   scripts/opa.sh DIR
set -eu
dir=${1:?usage: scripts/opa.sh DIR}
mkdir -p "$dir"
[ -x "$dir/opa" ] || GOBIN=$(cd "$dir" && pwd) GOFLAGS= go install github.com/open-policy-agent/opa@v1.22.2 >&2
echo "$dir/opa"
