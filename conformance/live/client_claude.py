"""Runs the real Claude Code client (print mode) against a scripted stand-in for the Messages API."""
import itertools
import json
import pathlib
import re
from http.server import BaseHTTPRequestHandler

from session import Server

PACKAGES = ("claude-code-linux-x64", "claude-code-linux-arm64")
ALLOW = ["Bash", "Read", "Write", "Edit", "Skill", "mcp__hb"]


def to_claude(step, session):
    """A neutral step as the client's own tool call."""
    tool = step["tool"]
    if "skill" in step:  # whose text has the command
        return "Skill", {"skill": step["skill"]}
    if tool == "shell":
        return "Bash", {"command": step["command"], "description": "step"}
    if tool == "mcp":
        return "mcp__%s__%s" % (step.get("server", "hb"), step["name"]), step.get("input", {})
    if tool == "call":
        return step["name"], step["input"]
    path = session.path(step["path"])
    if tool == "read":
        return "Read", {"file_path": path}
    if tool == "write":
        return "Write", {"file_path": path, "content": step["content"]}
    return "Edit", {"file_path": path, "old_string": step["old"], "new_string": step["new"]}


class Model:
    """The scripted model: one step per request; what follows a `say` is only asked for after a follow-up."""

    def __init__(self, session):
        self.s, self.ids = session, itertools.count(1)
        self.moves = []
        for steps, say in session.turns:
            self.moves += [(out, step) for out, step in steps] + [(None, say)]
        self.open, self.calls = None, {}

    def reply(self, body):
        with self.s.lock:
            self.s.requests.append(body)
            if not body.get("tools"):  # titles and the like
                return [{"type": "text", "text": "{}"}], "end_turn"
            self.finish()
            out, move = self.moves.pop(0) if self.moves else (None, "done")
            if out is None:
                self.s.stopped()
                return [{"type": "text", "text": move}], "end_turn"
            name, args = to_claude(move, self.s)
            call = "toolu_live%04d" % next(self.ids)
            self.open, self.calls[call], out["step"] = out, out, move
            self.s.begin(out)
            return [{"type": "tool_use", "id": call, "name": name, "input": args}], "tool_use"

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
            if self.command != "HEAD":
                self.wfile.write(data)

        def do_GET(self):
            self.send(404, b'{"type":"error","error":{"type":"not_found_error","message":"mock"}}')

        do_HEAD = do_GET

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            path = self.path.split("?")[0]
            if path.endswith("/count_tokens"):
                return self.send(200, b'{"input_tokens": 10}')
            if not path.endswith("/v1/messages"):
                return self.do_GET()
            content, why = model.reply(body)
            message = {"id": "msg_live", "type": "message", "role": "assistant", "model": body.get("model", "mock"), "content": content,
                       "stop_reason": why, "stop_sequence": None, "usage": {"input_tokens": 10, "output_tokens": 5}}
            if not body.get("stream"):
                return self.send(200, json.dumps(message).encode())
            events = [{"type": "message_start", "message": dict(message, content=[], stop_reason=None)}]
            for i, c in enumerate(content):
                text = c["type"] == "text"
                empty = {"type": "text", "text": ""} if text else dict(c, input={})
                delta = {"type": "text_delta", "text": c["text"]} if text else {"type": "input_json_delta", "partial_json": json.dumps(c["input"])}
                events += [{"type": "content_block_start", "index": i, "content_block": empty},
                           {"type": "content_block_delta", "index": i, "delta": delta}, {"type": "content_block_stop", "index": i}]
            events += [{"type": "message_delta", "delta": {"stop_reason": why, "stop_sequence": None}, "usage": {"output_tokens": 5}},
                       {"type": "message_stop"}]
            self.send(200, "".join("event: %s\ndata: %s\n\n" % (e["type"], json.dumps(e)) for e in events).encode(), "text/event-stream")

    return Handler


def binary(clients):
    for name in PACKAGES:
        package = pathlib.Path(clients) / "claude" / "node_modules" / "@anthropic-ai" / name
        if (package / "claude").exists():
            return str(package / "claude"), json.loads((package / "package.json").read_text())["version"]
    raise SystemExit("live: Claude Code is not installed in %s; run setup" % clients)


def hook_commands(session):
    """Every hook command of the scenario; the client quotes them as "[COMMAND]: " before some reasons."""
    found = []

    def walk(x):
        if isinstance(x, dict):
            found.extend([x["command"]] if isinstance(x.get("command"), str) else [])
            x = list(x.values())
        if isinstance(x, list):
            for v in x:
                walk(v)
    for base in (session.project, session.home):
        for f in base.glob(".claude/settings*.json"):
            try:
                walk(json.loads(f.read_text()))
            except ValueError:
                pass
    return found


def reason_of(text, commands):
    text = re.sub(r"^(PreToolUse|PostToolUse|PostToolUseFailure|UserPromptSubmit)(:\S+)? hook (blocking )?error: ?", "", text)
    for c in commands:
        if text.startswith("[%s]: " % c):
            text = text[len(c) + 4:]
    return text.strip()


def text_of(content):
    return content if isinstance(content, str) else "".join(b.get("text", "") for b in content or [])


def json_lines(text):
    """The JSON objects of a text, one a line; a client that was ended may leave half a line."""
    for line in filter(None, text.split("\n")):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record


def transcript(session):
    for f in session.home.glob(".claude/projects/*/*.jsonl"):
        yield from json_lines(f.read_text())


def run(session):
    exe, version = binary(session.clients_dir)
    key = "dummy-key-0000000000"
    (session.home / ".claude.json").write_text(json.dumps({
        "hasCompletedOnboarding": True, "customApiKeyResponses": {"approved": [key[-20:]], "rejected": []},
        "projects": {str(session.folder): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}}}))
    model = Model(session)
    mcp = session.state / "mcp.json"
    mcp.write_text(json.dumps({"mcpServers": session.mcp_servers()}))
    argv = [exe, "-p", session.scenario.get("prompt", "go"), "--output-format", "stream-json", "--verbose", "--permission-mode", "default",
            "--mcp-config", str(mcp), "--strict-mcp-config"]
    allow = session.scenario.get("allow", ALLOW)
    argv += (["--allowedTools", ",".join(allow)] if allow else []) + session.scenario.get("args", [])
    with Server(handler(model)) as server:
        env = session.environ({
            "ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": key, "IS_SANDBOX": "1", "ENABLE_TOOL_SEARCH": "false",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1", "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_TMPDIR": str(session.state / "tmp")})
        code, stdout, stderr = session.run(argv, env)
    with session.lock:
        model.finish()
    return report(session, model, version, code, stdout, stderr)


def skill_texts(requests):
    """The texts of the skills that the model was shown, without the line above them."""
    bodies = [r["messages"] for r in requests if r.get("tools")]
    texts = [b.get("text", "") for m in (bodies or [[]])[-1] if m["role"] == "user" and isinstance(m["content"], list) for b in m["content"]]
    return [t.split("\n", 1)[-1].strip() for t in texts if t.startswith("Base directory for this skill: ")]


def report(session, model, version, code, stdout, stderr):
    events = list(json_lines(stdout))
    commands = hook_commands(session)
    seen = json.dumps([r.get("messages") for r in session.requests], ensure_ascii=False)
    session_context, prompt_context = [], []
    skills = iter(skill_texts(session.requests))

    for e in events:  # how each call ended
        meta = {m["id"]: m for m in e.get("tool_result_meta", [])}
        for b in e.get("message", {}).get("content", []) if e.get("type") == "user" else []:
            out = model.calls.get(b.get("tool_use_id")) if isinstance(b, dict) else None
            if out is None:
                continue
            how, detail, text = meta.get(b["tool_use_id"], {}), e.get("tool_use_result"), text_of(b.get("content"))
            out["denied"] = how.get("permission_decision", {}).get("decision") == "reject"
            out["ran"] = not b.get("is_error") and "non_execution_kind" not in how
            if out["denied"]:
                out["reason"] = reason_of(text, commands)
            failed = re.match(r"Exit code (\d+)\n?", text) if b.get("is_error") else None
            if out["tool"] == "shell" and (failed or not b.get("is_error")):
                out["exit_code"], text = (int(failed[1]), text[failed.end():]) if failed else (0, text)
            if "skill" in out["step"]:
                shown = next(skills, "")
                kept = re.search(r"\[not run: blocked by hook: (.*)\]", shown, re.S)
                out["denied"], out["ran"], text = bool(kept), not kept, shown
                if kept:
                    out["reason"] = reason_of(kept[1], commands)
                    out.pop("exit_code", None)
            if isinstance(detail, dict) and out["tool"] == "read":
                out["input_as_run"] = {"path": detail.get("file", {}).get("filePath")}
            elif isinstance(detail, dict) and out["tool"] in ("write", "edit"):
                written = detail.get("content")
                if out["tool"] == "edit" and detail.get("originalFile") is not None:
                    written = detail["originalFile"].replace(detail["oldString"], detail["newString"], -1 if detail.get("replaceAll") else 1)
                out["input_as_run"] = {"path": detail.get("filePath"), "content": written}
            out["result"] = text
            out.setdefault("context", [])

    for record in transcript(session):  # what hooks added, and where
        a = record.get("attachment") or {}
        kind = a.get("type", "")
        text = text_of(record.get("message", {}).get("content")) if record.get("type") == "user" else ""
        if text.startswith("Stop hook feedback:\n"):
            session.followups.append(reason_of(text.split("\n", 1)[1], commands))
        if kind == "hook_additional_context":
            texts = a["content"]
        elif kind == "hook_success" and a.get("content"):
            texts = [a["content"]]
        elif kind == "hook_blocking_error":
            texts = [reason_of(a["blockingError"]["blockingError"], commands)]
        else:
            continue
        out = model.calls.get(a.get("toolUseID"))
        texts = [t for t in texts if json.dumps(t, ensure_ascii=False)[1:-1] in seen]
        if out is not None and "context" in out:
            out["context"] += [t for t in texts if kind != "hook_blocking_error" or not out["denied"]]
        elif a.get("hookEvent") == "SessionStart":
            session_context += texts
        elif a.get("hookEvent") == "UserPromptSubmit":
            prompt_context += texts
        elif a.get("hookEvent") == "Stop" and kind == "hook_additional_context":
            session.followups += texts

    final = next((e for e in events if e.get("type") == "result"), {})
    asked = any(r.get("tools") for r in session.requests)
    prompt = {"blocked": not asked, "context": prompt_context}
    if not asked:
        said = (final.get("result") or stderr).removesuffix("\n\nOriginal prompt: " + session.scenario.get("prompt", "go"))
        prompt["reason"] = reason_of(re.sub(r"^(UserPromptSubmit operation blocked by hook:\n|Operation stopped by hook: )", "", said), commands)
    session.warnings += [l for l in stderr.splitlines() if l.strip()]
    status = code if code in ("timeout", "max_turns") else "finished" if code == 0 else "error"
    return {"version": version, "prompt": prompt, "session_context": session_context, "exit": status, "exit_detail": code}
