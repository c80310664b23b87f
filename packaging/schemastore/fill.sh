#!/bin/sh
# Writes the entries for the catalog of SchemaStore to stdout: a list, whose elements go into src/api/json/catalog.json
# of its repository in the order of their names.
#
#   packaging/schemastore/fill.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../home.env"
[ -n "$URL" ] || homeless fill.sh
sed "s|@URL@|$URL|g" "$here/catalog.json.in"
