#!/bin/sh
# Builds the OpenTelemetry collector that the test of log --format otlp asks, with the
# collector's own builder from its core modules, into DIR, and prints its path.
#
#   scripts/collector.sh DIR
set -eu
dir=${1:?usage: scripts/collector.sh DIR}
version=v0.162.0
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
if [ ! -x "$dir/collector" ]; then
	GOBIN=$dir GOFLAGS= go install go.opentelemetry.io/collector/cmd/builder@$version >&2
	cat >"$dir/build.yaml" <<END
dist: {name: collector, output_path: $dir/src}
receivers: [{gomod: go.opentelemetry.io/collector/receiver/otlpreceiver $version}]
exporters: [{gomod: go.opentelemetry.io/collector/exporter/debugexporter $version}]
END
	GOFLAGS= "$dir/builder" --config "$dir/build.yaml" >&2
	mv "$dir/src/collector" "$dir/collector"
fi
echo "$dir/collector"
