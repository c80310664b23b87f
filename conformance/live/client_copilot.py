"""Runs the real GitHub Copilot CLI (prompt mode) against a scripted stand-in for an OpenAI-compatible model provider.

`COPILOT_OFFLINE` and a provider of one's own need no login. What the hooks did is read from what the model is
sent next and from the client's own record of the session (events.jsonl and `--output-format json`).
"""
import itertools
import json
import os
import pathlib
import re
from http.server import BaseHTTPRequestHandler

from session import Server

ISOLATED = True  # it starts in a network namespace even without root
PACKAGES = ("copilot-linux-x64", "copilot-linux-arm64")
# Sourced by the shell that a tool call becomes, and by no other: notes the command as it was really started.
BASH_ENV = """unset BASH_ENV
if [ -n "$COPILOT_AGENT_SESSION_ID" ] && [ -z "$COPILOT_HOOK_DIR" ]; then
    printf '%s\\0' copilot "$BASH_EXECUTION_STRING" "$(printf '\\001')" >> {log}
fi
"""
# How the result of a refused call begins; the rest are the hook's own words
REFUSED = (r"Denied by preToolUse hook(?: \(unable to ask user for confirmation\))?: |Denied by user via preToolUse hook prompt: |"
           r"Permission denied by a PermissionRequest hook: ")
GUIDANCE = r'Tool "[^"]*" (?:succeeded|failed)\. Additional guidance from postToolUse(?:Failure)? hooks:\n'
BLOCKED = "Tool result blocked: "
BEFORE = "Additional context from preToolUse hook:\n"
STAMP = r"<current_datetime>[^<]*</current_datetime>\n\n"


def patch(path, head, old, new):
    lines = ["*** Begin Patch", "*** %s File: %s" % (head, path)] + (["@@"] if head == "Update" else [])
    return "\n".join(lines + ["-" + l for l in old.splitlines()] + ["+" + l for l in new.splitlines()] + ["*** End Patch", ""])


def to_copilot(step, session, offered=()):
    """A neutral step as the client's own tool call; which tools it has depends on the model's name."""
    tool = step["tool"]
    if tool == "call":
        return step["name"], step["input"]
    if tool == "shell":
        return "bash", {"command": step["command"], "description": "step", **step.get("input", {})}
    if tool == "mcp":
        return "%s-%s" % (step.get("server", "hb"), step["name"]), step.get("input", {})
    if tool == "agent":
        return "task", {"name": "helper", "description": "step", "prompt": step["prompt"], "agent_type": step.get("agent", "explore"),
                        "mode": "sync", **step.get("input", {})}
    path = session.path(step.get("path", ""))
    if tool == "grep":
        return "rg" if "rg" in offered else "grep", {"pattern": step["pattern"], "paths": path, "output_mode": "content"}
    if tool == "read":
        return "view", {"path": path}
    if "apply_patch" in offered:
        return "apply_patch", {"input": patch(path, "Add", "", step["content"]) if tool == "write" else patch(path, "Update", step["old"], step["new"])}
    if tool == "write":
        return "create", {"path": path, "file_text": step["content"]}
    return "edit", {"path": path, "old_str": step["old"], "new_str": step["new"]}


class Model:
    """The scripted model: one step per request; what follows a `say` is only asked for after a follow-up.

    The steps of an `agent` step are the sub-agent's; its requests are known by a header."""

    def __init__(self, session):
        self.s, self.ids = session, itertools.count(1)
        self.moves, self.sub = [], []
        for steps, say in session.turns:
            self.moves += [(out, step) for out, step in steps] + [(None, {"say": say})]
        self.open, self.calls, self.main = None, {}, []

    def reply(self, body, headers):
        with self.s.lock:
            self.s.requests.append(body)
            if not body.get("tools"):  # titles and the like
                return {"content": "{}"}
            if headers.get("x-interaction-type") == "conversation-subagent":
                out, move = self.sub.pop(0) if self.sub else (None, {"say": "done"})
                return {"content": move["say"]} if "say" in move else self.call(out, move)
            self.main.append(body["messages"])
            self.finish()
            out, move = self.moves.pop(0) if self.moves else (None, {"say": "done"})
            if "say" in move:
                self.s.stopped()
                return {"content": move["say"]}
            if move["tool"] == "agent":
                out["steps"] = [{"tool": s["tool"]} for s in move.get("steps", []) if "say" not in s]
                outs = iter(out["steps"])
                self.sub = [(None if "say" in s else next(outs), s) for s in move.get("steps", [])]
            self.open = out
            self.s.begin(out)
            out["_before"] = self.s.mark[0]
            return self.call(out, move)

    def call(self, out, move):
        offered = {t.get(t.get("type"), {}).get("name") for t in self.s.requests[-1]["tools"]}
        name, args = to_copilot(move, self.s, offered)
        call = "call_live%04d" % next(self.ids)
        self.calls[call] = out, move
        return {"content": None, "tool_calls": [{"index": 0, "id": call, "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}]}

    def finish(self):
        if self.open is not None:
            self.s.end(self.open)
            self.open = None


def handler(model):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *a):
            pass

        def send(self, status, data, kind="application/json"):
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self):
            self.send(404, b'{"error":{"message":"mock"}}')

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            if not self.path.endswith("/chat/completions"):
                return self.do_GET()
            fail = model.s.scenario.get("model_error")  # an HTTP status in place of every answer
            if fail:
                return self.send(fail, b'{"error":{"message":"mock refuses"}}')
            message = {"role": "assistant", **model.reply(body, self.headers)}
            base = {"id": "chatcmpl-live", "created": 1, "model": body.get("model", "mock")}
            why = "tool_calls" if message.get("tool_calls") else "stop"
            used = model.s.scenario.get("tokens", 10)
            usage = {"prompt_tokens": used, "completion_tokens": 5, "total_tokens": used + 5}
            if not body.get("stream"):
                choice = {"index": 0, "message": message, "finish_reason": why}
                return self.send(200, json.dumps({**base, "object": "chat.completion", "choices": [choice], "usage": usage}).encode())
            chunks = [{"choices": [{"index": 0, "delta": message, "finish_reason": None}]},
                      {"choices": [{"index": 0, "delta": {}, "finish_reason": why}], "usage": usage}]
            lines = [json.dumps({**base, "object": "chat.completion.chunk", **c}) for c in chunks] + ["[DONE]"]
            self.send(200, "".join("data: %s\n\n" % l for l in lines).encode(), "text/event-stream")

    return Handler


def binary(clients):
    for name in PACKAGES:
        package = pathlib.Path(clients) / "copilot" / "node_modules" / "@github" / name
        if (package / "copilot").exists():
            return str(package / "copilot"), json.loads((package / "package.json").read_text())["version"]
    raise SystemExit("live: the Copilot CLI is not installed in %s; run setup" % clients)


def run(session):
    if os.environ.get("HOOKBRIDGE_LIVE_NET") != "loopback":  # it is offline by its own word; this makes sure
        raise SystemExit("live: copilot only runs in a network namespace of its own, and `unshare` does not work here")
    exe, version = binary(session.clients_dir)
    model = Model(session)
    mcp, bash_env = session.state / "mcp.json", session.state / "bash_env"
    mcp.write_text(json.dumps({"mcpServers": {n: {"type": "stdio", "tools": ["*"], **s} for n, s in session.mcp_servers().items()}}))
    bash_env.write_text(BASH_ENV.format(log="'%s'" % session.shell_log))
    argv = [exe, "-p", session.scenario.get("prompt", "go"), "--output-format", "json", "--no-auto-update", "--no-color", "--bash-env=on",
            "--disable-builtin-mcps", "--additional-mcp-config", "@%s" % mcp, "--log-dir", str(session.state / "logs")]
    settings = session.home / ".copilot" / "config.json"
    if session.scenario.get("trust", True) and not settings.exists():
        settings.parent.mkdir(exist_ok=True)
        settings.write_text(json.dumps({"trustedFolders": [str(session.project), str(session.folder)]}))
    allow = session.scenario.get("allow")
    argv += ["--allow-all-tools"] if allow is None else ["--allow-tool=" + a for a in allow]
    argv += session.scenario.get("args", [])
    with Server(handler(model)) as server:
        env = session.environ({
            "COPILOT_OFFLINE": "true", "COPILOT_PROVIDER_BASE_URL": server.url + "/v1", "COPILOT_MODEL": "mock", "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_PKG_CACHE_HOME": str(pathlib.Path(session.clients_dir).resolve() / "copilot" / "cache"), "BASH_ENV": str(bash_env)})
        code, stdout, stderr = session.run(argv, env)
    with session.lock:
        model.finish()
    return report(session, model, version, code, stdout, stderr)


def json_lines(text):
    """The JSON objects of a text, one a line; a client that was ended may leave half a line."""
    for line in filter(None, text.split("\n")):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record


def text_of(content):
    return content if isinstance(content, str) else "".join(b.get("text", "") for b in content or [])


def written(session, out, step, path, shown):
    """What a write or edit put into its file: what is there afterwards, unless a later hook changed it again."""
    rel = os.path.relpath(path, session.project)
    found, before = (seen.get(rel, (0, 0, b""))[2].decode("utf8", "replace") for seen in (out["_after"], out["_before"]))
    text = step["content"] if out["tool"] == "write" else before.replace(step["old"], step["new"], 1)
    added = [l[1:] for l in shown.splitlines() if l.startswith("+") and not l.startswith("+++ ")]
    if [l for l in added if l] != [l for l in text.splitlines() if l in added and l]:
        text = found
    if rel in out["changed"]:
        out["_after"][rel] = (0, 0, text.encode())
    return text


def ended(session, out, step, done, messages):
    """Fill in a step from the client's record of the call and from what the model got: the result and what hooks put after it."""
    error, text = done.get("error") or {}, text_of(messages[0]["content"]) if messages else None
    out["denied"] = error.get("code") in ("denied", "rejected")
    out["ran"] = bool(done.get("success"))
    out.setdefault("context", [])
    if out["denied"]:
        out["reason"] = re.sub("^(?:%s)" % REFUSED, "", error.get("message", ""))
    for m in messages[1:]:
        if m["role"] != "user":
            break
        said = re.sub("^" + STAMP, "", text_of(m["content"]))
        found = re.match(r"(?:%s|%s)(.*)" % (re.escape(BEFORE), GUIDANCE), said, re.S)
        out["context"] += [found[1]] if found else []
    if text is None:
        return
    found = re.search(r"\n\n%s(.*)" % GUIDANCE, text, re.S)
    if found:
        out["context"].append(found[1])
        text = text[:found.start()]
    if text.startswith(BLOCKED):
        out["context"].append(text[len(BLOCKED):])
    if out["tool"] == "shell" and done.get("shellExecution"):
        out["exit_code"] = done["shellExecution"].get("exitCode")
        text = re.sub(r"\n?<shellId: \S+ completed with exit code -?\d+>$", "", text)
    shown = (done.get("result") or {}).get("detailedContent") or ""
    path = re.search(r"^\+\+\+ b(.*)$", shown, re.M)
    if path and out["tool"] == "read":
        out["input_as_run"] = {"path": path[1]}
    elif path and out["tool"] in ("write", "edit") and "_before" in out:
        out["input_as_run"] = {"path": path[1], "content": written(session, out, step, path[1], shown)}
    out["result"] = text


def report(session, model, version, code, stdout, stderr):
    spoken = list(json_lines(stdout))
    recorded = [e for f in session.home.glob(".copilot/session-state/*/events.jsonl") for e in json_lines(f.read_text())]
    done, users = {}, []
    for e in recorded:
        if e["type"] == "tool.execution_complete":
            done[e["data"]["toolCallId"]] = e["data"]
        elif e["type"] == "user.message" and not e.get("agentId"):
            users.append(e["data"]["content"])
    for call, (out, step) in model.calls.items():  # the first request that has the result of the call
        heard = [b["messages"] for b in session.requests for m in b["messages"] if m.get("tool_call_id") == call][:1]
        after = [ms[i:] for ms in heard for i, m in enumerate(ms) if m.get("tool_call_id") == call]
        if out is not None and call in done:
            ended(session, out, step, done[call], after[0] if after else [])

    first = [text_of(m["content"]) for m in (model.main or [[]])[0] if m["role"] == "user"]
    said = re.sub("^" + STAMP, "", first[-1]) if first else ""
    prompt = {"blocked": not model.main, "context": re.findall(r"<system_reminder>\n(.*?)\n</system_reminder>", said, re.S)}
    if said and not said.startswith(session.scenario.get("prompt", "go")):
        prompt["as_sent"] = said
    for e in spoken:
        if e["type"] == "session.warning" and e["data"].get("warningType") == "policy_blocked":
            prompt["reason"] = e["data"]["message"]
        elif e["type"] == "assistant.message" and not model.main:  # a hook answered in the model's place
            prompt["reason"] = e["data"]["content"]
        elif e["type"] in ("session.warning", "session.error", "hook.progress"):
            session.warnings.append(e["data"].get("message"))
    session.followups += users[1:]
    session.warnings[:] = dict.fromkeys(session.warnings + [l for l in stderr.splitlines() if l.strip()] + notes(session))
    session.requests += recorded if session.raw else []
    status = code if code in ("timeout", "max_turns") else "finished" if code == 0 else "error"
    return {"version": version, "prompt": prompt, "session_context": first[:-1], "exit": status, "exit_detail": code}


def notes(session):
    """What the client's log says about hooks, apart from what it says in every session."""
    lines = [l for f in (session.state / "logs").glob("*.log") for l in f.read_text(errors="replace").splitlines()]
    found = [m[1] for m in (re.match(r"\S+ \[(?:WARNING|ERROR)\] (.*)", l) for l in lines) if m]
    usual = r"Loading repo hooks in prompt mode|.*Failed to reload managed hooks|\[rust:hooks\] Hook warning: "
    return [re.sub(r"^\[rust:hooks\] ", "", l) for l in found if re.search(r"hook", l, re.I) and not re.match(usual, l)]
