"""Runs the real CodeBuddy Code CLI (print mode, `-p`) against a scripted stand-in for a chat-completions provider of the user's own.

A model of one's own in `models.json` needs no login. What the hooks did is read from what the model is sent next.
"""
import itertools
import json
import os
import pathlib
import re
import shutil
from http.server import BaseHTTPRequestHandler

import session as sessions
from session import Server

ISOLATED = True  # it starts in a network namespace even without root
sessions.MISSING.setdefault("codebuddy", ("delete", "agent", "raw", None))
MODEL = "mock"
PACKAGE = pathlib.Path("codebuddy", "node_modules", "@tencent-ai", "agent-sdk", "cli")
QUIET = {k: "1" for k in ("DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING", "CODEBUDDY_DISABLE_AUTO_MEMORY", "CODEBUDDY_DISABLE_CRON")}


def to_codebuddy(step, session):
    """A neutral step as the client's own tool call."""
    tool = step["tool"]
    if tool == "call":
        return step["name"], step["input"]
    if tool == "shell":
        return "Bash", {"command": step["command"], "description": "step"}
    if tool == "mcp":
        return "mcp__%s__%s" % (step.get("server", "hb"), step["name"]), step.get("input", {})
    path = session.path(step.get("path", ""))
    if tool == "grep":
        return "Grep", {"pattern": step["pattern"], "path": path, "output_mode": "content"}
    if tool == "read":
        return "Read", {"file_path": path}
    if tool == "write":
        return "Write", {"file_path": path, "content": step["content"]}
    return "Edit", {"file_path": path, "old_string": step["old"], "new_string": step["new"]}


def text_of(content):
    return content if isinstance(content, str) else "".join(b.get("text", "") for b in content or [] if isinstance(b, dict))


class Model:
    """The scripted model: one step per request; what follows a `say` is only asked for after a follow-up."""

    def __init__(self, session):
        self.s, self.ids, self.moves = session, itertools.count(1), []
        for steps, say in session.turns:
            self.moves += [(out, step) for out, step in steps] + [(None, {"say": say})]
        self.open, self.calls, self.main = None, {}, []

    def reply(self, body):
        with self.s.lock:
            self.s.requests.append(body)
            if "Bash" not in {(t.get("function") or t).get("name") for t in body.get("tools") or []}:  # titles, prompt hooks and the like
                return {"content": self.s.scenario.get("summary", "{}")}
            self.main.append(body["messages"])
            self.finish()
            out, move = self.moves.pop(0) if self.moves else (None, {"say": "done"})
            if "say" in move:
                self.s.stopped()
                return {"content": move["say"]}
            self.open = out
            self.s.begin(out)
            out["_before"] = self.s.mark[0]
            name, args = to_codebuddy(move, self.s)
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
            self.send(404, b'{"error": {"message": "mock"}}')

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            if not self.path.endswith("/chat/completions"):
                return self.do_GET()
            fail = model.s.scenario.get("model_error")  # an HTTP status in place of every answer
            if fail:
                return self.send(fail, b'{"error": {"message": "mock refuses"}}')
            message = {"role": "assistant", **model.reply(body)}
            base = {"id": "chatcmpl-live", "created": 1, "model": body.get("model", MODEL)}
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


def command(session):
    clients = pathlib.Path(session.clients_dir).resolve()
    package, node = clients / PACKAGE, clients / "node" / "node_modules" / "node" / "bin" / "node"
    node = str(node) if node.exists() else shutil.which("node")
    if not (package / "package.json").exists() or not node:
        raise SystemExit("live: CodeBuddy Code or its node is not installed in %s; run setup" % clients)
    return [node, str(package / "bin" / "codebuddy")], json.loads((package / "package.json").read_text())["version"]


def run(session):
    if os.environ.get("HOOKBRIDGE_LIVE_NET") != "loopback":
        raise SystemExit("live: codebuddy only runs in a network namespace of its own, and `unshare` does not work here")
    argv, version = command(session)
    model, scenario = Model(session), session.scenario
    with Server(handler(model)) as server:
        own = session.home / ".codebuddy" / "models.json"
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text(json.dumps({"models": [{"id": MODEL, "name": MODEL, "vendor": "x", "url": server.url + "/v1/chat/completions", "apiKey": "dummy",
                                               "supportsToolCall": True, "maxInputTokens": 200000, "maxOutputTokens": 4000}], "availableModels": [MODEL]}))
        mcp = session.state / "mcp.json"
        mcp.write_text(json.dumps({"mcpServers": session.mcp_servers()}))
        argv += ["-p", "--output-format", "stream-json", "--model", MODEL, "--permission-mode", scenario.get("mode", "bypassPermissions"), "--mcp-config", str(mcp)]
        argv += scenario.get("args", []) + [scenario.get("prompt", "go")]
        env = session.environ({**QUIET, "CODEBUDDY_API_KEY": "dummy"})
        env = {k: v for k, v in env.items() if v != ""}  # a scenario takes a variable away with ""
        code, stdout, stderr = session.run(argv, env)
    with session.lock:
        model.finish()
    return report(session, model, version, code, stdout, stderr)


CONTEXT = re.compile(r"\n?<system-reminder data-role=\"tool-hint\">(.*?)</system-reminder>", re.S)
HOOKS = re.compile(r"<system-reminder data-role=\"hook\">(.*?)</system-reminder>", re.S)
FRAME = re.compile(r"Command: .*?\nStdout: (.*)\nStderr: (.*)\nExit Code: (-?\d+|\(none\))\nSignal: .*", re.S)
DENIED = "Error: "


def written(session, out, path, args):
    """What a write or edit put into its file, as long as no hook changed the file again."""
    rel = os.path.relpath(path, session.project)
    before = out["_before"].get(rel, (0, 0, b""))[2].decode("utf8", "replace")
    text = args["content"] if "content" in args else before.replace(args.get("old_string", ""), args.get("new_string", ""), 1)
    if rel in out["changed"]:
        out["_after"][rel] = (0, 0, text.encode())
    return text


def ended(session, out, step, text, failed):
    """Fill in a step from what the model got: the result with what hooks put behind it."""
    args = to_codebuddy(step, session)[1]
    out["context"] = CONTEXT.findall(text)
    text = CONTEXT.sub("", text)
    frame = FRAME.fullmatch(text)
    out["ran"] = not failed
    out["denied"] = text.startswith(DENIED) and not (out["_shell"] or out["_mcp"])
    if out["denied"]:
        out["ran"], out["reason"] = False, text[len(DENIED):]
    elif frame and out["tool"] == "shell":
        texts = [t for t in frame.groups()[:2] if t != "(empty)"]
        out["exit_code"], text = int(frame[3]) if frame[3].lstrip("-").isdigit() else None, "".join(texts)
    if out["tool"] == "read" and out["ran"]:
        out["input_as_run"] = {"path": args["file_path"]}
    elif out["tool"] in ("write", "edit") and os.path.relpath(args["file_path"], session.project) in out["changed"]:
        out["ran"] = True
        out["input_as_run"] = {"path": args["file_path"], "content": written(session, out, args["file_path"], args)}
    out["result"] = text


def report(session, model, version, code, stdout, stderr):
    spoken, failed = [], {}
    for line in filter(None, stdout.split("\n")):
        try:
            spoken.append(json.loads(line))
        except ValueError:
            session.warnings.append(line)
    for e in spoken:
        for b in (e.get("message") or {}).get("content") or [] if isinstance(e.get("message"), dict) else []:
            if isinstance(b, dict) and b.get("type") == "tool_result":
                failed[b.get("tool_use_id")] = bool(b.get("is_error"))
    for call, (out, step) in model.calls.items():
        heard = [m for b in session.requests for m in b.get("messages", []) if m.get("tool_call_id") == call][:1]
        if heard:
            ended(session, out, step, text_of(heard[0].get("content")), failed.get(call, False))
        out.pop("_before", None)
    first = " ".join(text_of(m.get("content")) for m in (model.main or [[]])[0] if m["role"] == "user")
    session.followups += [text_of(m.get("content")) for ms in model.main[-1:] for before, m in zip(ms, ms[1:]) if m["role"] == "user" and before["role"] == "assistant"]
    session.warnings[:] = dict.fromkeys(session.warnings + [l for l in stderr.splitlines() if l.strip()])
    if session.raw:
        session.requests += spoken
    status = code if code in ("timeout", "max_turns") else "finished" if code == 0 else "error"
    return {"version": version, "prompt": {"blocked": not model.main, "context": HOOKS.findall(first)}, "session_context": [], "exit": status, "exit_detail": code}
