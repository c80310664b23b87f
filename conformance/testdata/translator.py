#!/usr/bin/env python3
"""What a hook for Claude Code answers before a tool runs, in Cursor's words: a translator in 30 lines.

hookbridge conformance --impl 'python3 conformance/testdata/translator.py' --run 'reply/claude-to-cursor/pre-tool-use-*'
"""
import json
import sys


def translate(request):
    if (request["op"], request["from"][:6], request["to"][:6], request.get("event")) != ("reply", "claude", "cursor", "PreToolUse"):
        return {"skip": "only answers to PreToolUse"}
    said, out, lost = request["input"], {}, []
    mine = said.get("hookSpecificOutput", {})
    word, reason = mine.get("permissionDecision"), mine.get("permissionDecisionReason", "")
    if word in ("ask", "defer"):  # Cursor does not ask here
        word, lost = "deny", [("HB203", "note")]
    if word:
        out = {"permission": word, "user_message": reason, "agent_message": reason}
    if "updatedInput" in mine:
        out["updated_input"] = mine["updatedInput"]
    if "additionalContext" in mine:
        out["additional_context"] = mine["additionalContext"]
    if said.get("continue") is False:
        lost.append(("HB209", "weaker"))
    if "systemMessage" in said:
        lost.append(("HB210", "note"))
    return {"output": out, "diagnostics": [{"code": c, "severity": s, "path": ""} for c, s in lost]}


for line in sys.stdin:
    print(json.dumps(translate(json.loads(line))), flush=True)
