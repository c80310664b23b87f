#!/usr/bin/env python3
"""Keeps the agent's hands off secrets: a hook as one writes it for Claude Code. It knows nothing of hookbridge."""
import json
import re
import sys

SECRET = re.compile(r"(^|[/\s'\"=])(\.env(\.\w+)?|id_(rsa|ed25519)|[\w.-]+\.pem|credentials\.json)($|[\s'\"])")

call = json.load(sys.stdin)
given = call["tool_input"]
if SECRET.search(given.get("file_path") or given.get("command") or ""):
    print("this names a file with secrets; work with .example files instead", file=sys.stderr)
    sys.exit(2)
