"""Runs the real Gemini CLI (headless, `-p`) against a scripted stand-in for the Gemini API.

What the run needs is laid under the scenario's user settings (a system-defaults file would be the place for it, but the
client takes none from under a directory that others may write to, such as /tmp). `bash`, which the client looks up on PATH for its shell tool and for
its hooks, is the session's wrapper: the tool's commands are told apart by the frame that the client puts around them.
"""
import fcntl
import html
import itertools
import json
import os
import pathlib
import pty
import re
import select
import shutil
import struct
import subprocess
import termios
import time
from http.server import BaseHTTPRequestHandler

from session import Server

PACKAGE = pathlib.Path("gemini", "node_modules", "@google", "gemini-cli")
MODEL = "gemini-2.5-flash"  # a fixed model: "auto" would ask the model first which one to use
CONTEXT = re.compile(r"<hook_context>(.*?)</hook_context>", re.S)
NOTE = re.compile(r"\n\n\[System\] Tool input parameters (?:\(.*?\) )?were modified by a hook before execution\.")
FOUND = re.compile(r"\[WARNING\] WARNING: The following project-level hooks have been detected.*?and remove them\.\n|"
                   r"WARNING: The following project-level hooks have been detected.*?and remove them\.\n", re.S)
USUAL = ("YOLO mode is enabled.", "Ripgrep is not available.", "Warning: Basic terminal detected ", "Warning: 256-color support not detected.",
         "Error executing tool ", "(Use `node --trace-warnings ", "[STARTUP] ", "Hook execution for ", "[WARNING] Hook(s) [")
DEFAULTS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False}, "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    "ide": {"enabled": False}, "model": {"name": MODEL}, "tools": {"shell": {"enableInteractiveShell": False}}}


def to_gemini(step, session):
    """A neutral step as the client's own tool call."""
    tool = step["tool"]
    if tool == "call":
        return step["name"], step["input"]
    if tool == "shell":
        return "run_shell_command", {"command": step["command"], "description": "step"}
    if tool == "mcp":
        return "mcp_%s_%s" % (step.get("server", "hb"), step["name"]), step.get("input", {})
    path = session.path(step.get("path", ""))
    if tool == "grep":
        return "grep_search", {"pattern": step["pattern"], "dir_path": path}
    if tool == "read":
        return "read_file", {"file_path": path}
    if tool == "write":
        return "write_file", {"file_path": path, "content": step["content"]}
    return "replace", {"file_path": path, "instruction": "step", "old_string": step["old"], "new_string": step["new"]}


def parts_of(content):
    return [p for p in content.get("parts") or [] if isinstance(p, dict)]


def text_of(parts):
    return "".join(p["text"] for p in parts if "text" in p)


def contexts_of(text):
    return [html.unescape(c) for c in CONTEXT.findall(text)]


class Model:
    """The scripted model: one step per request; what follows a `say` is only asked for after a follow-up."""

    def __init__(self, session):
        self.s, self.ids = session, itertools.count(1)
        self.moves = []
        for steps, say in session.turns:
            self.moves += [(out, step) for out, step in steps] + [(None, say)]
        self.open, self.calls, self.asked, self.said, self.last = None, {}, 0, False, []
        self.prompt, self.models, self.selections = [], [], []

    def reply(self, body, model):
        """The parts of the answer to one request of the agent."""
        with self.s.lock:
            self.s.requests.append({"model": model, **body})
            if not any("functionDeclarations" in t for t in body.get("tools") or []):  # summaries and the like
                return [{"text": self.s.scenario.get("summary", "{}")}]
            self.finish()
            last = (body.get("contents") or [{}])[-1]
            self.asked += 1
            self.models.append(model)
            self.selections.append((body.get("toolConfig") or {}).get("functionCallingConfig"))
            if self.asked == 1:
                self.prompt = parts_of(last)
            elif self.said:
                self.s.followups.append(text_of(p for p in parts_of(last) if not CONTEXT.fullmatch(p.get("text", "")) and not
                                                p.get("text", "").startswith("<session_context>")))
            self.results(parts_of(last))
            self.last = [p["text"] for p in parts_of(last) if "text" in p]
            out, move = self.moves.pop(0) if self.moves else (None, "done")
            self.said = out is None
            if out is None:
                self.s.stopped()
                return [{"text": move}]
            name, args = to_gemini(move, self.s)
            call = "live%04d" % next(self.ids)
            self.open, self.calls[call] = out, out
            self.s.begin(out)
            out["_before"] = self.s.mark[0]
            out["_name"], out["_args"] = name, args
            return [{"functionCall": {"id": call, "name": name, "args": args}}]

    def results(self, parts):
        """What the model is told about its calls: {"output"} or {"error"}, hook context behind it."""
        beside = [p["text"] for p in parts if "text" in p]
        for p in parts:
            answer = p.get("functionResponse")
            out = self.calls.get(answer.get("id")) if answer else None
            if out is not None and "_answer" not in out:
                out["_answer"], out["_beside"] = answer.get("response", {}), beside

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
            self.send(404, b'{"error": {"code": 404, "message": "mock", "status": "NOT_FOUND"}}')

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            found = re.search(r"/models/([^/:]+):(\w+)", self.path)
            if not found or found[2] not in ("generateContent", "streamGenerateContent", "countTokens"):
                return self.do_GET()
            if found[2] == "countTokens":
                return self.send(200, b'{"totalTokens": 10}')
            parts = model.reply(body, found[1])
            used = model.s.scenario.get("tokens", 10)
            chunk = {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}], "modelVersion": found[1],
                     "responseId": "live", "usageMetadata": {"promptTokenCount": used, "candidatesTokenCount": 5, "totalTokenCount": used + 5}}
            if found[2] == "generateContent":
                return self.send(200, json.dumps(chunk).encode())
            chunks = [chunk]
            words = parts[0].get("text") if len(parts) == 1 else None
            if words and model.s.scenario.get("stream") and len(words) > 1:  # a say in two pieces
                half = len(words) // 2
                first = {"candidates": [{"content": {"role": "model", "parts": [{"text": words[:half]}]}, "index": 0}], "modelVersion": found[1]}
                chunk["candidates"][0]["content"]["parts"] = [{"text": words[half:]}]
                chunks = [first, chunk]
            self.send(200, "".join("data: %s\r\n\r\n" % json.dumps(c) for c in chunks).encode(), "text/event-stream")

    return Handler


def command(session):
    clients = pathlib.Path(session.clients_dir).resolve()
    package, node = clients / PACKAGE, clients / "node" / "node_modules" / "node" / "bin" / "node"
    node = str(node) if node.exists() else shutil.which("node")
    if not (package / "package.json").exists() or not node:
        raise SystemExit("live: the Gemini CLI or its node is not installed in %s; run setup" % clients)
    return [node, str(package / "bundle" / "gemini.js")], json.loads((package / "package.json").read_text())["version"]


def transcript(session):
    """The tool calls that the client recorded, by call id."""
    calls = {}
    for f in session.home.glob(".gemini/tmp/*/chats/*.json*"):
        text = f.read_text(errors="replace")
        records = []
        for line in [text] if f.suffix == ".json" else text.split("\n"):
            try:
                records.append(json.loads(line))
            except ValueError:
                pass

        def walk(x):
            if isinstance(x, dict):
                if isinstance(x.get("id"), str) and "status" in x and "args" in x:
                    calls[x["id"].rsplit("__", 1)[-1]] = x
                x = list(x.values())
            if isinstance(x, list):
                for v in x:
                    walk(v)
        walk(records)
    return calls


def under(low, high):
    """`high` laid over `low`, objects key by key."""
    if not (isinstance(low, dict) and isinstance(high, dict)):
        return high
    return {**low, **{k: under(low[k], v) if k in low else v for k, v in high.items()}}


def settle_settings(session):
    file = session.home / ".gemini" / "settings.json"
    servers = {name: {**server, "trust": True} for name, server in session.mcp_servers().items()}
    try:
        own = json.loads(file.read_text()) if file.exists() else {}
    except ValueError:
        session.warnings.append("live: the user settings are not JSON, the run may lack what it needs")
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(under({**DEFAULTS, "mcpServers": servers}, own), indent=1))


def run(session):
    argv, version = command(session)
    model = Model(session)
    settle_settings(session)
    dialogs = "answer" in session.scenario
    argv += ["-i" if dialogs else "-p", session.scenario.get("prompt", "go"), "--output-format", "text",
             "--approval-mode", session.scenario.get("mode", "default" if dialogs else "yolo")] + session.scenario.get("args", [])
    with Server(handler(model)) as server:
        env = session.environ({
            "GOOGLE_GEMINI_BASE_URL": server.url, "GEMINI_API_KEY": "dummy-key", "GEMINI_CLI_NO_RELAUNCH": "1",
            "GEMINI_CLI_SYSTEM_SETTINGS_PATH": str(session.state / "none" / "settings.json"), "GEMINI_CLI_TRUST_WORKSPACE": "true"})
        env = {k: v for k, v in env.items() if v != ""}  # a scenario takes a variable away with ""
        env["PATH"] = "%s:%s" % (session.state / "bin", env["PATH"])
        code, stdout, stderr = Terminal(session, model, argv, env).run() if dialogs else session.run(argv, env)
    with session.lock:
        model.finish()
    return report(session, model, version, code, stdout, stderr)


class Terminal:
    """The interactive client in a pseudo-terminal: its permission dialogs are answered, and it is asked to quit once it rests."""

    REST = 3  # seconds without a request, a hook or a tool

    def __init__(self, session, model, argv, env):
        self.s, self.model = session, model
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        session.proc = subprocess.Popen(argv, cwd=session.folder, env={**env, "TERM": "xterm-256color"}, stdin=slave, stdout=slave, stderr=slave,
                                        start_new_session=True)
        os.close(slave)
        self.text, self.proc = "", session.proc

    def read(self, seconds):
        """Take in what the client shows for a while; False once it has gone."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if select.select([self.master], [], [], 0.05)[0]:
                try:
                    self.text += os.read(self.master, 65536).decode("utf8", "replace")
                except OSError:
                    return False
            if self.proc.poll() is not None:
                return False
        return True

    def shown(self, since):
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07", "", self.text[since:])

    def busy(self):
        """Something runs below the client other than the MCP server."""
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                if parent == self.proc.pid and b"mcp_hb.py" not in (entry / "cmdline").read_bytes():
                    return True
            except (OSError, ValueError, IndexError):
                pass
        return False

    def type(self, text):
        for c in text:  # all at once would be taken for a paste
            os.write(self.master, c.encode())
            self.read(0.05)
        self.read(0.5)
        os.write(self.master, b"\r")

    def run(self):
        key = b"\r" if self.s.scenario["answer"] == "allow" else b"\x1b"
        until, last, seen, mark, answered = time.monotonic() + self.s.scenario.get("timeout", 60), time.monotonic(), None, 0, None
        while self.read(0.1) and time.monotonic() < until:
            state = (self.model.asked, id(self.model.open))
            if state != seen:
                seen, mark, last = state, len(self.text), time.monotonic()
            elif self.busy():
                last = time.monotonic()
            elif self.model.open is not None and re.search(r"1\. (Allow once|Yes)", self.shown(mark)):
                self.read(0.5)
                os.write(self.master, key)
                self.model.open["_refused"] = key != b"\r"
                self.read(0.5)
                answered, mark, last = state, len(self.text), time.monotonic()
            elif time.monotonic() - last > (self.REST if self.model.said or answered == state else 4 * self.REST):
                self.type("/quit")
                until = min(until, time.monotonic() + 5)  # its exit hooks are through by then, but not always the client itself
                while self.read(0.2) and (time.monotonic() < until or self.busy()):
                    pass
                self.s.reap()
                os.close(self.master)
                return "max_turns" if self.s.over else 0, "", ""
        late = self.proc.poll() is None
        self.s.reap()
        os.close(self.master)
        return "max_turns" if self.s.over else "timeout" if late else self.proc.returncode, "", ""


def reason_of(text):
    return re.sub(r"^(Tool execution blocked|Tool result blocked|Agent execution (stopped|blocked)( by hook)?): ", "", text).strip()


def ended(session, out, recorded):
    """Fill in a step from the result that the model got, or else from what the client recorded."""
    out.pop("_name", None)
    refused = out.pop("_refused", False)
    args = out.pop("_args", {})
    answer, beside, told = out.pop("_answer", None), out.pop("_beside", []), True
    if answer is None:
        told = False
        if refused:  # the turn ends with it
            out.update(ran=False, denied=True, reason="refused in the dialog")
            return
        answer = ((recorded.get("result") or [{}])[0].get("functionResponse") or {}).get("response") if recorded else None
    if answer is None:
        return
    failed, text = "error" in answer, answer.get("error", answer.get("output", ""))
    text = text if isinstance(text, str) else json.dumps(text)
    out["denied"] = failed and bool(re.match(r"Tool execution blocked: |Agent execution stopped by hook: |Tool execution denied|Tool execution for .* denied", text))
    if out["denied"] and out["_shell"] + out["_mcp"]:  # stopped after it ran
        out["denied"] = False
    if out["denied"]:
        out["reason"] = reason_of(text)
    out["ran"] = not failed
    context = contexts_of(text) + [c for t in beside for c in contexts_of(t)]
    text = re.sub(r"(\n\n)?" + CONTEXT.pattern, "", text, flags=re.S)
    text = re.sub(r"^<untrusted_context>\n(.*?)\n</untrusted_context>", r"\1", text, flags=re.S)
    if failed and re.match(r"Tool result blocked: ", text):
        out["ran"], context = True, [reason_of(text)] + context
    changed = NOTE.search(text) or next((m for m in map(NOTE.search, beside) if m), None)
    if changed:
        text = NOTE.sub("", text)
    out["context"] = context
    if out["tool"] == "shell" and not out["denied"]:
        code = re.search(r"^Exit Code: (\d+)$", text, re.M)
        if re.match(r"Output: ", text):
            out["exit_code"] = int(code[1]) if code else 0
            text = re.sub(r"\n(Exit Code: \d+|Process Group PGID: \d+|Background PIDs: [\d, ]+)$", "", re.sub(r"\nProcess Group PGID: \d+$", "", text))
            text = text.removeprefix("Output: ")
    used = (recorded or {}).get("args") or args
    if out["tool"] in ("read", "grep", "call") and out["ran"]:
        out["input_as_run"] = {"path": session.path(used["file_path"])} if out["tool"] == "read" and "file_path" in used else used
    elif out["tool"] in ("write", "edit") and (out["ran"] or os.path.relpath(session.path(used.get("file_path", "")), session.project) in out["changed"]):
        path, out["ran"] = session.path(used.get("file_path", "")), True  # an AfterTool hook may have taken the result away
        out["input_as_run"] = {"path": path, "content": written(session, out, path, used)}
    out["result"] = text if told else None


def written(session, out, path, used):
    """What a write or edit put into its file, as long as no hook changed the file again."""
    rel = os.path.relpath(path, session.project)
    before = out["_before"].get(rel, (0, 0, b""))[2].decode("utf8", "replace")
    text = used["content"] if "content" in used else before.replace(used.get("old_string", ""), used.get("new_string", ""), 1)
    if rel in out["changed"]:
        out["_after"][rel] = (0, 0, text.encode())
    return text


def report(session, model, version, code, stdout, stderr):
    recorded = transcript(session)
    for call, out in model.calls.items():
        ended(session, out, recorded.get(call))
        out.pop("_before", None)
    texts = [p["text"] for p in model.prompt if "text" in p]
    at = next((i for i, t in enumerate(texts) if not CONTEXT.fullmatch(t) and not t.startswith("<session_context>")), len(texts))  # the prompt
    prompt = {"blocked": model.asked == 0, "context": [c for t in texts[at:] if CONTEXT.fullmatch(t) for c in contexts_of(t)]}
    start = next((m for m in (re.match(CONTEXT.pattern + r"\n\n", t, re.S) for t in texts) if m), None)
    lines = [l for l in FOUND.sub("", stderr).splitlines() if l.strip()]
    said = next((l for l in lines if re.match(r"(\[WARNING\] )?Agent execution (stopped|blocked): ", l)), None)
    if prompt["blocked"]:
        prompt["reason"] = reason_of(re.sub(r"^\[WARNING\] ", "", said or "")) or None
    session.warnings += list(dict.fromkeys(l for l in lines if not l.startswith(USUAL) and "MaxListenersExceededWarning" not in l))
    status = code if code in ("timeout", "max_turns") else "finished" if code == 0 else "error"
    result = {"version": version, "prompt": prompt, "session_context": [c for t in texts[:at] + ([start[0]] if start else []) if not t.startswith("<session_context>") for c in contexts_of(t)], "exit": status, "exit_detail": code}
    result["answer"] = stdout.strip()
    if set(model.models) - {MODEL}:
        result["models"] = model.models
    if any(model.selections):
        result["selections"] = model.selections
    return result
