#!/bin/sh
# Asks Open Policy Agent about every tool call. Without an answer, or with an undefined
# one, the call is denied: a policy that isn't loaded must not allow anything.
deny() {
	echo "$1" >&2
	exit 2
}
url=${OPA_URL:-http://127.0.0.1:8181}/v1/data/hookbridge/answer
answer=$({ printf '{"input":' && cat && printf '}'; } |
	curl -s --fail --noproxy '*' --max-time 5 -H 'Content-Type: application/json' --data-binary @- "$url") ||
	deny "The policy server doesn't answer, so no tool call is allowed."
case $answer in
*'"result":{"hookSpecificOutput":{'*'}}'*) ;;
*) deny "The policy gives no answer for this call, so it isn't allowed." ;;
esac
answer=${answer#*'"result":'}
printf '%s\n' "${answer%'}'}"
