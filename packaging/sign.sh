#!/bin/sh
# Signs a release by HOOKBRIDGE_SIGNING_KEY: its list of checksums, and its provenance, which it writes to
# CHECKSUMS.intoto.json: from which commit, with what and by whom each file in the list was built, as an in-toto statement
# with SLSA's predicate. Both are one step because goreleaser writes the list anew in front of each.
#
#   packaging/sign.sh CHECKSUMS TAG COMMIT
set -eu
sums=$1 tag=$2 commit=$3 out=$1.intoto.json
. "$(dirname "$0")/home.env"
[ -n "$URL" ] || homeless sign.sh
builder=$URL/blob/$tag/scripts/release
[ -z "${GITHUB_WORKFLOW_REF:-}" ] || builder=$GITHUB_SERVER_URL/$GITHUB_WORKFLOW_REF
{
	printf '{"_type": "https://in-toto.io/Statement/v1",\n "predicateType": "https://slsa.dev/provenance/v1",\n "subject": ['
	awk '{ printf "%s\n  {\"name\": \"%s\", \"digest\": {\"sha256\": \"%s\"}}", (NR > 1 ? "," : ""), $2, $1 }' "$sums"
	cat <<END
],
 "predicate": {
  "buildDefinition": {
   "buildType": "$URL/blob/$tag/docs/releasing.md",
   "externalParameters": {"repository": "$URL", "tag": "$tag"},
   "internalParameters": {"go": "$(go env GOVERSION)"},
   "resolvedDependencies": [{"uri": "git+$URL@refs/tags/$tag", "digest": {"gitCommit": "$commit"}}]},
  "runDetails": {"builder": {"id": "$builder"}}}}
END
} > "$out"
for file in "$sums" "$out"; do
	rm -f "$file.sig"
	ssh-keygen -q -Y sign -f "$HOOKBRIDGE_SIGNING_KEY" -n hookbridge-release "$file"
done
