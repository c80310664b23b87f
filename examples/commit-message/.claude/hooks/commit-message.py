#!/usr/bin/env python3
"""Holds commit messages to a form: a hook as one writes it for Claude Code. It knows nothing of hookbridge."""
import json
import shlex
import sys

command = json.load(sys.stdin)["tool_input"].get("command", "")
try:
    words = shlex.split(command)
except ValueError:
    sys.exit(0)
if words[:2] != ["git", "commit"]:
    sys.exit(0)
for flag, text in zip(words, words[1:]):
    if flag in ("-m", "--message", "-am"):
        subject = text.split("\n")[0]
        if len(subject) > 72 or subject.endswith(".") or ": " not in subject:
            print(json.dumps({"hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": "write the subject as 'area: what changes', at most 72 characters, no period",
            }}))
        break
