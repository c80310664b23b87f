"""Runs the real Qoder CLI as an agent of the Agent Client Protocol (`--acp`), the model's answers scripted (`--fake-responses`).

That route needs no login and no server. The client would still look for its own hosts, so it only starts
where there is no network but loopback. The answers are in one file that is read once: each begins with a
few words of text and waits before the tool call, and that is when the effects of the step before are noted.
"""
import json
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import threading
import time

ALLOW = ["Bash", "Read", "Write", "Edit", "Grep", "mcp__hb"]
FILES = ("Write", "Edit")  # only allowed with a path
OFF = {"securityScan": {"l1StaticCheck": False, "l2LightweightScan": False, "l3DeepScan": False}}  # its hooks fetch a program
PAUSE = 0.1  # seconds between the first words of an answer and the rest
# How the result of a refused call begins: refused by a hook, by the user, by a rule, by the mode
REFUSED = (r"Error: .* hook blocking error from command: |Error: Agent execution stopped by hook: |The user doesn't want to proceed|"
           r"Error: .* denied by (?:a )?\S+ rule|Error: (?:Read|Write|Edit) permission denied|Error: This action needs approval")


def to_qoder(step, session):
    """A neutral step as the client's own tool call, None if it has none."""
    tool = step.get("tool")
    if tool == "call":
        return step["name"], step["input"]
    if tool == "shell":
        return "Bash", {"command": step["command"], "description": "step"}
    if tool == "mcp":
        return "mcp__%s__%s" % (step.get("server", "hb"), step["name"]), step.get("input", {})
    if tool not in ("read", "write", "edit", "grep"):
        return None
    path = session.path(step.get("path", ""))
    if tool == "grep":
        return "Grep", {"pattern": step["pattern"], "path": path}
    if tool == "read":
        return "Read", {"file_path": path}
    if tool == "write":
        return "Write", {"file_path": path, "content": step["content"]}
    return "Edit", {"file_path": path, "old_string": step["old"], "new_string": step["new"]}


class Script:
    """The model's answers as the client wants them, and the words by which each is known to have begun."""

    def __init__(self, session):
        self.s, self.answers, self.words, self.steps = session, [], [], []
        for steps, say in session.turns:
            for out, step in steps:
                call = to_qoder(step, session)
                if call is None:
                    out["skipped"] = "not available in qoder"
                    continue
                self.steps.append((out, step, call))
                self.add("Step %d" % len(self.steps), ".", (out, step), call)
            say = say or "done"  # an answer without words could not be noticed
            self.add(say[:-1], say[-1:])
        for _ in range(session.limit + 1):
            self.add("don", "e")
        self.at, self.open = 0, None

    def add(self, first, rest, begins=None, call=None):
        parts = [[{"text": t}] for t in (first, rest) if t] or [[]]
        if call:
            parts[-1].append({"functionCall": {"name": call[0], "args": call[1]}})
        chunks = [{"candidates": [{"content": {"parts": p}}]} for p in parts]
        chunks[-1]["candidates"][0]["finishReason"] = "STOP"
        chunks[-1]["usageMetadata"] = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
        self.answers.append(json.dumps({"method": "generateContentStream", "response": chunks}))
        words = [p[0]["text"] for p in parts if "text" in p[0]] if parts[0] else []
        self.words += [(t, i == 0, begins) for i, t in enumerate(words)]

    def heard(self, text):
        """The client passes on words of the model; True if an answer begins with them."""
        if self.at == len(self.words) or text != self.words[self.at][0]:
            return False
        self.at += 1
        return self.words[self.at - 1][1]

    def note(self):
        """An answer has begun: note what the step before did, and what this one starts from."""
        self.finish()
        begins = self.words[self.at - 1][2]
        if begins is None:
            self.s.stopped()
            return
        self.open = begins[0]
        self.s.begin(self.open)
        self.open["_before"] = self.s.mark[0]

    def finish(self):
        if self.open is not None:
            self.s.end(self.open)
            self.open = None


class Agent:
    """The client's process and the newline-delimited JSON-RPC spoken with it."""

    def __init__(self, session, argv, env, script):
        self.s, self.script = session, script
        self.until = time.monotonic() + session.scenario.get("timeout", 60)
        self.err = session.state / "client.err"
        with open(self.err, "w") as err:
            session.proc = subprocess.Popen(argv, cwd=session.folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=err,
                                            bufsize=0, start_new_session=True)
        self.proc, self.buffer, self.ids = session.proc, b"", 0

    def send(self, message):
        try:
            self.proc.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        except OSError:  # the client is gone
            pass

    def call(self, method, params):
        """The answer to a request; {"error": ..} if the client ends or the time is over."""
        self.ids += 1
        self.send({"id": self.ids, "method": method, "params": params})
        while True:
            message = self.next()
            if message is None:
                return {"error": {"message": "the client ended" if self.proc.poll() is not None or self.s.over else "timeout"}}
            if "method" not in message:
                if message.get("id") == self.ids:
                    return message
            elif message["method"] == "session/update":
                self.update(message["params"]["update"])
            elif message["method"] == "session/request_permission":
                self.decide(message)
            elif "id" in message:
                self.send({"id": message["id"], "error": {"code": -32601, "message": "not available"}})

    def next(self):
        while b"\n" not in self.buffer:
            if not select.select([self.proc.stdout], [], [], max(0, self.until - time.monotonic()))[0]:
                return None
            data = os.read(self.proc.stdout.fileno(), 65536)
            if not data:
                self.proc.wait()
                return None
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        try:
            message = json.loads(line)
        except ValueError:
            message = {"method": "not JSON", "params": line.decode("utf8", "replace")}
        if self.s.raw:
            self.s.requests.append(message)
        return message

    def decide(self, asked):
        """Answer a permission dialog as the user would, after a moment in which a PermissionRequest hook may do it."""
        kind = self.s.scenario.get("answer", "reject") + "_once"
        choice = next((o["optionId"] for o in asked["params"]["options"] if o["kind"] == kind), asked["params"]["options"][-1]["optionId"])
        answer = {"id": asked["id"], "result": {"outcome": {"outcome": "selected", "optionId": choice}}}
        timer = threading.Timer(self.s.scenario.get("answer_after", 1), self.send, [answer])
        timer.daemon = True
        timer.start()

    def update(self, what):
        if what.get("sessionUpdate") != "agent_message_chunk" or not self.script.heard(what["content"].get("text")):
            return
        with self.s.lock:
            os.kill(self.proc.pid, signal.SIGSTOP)  # its clock runs on, but nothing happens meanwhile
            while select.select([self.proc.stdout], [], [], 0)[0]:
                data = os.read(self.proc.stdout.fileno(), 65536)
                self.buffer += data
                if not data:
                    break
            if b'"tool_call"' in self.buffer:
                self.s.warnings.append("noted late: `changed` may be off by one step")
            self.script.note()
            os.kill(self.proc.pid, signal.SIGCONT)


def command(session):
    clients = pathlib.Path(session.clients_dir).resolve()
    package = clients / "qoder" / "node_modules" / "@qoder-ai" / "qodercli"
    node = clients / "node" / "node_modules" / "node" / "bin" / "node"
    node = str(node) if node.exists() else shutil.which("node")
    if not (package / "package.json").exists() or not node:
        raise SystemExit("live: the Qoder CLI or its node is not installed in %s; run setup" % clients)
    return [node, str(package / "bundle" / "qodercli.js")], json.loads((package / "package.json").read_text())["version"]


def cut_off():
    """What to put before a command so that it has no network but loopback; nothing if that is so already."""
    routes = [l.split() for l in open("/proc/self/net/route").read().splitlines()[1:]]
    if os.path.exists("/proc/self/net/ipv6_route"):
        routes += [[l.split()[-1]] for l in open("/proc/self/net/ipv6_route").read().splitlines()]
    if all(r[0] == "lo" for r in routes):
        return []
    wrap = ["unshare", "-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    if not shutil.which("unshare") or subprocess.run(wrap + ["true"], capture_output=True).returncode:
        raise SystemExit("live: qoder only runs in a network namespace of its own, and `unshare -rn` does not work here")
    return wrap


def run(session):
    argv, version = command(session)
    script = Script(session)
    answers, settings = session.state / "answers.jsonl", session.state / "settings.json"
    answers.write_text("\n".join(script.answers) + "\n")
    allow = ["%s(/%s/**)" % (tool, session.project) if tool in FILES else tool for tool in session.scenario.get("allow", ALLOW)]
    settings.write_text(json.dumps({**OFF, "permissions": {"allow": allow}}))
    argv = cut_off() + argv + ["--acp", "--fake-responses", str(answers), "--settings", str(settings)] + session.scenario.get("args", [])
    agent = Agent(session, argv, session.environ({"QODER_FAKE_STREAM_DELAY_MS": str(int(PAUSE * 1000)), "NO_BROWSER": "1"}), script)
    servers = [{"name": name, **server, "env": []} for name, server in session.mcp_servers().items()]
    agent.call("initialize", {"protocolVersion": 1, "clientCapabilities": {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False}})
    new = agent.call("session/new", {"cwd": str(session.folder), "mcpServers": servers})
    final = new
    if "result" not in new:
        session.warnings.append(agent.err.read_text(errors="replace")[-500:])
    else:
        name = new["result"]["sessionId"]
        final = agent.call("session/prompt", {"sessionId": name, "prompt": [{"type": "text", "text": session.scenario.get("prompt", "go")}]})
        with session.lock:
            script.finish()
        if session.proc.poll() is None:
            agent.call("session/close", {"sessionId": name})  # comes back after the SessionEnd hooks
    timeout = session.proc.poll() is None and time.monotonic() >= agent.until
    session.reap()
    return report(session, script, version, final, timeout, agent.err.read_text(errors="replace"))


def transcript(session):
    for f in session.home.glob(".qoder/projects/*/*.jsonl"):
        for line in filter(None, f.read_text().split("\n")):
            yield json.loads(line)


def text_of(content):
    return content if isinstance(content, str) else "".join(b.get("text", "") for b in content or [] if b.get("type") == "text")


def reason_of(said):
    """The hook's own words inside what the client makes of them."""
    said = said.removeprefix("Error: ")
    for pattern in (r'(.*) hook blocking error from command: "\1": (?P<why>.*)', r'.* hook blocking error from command: ".*?": (?P<why>.*)',
                    r"(?:Agent execution|Operation) stopped by hook: (?P<why>.*)", r"(?P<why>The user doesn't want to proceed with this tool use)\. .*"):
        found = re.fullmatch(pattern, said, re.S)
        if found:
            return found["why"].strip()
    return said


def written(session, out, step, path, detail):
    """What a write or edit put into its file: what is there afterwards, unless a later hook changed it again."""
    rel = os.path.relpath(path, session.project)
    found, before = (seen.get(rel, (0, 0, b""))[2].decode("utf8", "replace") for seen in (out["_after"], out["_before"]))
    if out["tool"] == "write":
        text = found if detail.get("bytesWritten") == len(found.encode()) else step["content"]
    else:
        added = [l[1:] for l in detail.get("diff", "").splitlines() if l.startswith("+") and not l.startswith("+++")]
        text = before.replace(step["old"], step["new"], 1)
        text = text if all(l in text for l in added) else found
    if rel in out["changed"]:
        out["_after"][rel] = (0, 0, text.encode())
    return text


def ended(session, out, step, block, detail):
    """Fill in a step from the result that the model got."""
    text, failed = text_of(block.get("content")), bool(block.get("is_error"))
    out["denied"] = failed and not out["_shell"] and not out["_mcp"] and bool(re.match(REFUSED, text, re.S))
    if out["denied"]:
        out["reason"] = reason_of(text)
    out["ran"] = not failed
    out.setdefault("context", [])
    if out["tool"] == "shell" and not out["denied"]:
        code = re.match(r"Exit code (\d+)\n?", text) if failed else None
        if code or not failed:
            out["exit_code"], text = (int(code[1]), text[code.end():]) if code else (0, text)
    if not failed and isinstance(detail, dict):
        if out["tool"] == "read" and detail.get("file"):
            out["input_as_run"] = {"path": session.path(detail["file"].get("filePath", ""))}
        elif out["tool"] in ("write", "edit") and detail.get("file_path"):
            path = session.path(detail["file_path"])
            out["input_as_run"] = {"path": path, "content": written(session, out, step, path, detail)}
    out["result"] = text


def report(session, script, version, final, timeout, stderr):
    calls, order = {}, iter(script.steps)
    asked, stopping, last, detail = script.at > 0, False, None, None
    prompt, session_context = {"blocked": not asked, "context": []}, []

    for record in transcript(session):
        content = record.get("message", {}).get("content")
        a = record.get("attachment") or {}
        kind, event = a.get("type", ""), a.get("hookEvent") or a.get("hookEventName")
        for b in content if isinstance(content, list) else []:
            if b.get("type") == "tool_use":
                calls[b["id"]] = next(order, None)
            elif b.get("type") == "tool_result" and calls.get(b.get("tool_use_id")):
                last, step, _ = calls[b["tool_use_id"]]
                ended(session, last, step, b, record.get("toolUseResult"))
        if record.get("type") == "assistant":
            stopping = record["message"].get("stop_reason") == "end_turn"
        elif record.get("isMeta") and stopping:
            session.followups.append(text_of(content))
            stopping = False
        elif record.get("isMeta") and not asked:
            prompt["reason"] = reason_of(text_of(content))
        elif kind in ("hook_output", "hook_success", "hook_blocking_error"):
            words = a.get("output") or a.get("content") or reason_of(a.get("blockingError", {}).get("blockingError", ""))
            place = {"SessionStart": session_context, "UserPromptSubmit": prompt["context"]}.get(event)
            place = last["context"] if last and event in ("PreToolUse", "PostToolUse", "PostToolUseFailure") else place
            if words and place is not None:
                place.append(words)
        elif kind == "hook_stopped_continuation":
            detail = a["message"]
        elif kind == "hook_permission_decision" and a.get("decision") == "deny" and calls.get(a.get("toolUseID")):
            out = calls[a["toolUseID"]][0]
            out["denied"], out["reason"] = True, reason_of(out.get("result") or "")
        elif kind in ("hook_non_blocking_error", "hook_system_message"):
            session.warnings.append("%s: %s" % (a.get("hookName") or event, a.get("stderr") or a.get("content")))

    session.warnings += notes(session, stderr)
    answer = final.get("result", {})
    status = "max_turns" if session.over else "timeout" if timeout else "finished" if answer.get("stopReason") == "end_turn" else "error"
    detail = detail or final.get("error", {}).get("message") or answer.get("stopReason")
    session.requests += list(transcript(session)) if session.raw else []
    return {"version": version, "network": "loopback", "prompt": prompt, "session_context": session_context, "exit": status, "exit_detail": detail}


def notes(session, stderr):
    """What the client says about hooks and settings, apart from the course of each hook."""
    logs = [l for f in session.home.glob(".qoder/logs/runs/*/qodercli.log") for l in f.read_text(errors="replace").splitlines()]
    found = [m[1] for m in (re.match(r"\S+ (?:WARN|ERROR) +(?:debug\.message|feedback\.emitted) (.*?)(?: has_error=\w+)?$", l) for l in logs) if m]
    usual = r"Hook execution for|Blocking hook failure|Non-blocking hook error|Hook \[|\[HookRunner\] Hook .* exited with code"
    return list(dict.fromkeys(l for l in found + stderr.splitlines() if re.search(r"hook|settings", l, re.I) and not re.match(usual, l)))
