"""Runs the real OpenCode (`opencode serve`, the engine below its terminal, desktop and web clients, or `opencode run`) against a scripted
stand-in for an OpenAI-compatible model provider.

OpenCode has no command hooks but JavaScript plugins. A scenario's `recorders` are plugins of the harness that note every hook's input and
output and then do what `plan` says (opencode_rec.mjs); `files` may hold plugins of its own. Two more plugins, the probes, are loaded first and
last: a tool call that only the first one saw was refused by a plugin between them.
"""
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler

from session import Server

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = ("opencode-linux-x64", "opencode-linux-arm64")
NAME, CONFIG_DIR, ENV, SCHEMA = "opencode", ".opencode", "OPENCODE_", "https://opencode.ai/config.json"  # what a fork has otherwise
PROVIDER, MODEL = "mock", "mock"
REST = 1.2  # seconds without a request, an event or a process of a plugin: the session has come to an end
# Stands in for $SHELL; the shell tool starts `$SHELL -c COMMAND`
WRAPPER = """#!/bin/sh
case "$(readlink /proc/$PPID/exe)" in
*/{client}) if [ $# = 2 ] && [ "$1" = -c ]; then printf '%s\\0' tool "$2" "$(printf '\\001')" >> {log}; fi ;; # not hookbridge, for a hook
esac
exec {bash} "$@"
"""
# Runs the recorder hook under the event's name as its label
BY_EVENT = """import json, subprocess, sys
data = sys.stdin.buffer.read()
sys.exit(subprocess.run([sys.executable, {hookrec!r}, {state!r}, json.loads(data)["hook_event_name"]], input=data).returncode)
"""
REFUSED = re.compile(r"The user rejected permission to use this specific tool call|The user has specified a rule which prevents you from using")


def to_opencode(step, session):
    """A neutral step as the client's own tool call."""
    tool = step["tool"]
    if tool == "call":
        return step["name"], step["input"]
    if tool == "shell":
        return "bash", {"command": step["command"], "description": "step", **step.get("input", {})}
    if tool == "mcp":
        return "%s_%s" % (step.get("server", "hb"), step["name"]), step.get("input", {})
    if tool == "agent":
        return "task", {"description": "step", "prompt": step["prompt"], "subagent_type": step.get("agent", "general"), **step.get("input", {})}
    path = session.path(step.get("path", ""))
    if tool == "grep":
        return "grep", {"pattern": step["pattern"], "path": path}
    if tool == "read":
        return "read", {"filePath": path}
    if tool == "write":
        return "write", {"filePath": path, "content": step["content"]}
    return "edit", {"filePath": path, "oldString": step["old"], "newString": step["new"]}


def text_of(content):
    return content if isinstance(content, str) else "\n".join(p.get("text", "") for p in content or [])


def texts_of(content):
    return [content] if isinstance(content, str) else [p.get("text", "") for p in content or [] if p.get("type") == "text"]


class Model:
    """The scripted model: one step per request; what follows a `say` is only asked for after a follow-up.

    The steps of an `agent` step are the sub-agent's; its requests are known by a header."""

    def __init__(self, session):
        self.s, self.ids = session, itertools.count(1)
        self.moves, self.sub = [], []
        for steps, say in session.turns:
            self.moves += [(out, step) for out, step in steps] + [(None, {"say": say})]
        self.open, self.calls, self.main, self.said, self.moved = None, {}, [], False, time.monotonic()
        self.results = {}

    def reply(self, body, headers):
        with self.s.lock:
            self.moved = time.monotonic()
            self.s.requests.append(body)
            if not body.get("tools"):  # titles, compaction
                return {"content": self.s.scenario.get("summary", "summary")}
            self.heard(body["messages"])
            if headers.get("x-parent-session-id"):
                out, move = self.sub.pop(0) if self.sub else (None, {"say": "done"})
                return {"content": move["say"]} if "say" in move else self.call(out, move)
            self.finish()
            if self.said:
                last = [m for m in body["messages"] if m["role"] == "user"][-1:]
                self.s.followups += [text_of(m["content"]) for m in last]
            self.main.append(body["messages"])
            out, move = self.moves.pop(0) if self.moves else (None, {"say": "done"})
            self.said = "say" in move
            if self.said:
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
        name, args = to_opencode(move, self.s)
        call = "call_live%04d" % next(self.ids)
        self.calls[call] = out, move
        calls = [(call, name, args)] + [("call_live%04d" % next(self.ids), *to_opencode(m, self.s)) for m in move.get("also", [])]
        return {"content": move.get("say_first"), "tool_calls": [
            {"index": i, "id": c, "type": "function", "function": {"name": n, "arguments": json.dumps(a)}} for i, (c, n, a) in enumerate(calls)]}

    def heard(self, messages):
        """What the model was told about each call, the first time."""
        for m in messages:
            if m["role"] == "tool":
                self.results.setdefault(m["tool_call_id"], text_of(m["content"]))

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
            if self.path == "/page":  # something to fetch
                return self.send(200, b"<html><body><p>fetched</p></body></html>", "text/html")
            self.send(404, b'{"error":{"message":"mock"}}')

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            if not self.path.endswith("/chat/completions"):
                return self.do_GET()
            fail = model.s.scenario.get("model_error")  # an HTTP status in place of every answer
            if fail:
                return self.send(fail, b'{"error":{"message":"mock refuses"}}')
            message = {"role": "assistant", **model.reply(body, self.headers)}
            base = {"id": "chatcmpl-live", "object": "chat.completion.chunk", "created": 1, "model": body.get("model", "mock")}
            used = model.s.scenario.get("tokens", 10)
            usage = {"prompt_tokens": used, "completion_tokens": 5, "total_tokens": used + 5}
            calls, words, chunks = message.pop("tool_calls", None), message.get("content"), []
            if words:
                chunks.append({"choices": [{"index": 0, "delta": {"role": "assistant", "content": words}, "finish_reason": None}]})
            if calls:
                chunks.append({"choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": calls}, "finish_reason": None}]})
            chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls else "stop"}], "usage": usage})
            lines = [json.dumps({**base, **c}) for c in chunks] + ["[DONE]"]
            self.send(200, "".join("data: %s\n\n" % l for l in lines).encode(), "text/event-stream")

    return Handler


def binary(clients):
    for name in PACKAGES:
        package = pathlib.Path(clients).resolve() / NAME / "node_modules" / name
        if (package / "bin" / NAME).exists():
            return str(package / "bin" / NAME), json.loads((package / "package.json").read_text())["version"]
    raise SystemExit("live: %s is not installed in %s; run setup" % (NAME, clients))


class Api:
    """The client's own HTTP server, and the events that it sends."""

    def __init__(self, url, before=None):
        self.url, self.events, self.moved = url, before.events if before else [], time.monotonic()
        self.stream = urllib.request.urlopen(url + "/event")
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        try:
            for line in self.stream:
                if line.startswith(b"data: "):
                    event = json.loads(line[6:])
                    if event.get("type") not in ("server.heartbeat", "server.connected") and "properties" in event:
                        self.moved = time.monotonic()
                        self.events.append(event)
        except (OSError, ValueError, AttributeError):
            pass

    def call(self, path, body=None, timeout=60):
        """The answer, or {"_error": ..}."""
        request = urllib.request.Request(self.url + path, None if body is None else json.dumps(body).encode(), {"content-type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as e:
            return {"_error": e.read().decode("utf8", "replace") or str(e)}
        except (OSError, ValueError) as e:
            return {"_error": str(e)}

    def idle(self, session):
        """The last status of a session that the client told of."""
        for e in reversed(self.events):
            if e["type"] == "session.status" and e["properties"]["sessionID"] == session:
                return e["properties"]["status"]["type"] == "idle"
        return True


def lay_out(session, url, probe):
    """The provider and the MCP server, the recorders, and what spares the client its `npm install`."""
    servers = {n: {"type": "local", "command": [s["command"]] + s["args"], "enabled": True} for n, s in session.mcp_servers().items()}
    limit, model = session.scenario.get("window", 100000), session.scenario.get("model", MODEL)
    config = {"$schema": SCHEMA, "model": PROVIDER + "/" + model, "small_model": PROVIDER + "/" + model, "autoupdate": False,
              "share": "disabled", "enabled_providers": [PROVIDER], "mcp": servers, "lsp": False, "formatter": False,
              "provider": {PROVIDER: {"npm": "@ai-sdk/openai-compatible", "name": "Mock", "options": {"baseURL": url + "/v1", "apiKey": "dummy"},
                                      "models": {model: {"name": "Mock", "tool_call": True, "limit": {"context": limit, "output": 1000}}}}}}
    if probe:
        config["plugin"] = [(session.state / "probe_first.js").as_uri()]
    (session.state / "config.json").write_text(json.dumps(config))
    for path, label in session.scenario.get("recorders", {}).items():
        base = session.home if path.startswith("~/") else session.project
        session._place(base / path.removeprefix("~/"), recorder(session, label))
    if "shim" in session.scenario:
        session._place(session.project / CONFIG_DIR / "plugin" / "hookbridge.js", shim(session, session.scenario["shim"]))
    for which in ("first", "last") if probe else ():
        (session.state / ("probe_%s.js" % which)).write_text(recorder(session, which, "probe"))
    if session.scenario.get("git"):
        subprocess.run(["git", "init", "-q", str(session.project)], env={**os.environ, "HOME": str(session.home)}, check=True)
    if session.scenario.get("deps", True):
        for d in (session.project / CONFIG_DIR, session.home / CONFIG_DIR, session.home / ".config" / NAME):
            if d.exists() or d.parent.name == ".config":
                spare(d)
    rg = next(pathlib.Path(session.clients_dir).resolve().glob(NAME + "/node_modules/@vscode/ripgrep-linux-*/bin/rg"), None)
    if rg:  # what the client would download at its first search
        (session.home / ".cache" / NAME / "bin").mkdir(parents=True, exist_ok=True)
        (session.home / ".cache" / NAME / "bin" / "rg").symlink_to(rg)
    session.first = session.snapshot()


def spare(directory):
    """Nothing to install: the client's plugin package counts as there."""
    want = dict.fromkeys(("@opencode-ai/plugin", "@kilocode/plugin"), "*")
    (directory / "node_modules").mkdir(parents=True, exist_ok=True)
    for name, text in ((".gitignore", "node_modules\n"), ("package-lock.json", json.dumps({"packages": {"": {"dependencies": want}}}))):
        if not (directory / name).exists():
            (directory / name).write_text(text)


def shim(session, spec):
    """The bridge's plugin, with the lines that `install` would write. Its command is the recorder, the event its label, if not told otherwise."""
    starter = session.state / "by_event.py"
    starter.write_text(BY_EVENT.format(hookrec=str(HERE / "hookrec.py"), state=str(session.state)))
    command = shlex.split(spec["command"]) if "command" in spec else [sys.executable, str(starter)]
    lines = {"command": "const COMMAND = %s" % json.dumps(command), "events": "const EVENTS = %s" % json.dumps(spec.get("events"))}
    if "options" in spec:
        lines["options"] = "const OPTIONS = %s" % json.dumps({"timeout": 600000, "failClosed": False, "stop": "idle", **spec["options"]})
    text = (HERE / "shim-opencode" / "hookbridge.js").read_text()
    for name, line in lines.items():
        text = re.sub(r"(?m)^const .*// hookbridge:%s\b.*$" % name, lambda m: line, text)
    return text


def recorder(session, label, how="recorder"):
    return "import { %s } from %s\nexport const Recorder = %s(%s, %s)\n" % (
        how, json.dumps((HERE / "opencode_rec.mjs").as_uri()), how, json.dumps(str(session.state)), json.dumps(label))


def environment(session, probe):
    off = ("DISABLE_MODELS_FETCH", "DISABLE_AUTOUPDATE", "DISABLE_LSP_DOWNLOAD", "DISABLE_EMBEDDED_WEB_UI", "DISABLE_DEFAULT_PLUGINS",
           "EXPERIMENTAL_DISABLE_FILEWATCHER", "DISABLE_SESSION_INGEST")
    more = {"CONFIG": str(session.state / "config.json"), **dict.fromkeys(off, "1")}
    if probe:
        more["CONFIG_CONTENT"] = json.dumps({"$schema": SCHEMA, "plugin": [(session.state / "probe_last.js").as_uri()]})
    env = session.environ({ENV + name: value for name, value in more.items()})
    return {k: v for k, v in env.items() if v != ""}  # a scenario takes a variable away with ""


def children(pid):
    """What runs below the client other than the MCP server."""
    below, seen = {pid}, []
    entries = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            stat = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            entries.append((int(entry.name), int(stat[1]), stat[0], entry))
        except (OSError, ValueError, IndexError):
            pass
    for _ in range(4):
        for own, parent, state, entry in entries:
            if parent in below and own not in below:
                below.add(own)
                try:
                    line = (entry / "cmdline").read_bytes()
                except OSError:
                    continue
                if state != "Z" and b"mcp_hb.py" not in line and line:
                    seen.append(line)
    return seen


def running(pid):
    """The client itself has something to do: its main thread runs or waits for a processor."""
    try:
        return pathlib.Path("/proc/%d/stat" % pid).read_text().rsplit(")", 1)[1].split()[0] == "R"
    except (OSError, IndexError):
        return False


class Serve:
    """`opencode serve`, led by its HTTP interface as the terminal client leads it."""

    def __init__(self, session, model, exe, env):
        self.s, self.model, self.sid, self.prompt_error = session, model, None, None
        self.until = time.monotonic() + session.scenario["timeout"]
        self.exe, self.env, self.api = exe, env, None
        self.answered, self.starts = set(), 0

    def start(self):
        self.logs = self.s.state / "client.out", self.s.state / "client.err"
        profile = self.s.home / ".bash_profile"
        profile.write_text("export PATH=%s\n" % shlex.quote(self.env["PATH"]))
        with open(self.logs[0], "a") as out, open(self.logs[1], "a") as err:
            self.s.proc = subprocess.Popen([self.exe, "serve", "--port", "0", "--hostname", "127.0.0.1"] + self.s.scenario.get("args", []), cwd=self.s.folder,
                                           env=self.env, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
        while time.monotonic() < self.until and self.s.proc.poll() is None:
            found = re.findall(r"listening on (http://\S+)", self.logs[0].read_text(errors="replace"))
            if len(found) > self.starts:
                self.starts, self.api = len(found), Api(found[-1], self.api)
                return True
            time.sleep(0.05)
        return False

    def dialogs(self):
        """Answer what the client asks the user."""
        how = self.s.scenario.get("answer", "reject")
        for e in list(self.api.events):
            if e["type"] == "permission.asked" and e["properties"]["id"] not in self.answered:
                self.answered.add(e["properties"]["id"])
                time.sleep(self.s.scenario.get("answer_after", 0.2))
                self.api.call("/permission/%s/reply" % e["properties"]["id"], {"reply": "once" if how == "allow" else how})

    def rest(self, worker=None):
        """Wait until the session is idle and nothing of a plugin runs any more."""
        last = time.monotonic()
        while time.monotonic() < self.until and self.s.proc.poll() is None:
            self.dialogs()
            busy = (worker and worker.is_alive()) or not self.api.idle(self.sid) or children(self.s.proc.pid) or running(self.s.proc.pid)
            last = max(time.monotonic() if busy else last, self.api.moved, self.model.moved)
            if time.monotonic() - last > self.s.scenario.get("rest", REST):
                return True
            time.sleep(0.05)
        return False

    def do(self, path, body):
        """Send something to the session and wait for the end of what it starts."""
        answers = []
        worker = threading.Thread(target=lambda: answers.append(self.api.call("/session/%s/%s" % (self.sid, path), body, timeout=300)), daemon=True)
        worker.start()
        done = self.rest(worker)
        answer = answers[0] if answers else {}
        if isinstance(answer, dict) and "_error" in answer and self.s.proc.poll() is None:
            self.s.warnings.append("%s: %s" % (path, answer["_error"]))
        return done, answer

    def prompt(self, text):
        model = {"providerID": PROVIDER, "modelID": self.s.scenario.get("model", MODEL)}
        body = {"model": model, "parts": [{"type": "text", "text": text}], **({"agent": self.s.scenario["agent"]} if "agent" in self.s.scenario else {})}
        return self.do("message", body)

    def then(self, step):
        model = {"providerID": PROVIDER, "modelID": self.s.scenario.get("model", MODEL)}
        if "prompt" in step:
            self.model.said = False
            return self.prompt(step["prompt"])
        if "command" in step:
            self.model.said = False
            return self.do("command", {"command": step["command"], "arguments": step.get("arguments", ""), "model": "%s/%s" % (PROVIDER, self.s.scenario.get("model", MODEL))})
        if "shell" in step:
            return self.do("shell", {"agent": "build", "model": model, "command": step["shell"]})
        what = step["do"]
        if what == "compact":
            self.model.said = False
            return self.do("summarize", model)
        if what == "new":
            self.sid = self.create()
        elif what == "fork":
            self.sid = (self.api.call("/session/%s/fork" % self.sid, {}) or {}).get("id", self.sid)
        elif what == "resume":
            self.stop()
            self.start()
        else:
            raise SystemExit("live: unknown `then`: " + json.dumps(step))
        return True, None

    def create(self):
        return self.api.call("/session", {} if self.s.scenario.get("title") is False else {"title": "live"}).get("id")

    def stop(self):
        """Dispose of the instance, as the terminal client does when it quits; its plugins' `dispose` hooks run after the answer."""
        before = len(self.api.events)
        self.api.call("/instance/dispose", {}, timeout=20)
        until = time.monotonic() + 5
        while time.monotonic() < until and not any(e["type"] == "server.instance.disposed" for e in self.api.events[before:]):
            time.sleep(0.05)
        while time.monotonic() < until and children(self.s.proc.pid):
            time.sleep(0.05)
        self.s.proc.terminate()
        try:
            self.s.proc.wait(3)
        except subprocess.TimeoutExpired:
            self.s.proc.kill()

    def run(self):
        if not self.start():
            self.s.reap()
            return self.s.proc.returncode, *(p.read_text(errors="replace") for p in self.logs)
        self.sid = self.create()
        if not self.sid:
            self.s.warnings.append("live: no session")
            self.s.reap()
            return "error", *(p.read_text(errors="replace") for p in self.logs)
        done, answer = self.prompt(self.s.scenario.get("prompt", "go"))
        if isinstance(answer, dict) and "_error" in answer:
            self.prompt_error = answer["_error"]
        for step in self.s.scenario.get("then", []):
            if done:
                done, _ = self.then(step)
        dead = self.s.proc.poll() is not None
        code = "max_turns" if self.s.over else self.s.proc.returncode if dead else 0 if done else "timeout"
        if not dead:
            self.stop()
        self.s.reap()
        return code, *(p.read_text(errors="replace") for p in self.logs)


def run(session):
    exe, version = binary(session.clients_dir)
    session.scenario.setdefault("timeout", 150)
    model = Model(session)
    probe = session.scenario.get("probe", True)
    wrapper = session.state / "bin" / "bash"
    wrapper.write_text(WRAPPER.format(client=NAME, log=shlex.quote(str(session.shell_log)), bash=shutil.which("bash") or "/bin/bash"))
    with Server(handler(model)) as server:
        session.names["{MODEL}"] = server.url
        for _, step in model.moves:  # the page that a step may fetch
            step.update(json.loads(json.dumps(step).replace("{MODEL}", server.url)))
        lay_out(session, server.url, probe)
        env = environment(session, probe)
        headless = session.scenario.get("mode") == "run"
        if headless:
            argv = [exe, "run", "--format", "json"] + ([] if session.scenario.get("title") is False else ["--title", "live"])
            code, stdout, stderr = session.run(argv + session.scenario.get("args", []) + [session.scenario.get("prompt", "go")], env)
            events, error = [{"type": e.get("type"), "properties": e} for e in json_lines(stdout)], None
            error = next((e["properties"]["error"] for e in events if e["type"] == "error"), None)
        else:
            serve = Serve(session, model, exe, env)
            code, stdout, stderr = serve.run()
            events, error = serve.api.events if serve.api else [], serve.prompt_error
    with session.lock:
        model.finish()
    return report(session, model, version, code, events, error, stderr)


def json_lines(text):
    for line in filter(None, text.split("\n")):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record


def ended(session, out, part, result, seen):
    """Fill in a step from the client's record of the call, from what the model got, and from what the probe saw."""
    state = (part or {}).get("state", {})
    error = state.get("error", "")
    out["ran"] = state.get("status") == "completed"
    effect = bool(out.get("_shell") or out.get("_mcp") or out.get("changed"))
    out["denied"] = bool(state.get("status") == "error" and not effect and (REFUSED.match(error) or ("before" in (seen or {}) and "used" not in seen)))
    if out["denied"]:
        out["reason"] = error
    args = (seen or {}).get("used") or state.get("input") or {}
    if out["ran"] and out["tool"] in ("read", "grep", "call", "agent"):
        out["input_as_run"] = {"path": args["filePath"]} if out["tool"] == "read" and "filePath" in args else args
    if out["tool"] in ("write", "edit") and (out["ran"] or out.get("changed")) and "_before" in out:
        path = args.get("filePath", "")
        out["ran"] = True
        out["input_as_run"] = {"path": path, "content": written(session, out, path, args)}
    if out["tool"] == "shell" and state.get("status") == "completed":
        out["exit_code"] = (state.get("metadata") or {}).get("exit")
    out["result"] = result
    # what plugins put after or in place of the tool's own words
    after = (seen or {}).get("after") or {}
    own, last = after.get("first"), after.get("last")
    changed = result is not None and own is not None and last is not None and last != own
    out["context"] = [last[len(own):].strip("\n") if last.startswith(own) else last] if changed else []


def written(session, out, path, args):
    """What a write or edit put into its file, as long as no hook changed the file again."""
    rel = os.path.relpath(os.path.join(session.project, path), session.project)
    before = out["_before"].get(rel, (0, 0, b""))[2].decode("utf8", "replace")
    text = args["content"] if "content" in args else before.replace(args.get("oldString", ""), args.get("newString", ""), 1)
    if rel in out.get("changed", []):
        out["_after"][rel] = (0, 0, text.encode())
    return text


def report(session, model, version, code, events, error, stderr):
    parts = {}
    for e in events:
        part = e["properties"].get("part") or {}
        if e["type"] in ("message.part.updated", "tool_use") and part.get("type") == "tool":
            parts[part["callID"]] = part
    seen = {}
    log = session.state / "probe.jsonl"
    for r in json_lines(log.read_text() if log.exists() else ""):
        call = seen.setdefault(r["call"], {})
        if r["at"] == "before":
            call["before" if r["which"] == "first" else "used"] = r["args"]
        else:
            call.setdefault("after", {})[r["which"]] = r["output"]
    probed = session.scenario.get("probe", True)
    for call, (out, _) in model.calls.items():
        if out is not None:
            ended(session, out, parts.get(call), model.results.get(call), seen.get(call, {}) if probed else None)
            out.pop("_before", None)
    first = model.main[0] if model.main else []
    users = [m for m in first if m["role"] == "user"]
    said = [t for m in users for t in texts_of(m["content"])]
    asked = session.scenario.get("prompt", "go")
    prompt = {"blocked": not model.main, "context": [t for t in said if t != asked]}
    if model.main and asked not in said:
        prompt["as_sent"] = said[0] if said else ""
        prompt["context"] = said[1:]
    if error and not model.main:
        prompt["reason"] = error if isinstance(error, str) else json.dumps(error)
    for e in events:
        if e["type"] == "session.error" and "error" in e["properties"]:
            err = e["properties"]["error"]
            session.warnings.append("session.error: %s" % ((err.get("data") or {}).get("message") or err.get("name")))
    session.warnings += [l for l in stderr.splitlines() if l.strip()]
    session.warnings[:] = dict.fromkeys(session.warnings)
    if session.raw:
        session.requests.append({"events": events})
    status = code if code in ("timeout", "max_turns") else "finished" if code == 0 else "error"
    system = [text_of(m["content"]) for m in first if m["role"] == "system"]
    result = {"version": version, "prompt": prompt, "session_context": system[1:], "exit": status, "exit_detail": code}
    wanted = session.scenario.get("events")
    if wanted:
        result["events"] = [e for e in events if re.search(wanted, e["type"])]
    return result
