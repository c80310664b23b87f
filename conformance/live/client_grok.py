"""Runs the real Grok Build CLI (headless, `-p`) against a scripted stand-in for a chat-completions provider of the user's own.

A model of one's own in `config.toml` needs no login. With `answer` or `then` the client runs as an ACP agent over stdio instead, so that
its permission dialogs can be answered and the session can go on. What the hooks did is read from what the model is sent next.
"""
import itertools
import json
import os
import pathlib
import queue
import re
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler

import session as sessions
from session import Server

ISOLATED = True  # it starts in a network namespace even without root
sessions.MISSING.setdefault("grok", ("delete", "raw", None))
MODEL = "mock"
QUIET = ("GROK_TURN_SUMMARY", "GROK_SESSION_RECAP", "GROK_TITLE_REFRESH", "GROK_PROMPT_SUGGESTIONS", "GROK_MEMORY", "GROK_TELEMETRY_ENABLED", "GROK_FEEDBACK_ENABLED")
CONFIG = """
[cli]
auto_update = false
[models]
default = "{model}"
[model.{model}]
model = "{model}"
name = "{model}"
base_url = "{url}/v1"
api_key = "dummy"
"""
SUMMARY = "The user asked for a run of the steps at hand. " + "Each of them was taken and noted, and nothing is left open so far. " * 12
DENIED = r"Hook denied: |Tool `[^`]*` was not executed: "
REFUSED = re.compile(DENIED + r"|User (?:rejected|cancelled) the execution ")
LABEL = re.compile(r"(?:Context|Feedback) from \w+ hook '[^\n]*':\n(.*)", re.S)
REMINDER = re.compile(r"<system-reminder>\n?(.*?)\n?</system-reminder>", re.S)


def to_grok(step, session):
    """A neutral step as the client's own tool call."""
    tool = step["tool"]
    if tool == "call":
        return step["name"], step["input"]
    if tool == "shell":
        return "run_terminal_command", {"command": step["command"], "description": "step", **step.get("input", {})}
    if tool == "mcp":
        return "use_tool", {"tool_name": "%s__%s" % (step.get("server", "hb"), step["name"]), "tool_input": step.get("input", {})}
    if tool == "agent":
        return "spawn_subagent", {"prompt": step["prompt"], "description": "step", "background": False, **step.get("input", {})}
    path = session.path(step.get("path", ""))
    if tool == "grep":
        return "grep", {"pattern": step["pattern"], "path": path}
    if tool == "read":
        return "read_file", {"target_file": path}
    if tool == "write":
        return "write", {"file_path": path, "content": step["content"]}
    return "search_replace", {"file_path": path, "old_string": step["old"], "new_string": step["new"]}


def text_of(content):
    return content if isinstance(content, str) else "".join(b.get("text", "") for b in content or [] if isinstance(b, dict))


def names_of(body):
    return {(t.get("function") or t).get("name") for t in body.get("tools") or []}


class Model:
    """The scripted model: one step per request; what follows a `say` is only asked for after a follow-up or a further prompt.

    The steps of an `agent` step are the sub-agent's; its requests are known by their prompt."""

    def __init__(self, session):
        self.s, self.ids = session, itertools.count(1)
        self.moves, self.subs = [], {}
        for steps, say in session.turns:
            self.moves += [(out, step) for out, step in steps] + [(None, {"say": say})]
        self.open, self.calls, self.main, self.failed = None, {}, [], False

    def reply(self, body):
        with self.s.lock:
            self.s.requests.append(body)
            said = [text_of(m["content"]) for m in body["messages"] if m["role"] == "user"]
            if "run_terminal_command" not in names_of(body) or said[-1].startswith("Your task is to produce a faithful"):  # titles, compaction
                return {"content": self.s.scenario.get("summary", SUMMARY)}
            for prompt, moves in self.subs.items():
                if any(prompt in t for t in said) and not any(self.first in t for t in said):
                    out, move = moves.pop(0) if moves else (None, {"say": "done"})
                    return {"content": move["say"]} if "say" in move else self.call(out, move)
            if not self.main:
                self.first = "<user_query>\n" + self.s.scenario.get("prompt", "go")
            self.main.append(body["messages"])
            self.finish()
            out, move = self.moves.pop(0) if self.moves else (None, {"say": "done"})
            if "say" in move:
                self.s.stopped()
                return {"content": move["say"]}
            if move["tool"] == "agent":
                out["steps"] = [{"tool": s["tool"]} for s in move.get("steps", []) if "say" not in s]
                outs = iter(out["steps"])
                self.subs[move["prompt"]] = [(None if "say" in s else next(outs), s) for s in move.get("steps", [])]
            self.open = out
            self.s.begin(out)
            out["_before"] = self.s.mark[0]
            return self.call(out, move)

    def call(self, out, move):
        name, args = to_grok(move, self.s)
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
            time.sleep(model.s.scenario.get("model_after", 0))  # hooks that run next to the session get the time that a model takes
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


def binary(clients):
    exe = pathlib.Path(clients).resolve() / "grok" / "bin" / "grok"
    if not exe.exists():
        raise SystemExit("live: Grok Build is not installed in %s; run setup" % clients)
    return str(exe), (exe.parent / "version").read_text().strip()


def settle_config(session, url):
    """What the run needs goes behind the scenario's own config.toml."""
    file = session.home / ".grok" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    text = (file.read_text() + "\n" if file.exists() else "") + CONFIG.format(model=MODEL, url=url)
    for name, server in session.mcp_servers().items():
        text += "[mcp_servers.%s]\ncommand = %s\nargs = %s\n" % (name, json.dumps(server["command"]), json.dumps(server["args"]))
    file.write_text(text)


def run(session):
    if os.environ.get("HOOKBRIDGE_LIVE_NET") != "loopback":
        raise SystemExit("live: grok only runs in a network namespace of its own, and `unshare` does not work here")
    exe, version = binary(session.clients_dir)
    model = Model(session)
    scenario = session.scenario
    if scenario.get("git", "setup" not in scenario):  # it looks for project hooks only in a git checkout
        subprocess.run(["git", "init", "-q", str(session.project)], check=True, capture_output=True)
    session.asked = []  # what its permission requests say
    talks = "answer" in scenario or "then" in scenario
    with Server(handler(model)) as server:
        settle_config(session, server.url)
        env = session.environ({**{k: "0" for k in QUIET}, "GROK_DISABLE_AUTOUPDATER": "1"})
        env = {k: v for k, v in env.items() if v != ""}  # a scenario takes a variable away with ""
        trust = ["--trust"] if scenario.get("trust", True) else []
        if talks:
            code, stdout, stderr = Agent(session, [exe] + trust + scenario.get("args", []) + ["agent", "--no-leader", "stdio"], env).run()
        else:
            mode = scenario.get("mode", "bypassPermissions")
            argv = [exe, "-p", scenario.get("prompt", "go"), "--output-format", "streaming-json", "--permission-mode", mode] + trust + scenario.get("args", [])
            code, stdout, stderr = session.run(argv, env)
    with session.lock:
        model.finish()
    return report(session, model, version, code, stdout, stderr)


class Agent:
    """The client as an ACP agent over stdio: its permission requests are answered, and the session may go on after the first prompt."""

    def __init__(self, session, argv, env):
        self.s, self.ids, self.inbox = session, itertools.count(1), queue.Queue()
        self.stderr = session.state / "client.err"
        with open(self.stderr, "w") as err:
            self.proc = session.proc = subprocess.Popen(argv, cwd=session.folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=err, start_new_session=True)
        threading.Thread(target=self.listen, daemon=True).start()
        self.until = time.monotonic() + session.scenario.get("timeout", 60)

    def listen(self):
        for line in self.proc.stdout:
            try:
                self.inbox.put(json.loads(line))
            except ValueError:
                pass
        self.inbox.put(None)

    def send(self, message):
        try:
            self.proc.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            self.proc.stdin.flush()
        except OSError:
            pass

    def ask(self, method, params, meanwhile=None):
        """Send a request and serve the agent until its answer has come."""
        number = next(self.ids)
        self.send({"id": number, "method": method, "params": params})
        while True:
            try:
                message = self.inbox.get(timeout=0.1)
            except queue.Empty:
                if time.monotonic() > self.until:
                    raise TimeoutError(method)
                if meanwhile:
                    meanwhile()
                continue
            if message is None:
                raise ConnectionError(method)
            if message.get("id") == number and "method" not in message:
                return message
            if message.get("method") == "session/request_permission":
                self.permit(message)
            elif "method" in message and "id" in message:
                self.send({"id": message["id"], "error": {"code": -32601, "message": "not here"}})

    def permit(self, message):
        answer = self.s.scenario.get("answer", "allow")
        self.s.asked.append(message["params"]["toolCall"].get("title"))
        kinds = {"allow": "allow_once", "reject": "reject_once"}
        option = next((o["optionId"] for o in message["params"]["options"] if o.get("kind") == kinds.get(answer)), None)
        outcome = {"outcome": "selected", "optionId": option} if option else {"outcome": "cancelled"}
        self.send({"id": message["id"], "result": {"outcome": outcome}})

    def prompt(self, session_id, text, meanwhile=None):
        return self.ask("session/prompt", {"sessionId": session_id, "prompt": [{"type": "text", "text": text}]}, meanwhile)

    def run(self):
        code = 0
        try:
            self.ask("initialize", {"protocolVersion": 1, "clientCapabilities": {}})
            meta = {"yoloMode": True} if self.s.scenario.get("mode") == "bypassPermissions" else {}
            new = self.ask("session/new", {"cwd": str(self.s.folder), "mcpServers": [], "_meta": meta})
            sid = new["result"]["sessionId"]
            self.prompt(sid, self.s.scenario.get("prompt", "go"))
            for move in self.s.scenario.get("then", []):
                if move.get("do") == "compact":
                    self.prompt(sid, "/compact")
                elif move.get("do") == "cancel":  # a turn of its own, broken off when its command runs
                    sent, begun = [], self.running()
                    def stop():
                        if not sent and self.running() > begun:
                            sent.append(self.send({"method": "session/cancel", "params": {"sessionId": sid}}))
                    self.prompt(sid, move.get("prompt", "go on"), stop)
                elif move.get("do") == "wait":
                    time.sleep(move.get("seconds", 1))
                else:
                    self.prompt(sid, move["prompt"])
            self.rest()
            self.proc.stdin.close()
            self.proc.wait(max(1, min(10, self.until - time.monotonic())))
            code = self.proc.returncode
        except (TimeoutError, subprocess.TimeoutExpired):
            code = "timeout"
        except (ConnectionError, KeyError) as e:
            code = self.proc.wait() if self.proc.poll() is not None else "%s: %s" % (type(e).__name__, e)
        self.s.reap()
        return ("max_turns" if self.s.over else code), "", self.stderr.read_text(errors="replace")

    def rest(self):
        """Wait for the hooks of the end of the turn, which run beside the session."""
        quiet = time.monotonic()
        while time.monotonic() < min(quiet + 0.5, self.until):
            if self.busy():
                quiet = time.monotonic()
            time.sleep(0.05)

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

    def running(self):
        return self.s._log(self.s.shell_log).count(b"__grok_user_cmd")


def json_lines(text):
    for line in filter(None, text.split("\n")):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record


def written(session, out, path, args):
    """What a write or edit put into its file, as long as no hook changed the file again."""
    rel = os.path.relpath(path, session.project)
    before = out["_before"].get(rel, (0, 0, b""))[2].decode("utf8", "replace")
    text = args["content"] if "content" in args else before.replace(args.get("old_string", ""), args.get("new_string", ""), 1)
    if rel in out["changed"]:
        out["_after"][rel] = (0, 0, text.encode())
    return text


def ended(session, out, step, shown, messages):
    """Fill in a step from the client's record of the call and from what the model got: the result and what hooks put behind it."""
    text, told = (text_of(messages[0]["content"]), True) if messages else (shown.get("_text"), False)
    args = shown.get("_input") or to_grok(step, session)[1]
    out["ran"] = shown.get("status") == "completed"
    out.setdefault("context", [])
    if text is None:
        return
    out["denied"] = bool(REFUSED.match(text))
    if out["denied"]:
        out["ran"], out["reason"] = False, re.sub("^(?:%s)" % DENIED, "", text).strip()
    for m in messages[1:]:
        if m["role"] != "user":
            break
        out["context"] += contexts_of(text_of(m["content"]))
    code = re.match(r"exit: (-?\d+)\n", text)
    if out["tool"] == "shell" and code:
        out["exit_code"], text = int(code[1]), text[code.end():]
    if out["tool"] == "read" and out["ran"]:
        out["input_as_run"] = {"path": session.path(args.get("target_file", ""))}
    elif out["tool"] in ("write", "edit") and out["ran"] and "_before" in out:
        path = session.path(args.get("file_path", ""))
        out["input_as_run"] = {"path": path, "content": written(session, out, path, args)}
    elif out["tool"] in ("call", "grep") and out["ran"]:
        out["input_as_run"] = args
    if told:
        out["result"] = text


def contexts_of(text):
    """What hooks said, without the label that names the event and the hook."""
    return [m[1] for m in (LABEL.match(t) for t in REMINDER.findall(text)) if m]


def recorded(session):
    """The client's own records of its sessions, in order: tool calls by id, and what else there is."""
    shown, rest = {}, []
    for f in sorted(session.home.glob(".grok/sessions/*/*/updates.jsonl")):
        for line in json_lines(f.read_text(errors="replace")):
            params = line.get("params") or {}
            e = params.get("update") or {}
            if e.get("sessionUpdate") not in ("tool_call", "tool_call_update"):
                rest.append({**e, "_meta": params.get("_meta") or {}})
                continue
            call = shown.setdefault(e.get("toolCallId"), {})
            call.update({k: v for k, v in e.items() if v is not None})
            if isinstance(e.get("rawInput"), dict):
                call["_input"] = {k: v for k, v in e["rawInput"].items() if k not in ("variant", "is_background")}
            text = "".join(c.get("content", {}).get("text", "") for c in e.get("content") or [] if c.get("type") == "content")
            if e.get("status") == "failed":
                call["_text"] = text
    return shown, rest


def followup_of(text):
    return re.sub(r"^Stop hook feedback:\n- (.*?)\n?$", r"\1", text, flags=re.S)


def report(session, model, version, code, stdout, stderr):
    shown, rest = recorded(session)
    for call, (out, step) in model.calls.items():  # the first request that has the result of the call
        heard = [b["messages"] for b in session.requests for m in b.get("messages", []) if m.get("tool_call_id") == call][:1]
        after = [ms[i:] for ms in heard for i, m in enumerate(ms) if m.get("tool_call_id") == call]
        if out is not None:
            ended(session, out, step, shown.get(call, {}), after[0] if after else [])
            out.pop("_before", None)
    prompt = {"blocked": not model.main, "context": []}
    for e in rest:
        kind = e.get("sessionUpdate")
        if kind == "turn_completed" and e["_meta"].get("cancellationCategory") == "HookDenied" and prompt["blocked"]:
            prompt["reason"] = (e["_meta"].get("cancellationContext") or {}).get("reason")
        elif kind == "hook_execution":
            for r in e.get("runs") or []:
                status = r.get("status") or {}
                if status.get("status") == "failed" and not status.get("blocked"):
                    session.warnings.append("%s hook: %s" % (e.get("event_name"), status.get("error")))
    last = model.main[-1] if model.main else []
    session.followups += [followup_of(text_of(m["content"])) for before, m in zip(last, last[1:]) if m["role"] == "user" and before["role"] == "assistant"
                          and "<user_query>" not in text_of(m["content"])]
    first = [text_of(m["content"]) for m in (model.main or [[]])[0] if m["role"] == "user"]
    prompt["context"] = [c for t in first for c in contexts_of(t)]
    session.warnings[:] = dict.fromkeys(session.warnings + [l for l in stderr.splitlines() if l.strip()])
    if session.raw:
        session.requests += rest
    status = code if code in ("timeout", "max_turns") else "finished" if code == 0 else "error"
    result = {"version": version, "prompt": prompt, "session_context": [], "exit": status, "exit_detail": code}
    return {**result, "asked": session.asked} if session.asked else result
