"""Runs the real Codex CLI (`codex app-server`, the engine below the TUI, `codex exec` and the IDE) against a scripted stand-in for the Responses API."""
import difflib
import itertools
import json
import os
import pathlib
import re
import select
import shlex
import subprocess
import time
from http.server import BaseHTTPRequestHandler

from session import Server

MODEL = "gpt-5.5"  # a model of the client's own catalogue that calls tools directly; newer ones go through "code mode"
APPROVAL, SANDBOX = "on-request", "danger-full-access"
# The tool calls run in a login shell of the user, `bash -lc COMMAND`: this notes the command as it was really started (hooks have no call id).
PROFILE = """export PATH={path}
[ -z "$CODEX_TOOL_CALL_ID" ] || printf '%s\\0' codex "$CODEX_TOOL_CALL_ID" "$BASH_EXECUTION_STRING" "$(printf '\\001')" >> {log}
"""
REFUSED = r'Rejected\(|rejected by (?:the )?user|user rejected|blocked by PreToolUse hook'
QUIET = r"dangerously-bypass-hook-trust|bubblewrap|Model metadata|PATH aliases"  # notes that every session brings


# -- the model ---------------------------------------------------------------------------------------


def patch(step, session):
    """A write, edit or delete as the text of the client's apply_patch tool; the old lines come from the file as it is now."""
    path = os.path.relpath(session.path(step["path"]), session.project)
    if step["tool"] == "delete":
        return "*** Begin Patch\n*** Delete File: %s\n*** End Patch\n" % path
    if step["tool"] == "write":
        body = "".join("+%s\n" % l for l in step["content"].split("\n")[:-1 if step["content"].endswith("\n") else None])
        return "*** Begin Patch\n*** Add File: %s\n%s*** End Patch\n" % (path, body)
    try:
        old = pathlib.Path(session.path(step["path"])).read_text()
    except OSError:
        old = step["old"] + "\n"
    new = old.replace(step["old"], step["new"], 1)
    lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2))[2:]
    body = "".join("%s\n" % ("@@" if l.startswith("@@") else l) for l in lines)
    return "*** Begin Patch\n*** Update File: %s\n%s*** End Patch\n" % (path, body)


def to_codex(step, session):
    """A neutral step as an item of the model's answer."""
    tool = step["tool"]
    if tool == "call":  # NAMESPACE/NAME is a server's; a text is the input of a tool that takes no JSON
        space, _, name = step["name"].rpartition("/")
        if name == "apply_patch":
            return {"type": "custom_tool_call", "name": name, "input": step["input"]}
        args = step["input"] if isinstance(step["input"], str) else json.dumps(step["input"])
        return {"type": "function_call", **({"namespace": space} if space else {}), "name": name, "arguments": args}
    if tool == "shell":
        args = {"cmd": step["command"], **step.get("more", {})}
        return {"type": "function_call", "name": "exec_command", "arguments": json.dumps(args)}
    if tool == "mcp":
        return {"type": "function_call", "namespace": "mcp__" + step.get("server", "hb"), "name": step["name"], "arguments": json.dumps(step.get("input", {}))}
    if tool == "agent":
        args = {"message": step["prompt"], **({"agent_type": step["type"]} if step.get("type") else {})}
        return {"type": "function_call", "namespace": "multi_agent_v1", "name": "spawn_agent", "arguments": json.dumps(args)}
    if tool == "raw":
        return dict(step["item"])
    return {"type": "custom_tool_call", "name": "apply_patch", "input": patch(step, session)}


class Model:
    """The scripted model: one step per request, for the main thread and for each sub-agent; what follows a `say` needs a follow-up."""

    def __init__(self, session):
        self.s, self.ids = session, itertools.count(1)
        self.main, self.scripts, self.waiting = None, {}, []
        self.calls, self.agents, self.open = {}, {}, {}
        self.moves = []
        for steps, say in session.turns:
            for out, step in steps:
                self.moves.append((out, step))
                self.nest(out, step)
            self.moves.append((None, say))

    def nest(self, out, step):
        """An agent's own steps, reported after the step that starts it."""
        if step.get("tool") != "agent":
            return
        script = []
        at = next(i for i, o in enumerate(self.s.steps) if o is out) + 1
        for inner in step.get("steps", []):
            if "say" not in inner:
                got = {"tool": inner["tool"]}
                self.s.steps.insert(at, got)
                at += 1
            script.append((None, inner["say"]) if "say" in inner else (got, inner))
        self.agents[id(out)] = script

    def reply(self, body):
        with self.s.lock:
            about = body.get("client_metadata") or {}
            thread = about.get("thread_id")
            kind = json.loads(about.get("x-codex-turn-metadata", "{}")).get("request_kind", "turn")
            self.s.requests.append(body)
            self.finish(thread)
            if kind != "turn":
                return [message("summary of the work so far")]
            if self.main is None:
                self.main, self.scripts[thread] = thread, self.moves
            elif thread not in self.scripts:
                self.scripts[thread] = self.waiting.pop(0) if self.waiting else []
            moves = self.scripts[thread]
            out, move = moves.pop(0) if moves else (None, "done")
            if out is None:
                if thread == self.main:
                    self.s.stopped()
                return [message(move)]
            if out["tool"] == "agent":
                self.waiting.append(self.agents[id(out)])
            call = "call_live%04d" % next(self.ids)
            self.open[thread], self.calls[call] = out, out
            self.s.begin(out)
            out["_mark"] = self.s.mark
            out["_step"] = move
            return [{"call_id": call, **to_codex(move, self.s)}]

    def finish(self, thread):
        out = self.open.pop(thread, None)
        if out is not None:
            self.s.mark = out.pop("_mark")
            out["_before"] = self.s.mark[0]
            self.s.end(out)

    def finish_all(self):
        for thread in list(self.open):
            self.finish(thread)


def message(text):
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


def handler(model):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        count = itertools.count(1)

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
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            if not self.path.split("?")[0].endswith("/responses"):
                return self.do_GET()
            n = next(self.count)
            items = [{"id": "item_%d_%d" % (n, i), **item} for i, item in enumerate(model.reply(json.loads(raw)))]
            used = model.s.scenario.get("tokens", 10)
            usage = {"input_tokens": used, "input_tokens_details": None, "output_tokens": 5, "output_tokens_details": None, "total_tokens": used + 5}
            events = [{"type": "response.created", "response": {"id": "resp_%d" % n}}]
            events += [{"type": "response.output_item.done", "item": item} for item in items]
            events += [{"type": "response.completed", "response": {"id": "resp_%d" % n, "usage": usage}}]
            self.send(200, "".join("event: %s\ndata: %s\n\n" % (e["type"], json.dumps(e)) for e in events).encode(), "text/event-stream")

    return Handler


# -- the client --------------------------------------------------------------------------------------


def binary(clients):
    for name in ("codex-linux-x64", "codex-linux-arm64"):
        package = pathlib.Path(clients) / "codex" / "node_modules" / "@openai" / name
        for exe in package.glob("vendor/*/bin/codex"):
            return str(exe), json.loads((package / "package.json").read_text())["version"].split("-")[0]
    raise SystemExit("live: Codex is not installed in %s; run setup" % clients)


class App:
    """The client's process and the newline-delimited JSON-RPC spoken with it."""

    def __init__(self, session, argv, env):
        self.s, self.buffer, self.ids, self.notes = session, b"", itertools.count(1), []
        self.until = time.monotonic() + session.scenario.get("timeout", 60)
        self.err = session.state / "client.err"
        with open(self.err, "w") as err:
            session.proc = subprocess.Popen(argv, cwd=session.folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=err,
                                            bufsize=0, start_new_session=True)
        self.proc = session.proc

    def send(self, what):
        try:
            self.proc.stdin.write(json.dumps(what).encode() + b"\n")
        except OSError:  # the client is gone
            pass

    def next(self, until=None):
        while b"\n" not in self.buffer:
            if not select.select([self.proc.stdout], [], [], max(0, min(self.until, until or self.until) - time.monotonic()))[0]:
                return None
            data = os.read(self.proc.stdout.fileno(), 65536)
            if not data:
                self.proc.wait()
                return None
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)

    def take(self, what):
        """A notification, or a question of the client, answered as the user would."""
        self.notes.append(what)
        if "id" not in what:
            return
        allow = self.s.scenario.get("answer", "reject") == "allow"
        answers = {"mcpServer/elicitation/request": {"action": "accept" if allow else "decline", "content": {}},
                   "item/permissions/requestApproval": {"permissions": {}, "scope": "turn"}, "item/tool/requestUserInput": {"answers": {}}}
        self.send({"id": what["id"], "result": answers.get(what["method"], {"decision": "accept" if allow else "decline"})})

    def call(self, method, params):
        number = next(self.ids)
        self.send({"id": number, "method": method, "params": params})
        while True:
            what = self.next()
            if what is None:
                return {"error": {"message": "the client ended" if self.proc.poll() is not None else "timeout"}}
            if what.get("id") == number and "method" not in what:
                return what
            self.take(what)

    def wait(self, done, limit=None):
        """Read until a notification is what is waited for; False if the time is over or the client gone."""
        while True:
            what = self.next(limit and time.monotonic() + limit)
            if what is None:
                return False
            self.take(what)
            if done(what):
                return True


def trust(session, app, how):
    """Let the hooks run: "review" does what the review dialog of the TUI does, it stores the hash of each hook in the user's config.toml."""
    if how != "review":
        return
    listed = app.call("hooks/list", {"cwds": [str(session.folder)]}).get("result", {}).get("data", [])
    edits = [{"keyPath": "hooks.state", "value": {h["key"]: {"trusted_hash": h["currentHash"]}}, "mergeStrategy": "upsert"}
             for entry in listed for h in entry["hooks"] if h["trustStatus"] != "managed"]
    if edits:
        app.call("config/batchWrite", {"edits": edits, "reloadUserConfig": True})


def turn(session, app, thread, prompt):
    """One prompt and what comes of it; the turn as the client reports it at the end."""
    begun = app.call("turn/start", {"threadId": thread, "input": [{"type": "text", "text": prompt}]})
    if "result" not in begun:
        return {"status": "error", "error": begun.get("error")}
    number = begun["result"]["turn"]["id"]
    app.wait(lambda m: m.get("method") == "turn/completed" and m["params"]["turn"]["id"] == number)
    return next((m["params"]["turn"] for m in reversed(app.notes) if m.get("method") == "turn/completed"), {"status": "timeout"})


def drive(session, app):
    """The session: start, prompt, what the scenario wants `then`, close. The last turn."""
    app.call("initialize", {"clientInfo": {"name": "hookbridge-live", "title": "live", "version": "1"}, "capabilities": {"experimentalApi": True}})
    app.send({"method": "initialized"})
    how = session.scenario.get("trust", "bypass")
    trust(session, app, how)
    session.listed = app.call("hooks/list", {"cwds": [str(session.folder)]}).get("result", {}).get("data", [])
    ask = {"cwd": str(session.folder), "approvalPolicy": session.scenario.get("approval", APPROVAL), "sandbox": session.scenario.get("sandbox", SANDBOX),
           "config": {"bypass_hook_trust": True} if how == "bypass" else {}}
    started = app.call("thread/start", ask)
    if "result" not in started:
        return {"status": "error", "error": started.get("error")}
    thread = started["result"]["thread"]["id"]
    last = turn(session, app, thread, session.scenario.get("prompt", "go"))
    for more in session.scenario.get("then", []):
        if "prompt" in more:
            last = turn(session, app, thread, more["prompt"])
        elif more.get("do") == "compact":
            app.call("thread/compact/start", {"threadId": thread})
            app.wait(lambda m: m.get("method") == "turn/completed")
        elif more.get("do") in ("resume", "fork"):
            app.call("thread/unsubscribe", {"threadId": thread})
            app.wait(lambda m: m.get("method") == "thread/closed", 3)
            again = app.call("thread/" + more["do"], {"threadId": thread, **{k: v for k, v in ask.items()}})
            thread = again.get("result", {}).get("thread", {}).get("id", thread)
        elif more.get("do") == "interrupt":  # a prompt of its own, broken off after a while
            begun = app.call("turn/start", {"threadId": thread, "input": [{"type": "text", "text": more.get("text", "go on")}]})
            number = begun.get("result", {}).get("turn", {}).get("id")
            app.wait(lambda m: m.get("method") == "item/started" and m["params"]["item"]["type"] == "commandExecution", 5)
            app.call("turn/interrupt", {"threadId": thread, "turnId": number})
            app.wait(lambda m: m.get("method") == "turn/completed", 5)
        elif more.get("do") == "clear":
            again = app.call("thread/start", {**ask, "sessionStartSource": "clear"})
            thread = again.get("result", {}).get("thread", {}).get("id", thread)
    return last


def run(session):
    exe, version = binary(session.clients_dir)
    env = {**session.environ({}), "SHELL": "/bin/bash", **session.scenario.get("env", {})}
    (session.home / ".bash_profile").write_text(PROFILE.format(path=shlex.quote(env["PATH"]), log=shlex.quote(str(session.shell_log))))
    model = Model(session)
    with Server(handler(model)) as server:
        over = {"model": MODEL, "model_provider": "live", "model_providers.live": {"name": "live", "base_url": server.url + "/v1", "wire_api": "responses"},
                "features.shell_snapshot": False, "check_for_update_on_startup": False, "analytics.enabled": False}
        trusted = session.scenario.get("trust_project", True)
        if trusted:  # a linked worktree has the trust of its primary checkout
            folders = [session.project, session.folder] + [session.project / d for d in (trusted if isinstance(trusted, list) else [])]
            over["projects"] = {str(d): {"trust_level": "trusted"} for d in folders}
        for name, mcp in session.mcp_servers().items():
            over["mcp_servers." + name] = {**mcp, "default_tools_approval_mode": "approve"}
        over.update(session.scenario.get("config", {}))
        argv = [exe, "app-server"] + [x for k, v in over.items() for x in ("-c", "%s=%s" % (k, toml(v)))] + session.scenario.get("args", [])
        app = App(session, argv, env)
        last = drive(session, app)
        app.proc.stdin.close()
        app.wait(lambda m: False, 10)  # the client ends when its stdin does, after the SessionEnd hooks
        timeout = last["status"] == "timeout" or time.monotonic() >= app.until
        session.reap()
    with session.lock:
        model.finish_all()
    return report(session, model, app, version, last, timeout)


def toml(x):
    if isinstance(x, dict):
        return "{%s}" % ", ".join("%s = %s" % (json.dumps(k), toml(v)) for k, v in x.items())
    if isinstance(x, list):
        return "[%s]" % ", ".join(map(toml, x))
    return json.dumps(x)


# -- what came of it ---------------------------------------------------------------------------------


def commands(session):
    """Call id: the command as its shell got it. Calls of several agents run at the same time, so no log position tells them apart."""
    records = [r.decode("utf8", "replace").split("\0") for r in session._log(session.shell_log).split(b"\0\1\0")]
    return {r[1]: r[2] for r in records if len(r) == 3 and r[0] == "codex"}


def spilled(bodies):
    """Hook output that was too long: the whole text, from the file where the client put it, and what the model got."""
    found = {}
    for body in bodies:
        for item in body.get("input", []):
            for block in item.get("content") or [] if isinstance(item.get("content"), list) else []:
                for text in re.findall(r"Warning: truncated output.*?Full hook output saved to: [^\s<]+", block.get("text", ""), re.S):
                    file = pathlib.Path(text.rsplit(" ", 1)[1])
                    if file.exists():
                        found[file.read_text().strip()] = text
    return found


def text_of(content):
    return content if isinstance(content, str) else "".join(b.get("text", "") for b in content or [])


def written(session, out, change):
    """What the patch put into its file: what is there afterwards, unless a later hook changed it again."""
    rel = os.path.relpath(change["path"], session.project)
    if change["kind"]["type"] == "add":
        text = change["diff"]
    else:
        before, text = (seen.get(rel, (0, 0, b""))[2].decode("utf8", "replace") for seen in (out["_before"], out["_after"]))
        added = [l[1:] for l in change["diff"].splitlines() if l.startswith("+") and not l.startswith("+++")]
        asked = before.replace(out["_step"].get("old", ""), out["_step"].get("new", ""), 1)
        text = asked if all(l in asked for l in added) else text
    if rel in out["changed"]:
        out["_after"][rel] = (0, 0, text.encode())
    return text


def ended(session, out, text, items):
    """Fill in a step from the result that the model got and the client's own item."""
    item = items.get(out["_call"], {})
    if out["tool"] == "shell" and item.get("type") == "fileChange":  # the client itself runs an `apply_patch <<EOF`
        out["_shell"] = [out["_step"]["command"]]
    out["ran"] = item.get("status") == "completed" or item.get("exitCode") is not None
    if out["tool"] == "shell" and item.get("exitCode") is not None:
        out["exit_code"] = item["exitCode"]
        text = text.split("\nOutput:\n", 1)[-1]
    elif out["tool"] in ("write", "edit", "delete") and item:
        change = (item.get("changes") or [{}])[0]
        out["input_as_run"] = {"path": change.get("path")}
        if change.get("kind", {}).get("type") != "delete" and change.get("path"):
            out["input_as_run"]["content"] = written(session, out, change)
    elif out["tool"] == "mcp":
        text = text.split("\nOutput:\n", 1)[-1] if "Wall time:" in text else text
        text = re.sub(r"^Wall time: \S+ seconds\nOutput:", "", text)
    out["result"] = text


def report(session, model, app, version, last, timeout):
    items, results, runs = {}, {}, []
    for note in app.notes:
        what = note.get("params", {})
        if note.get("method") == "item/completed":
            items[what["item"].get("id")] = what["item"]
        elif note.get("method") == "hook/completed":
            runs.append((what.get("threadId"), what["run"]))
        elif note.get("method") in ("warning", "configWarning", "error", "deprecationNotice"):
            said = what.get("message") or what.get("summary") or what.get("error", {}).get("message", "")
            if not re.search(QUIET, said):
                session.warnings.append(said + (": " + what["details"] if what.get("details") else ""))
    for body in session.requests:
        for item in body.get("input", []):
            if str(item.get("type", "")).endswith("_output") and item.get("call_id"):
                results.setdefault(item["call_id"], text_of(item.get("output")))
    seen = json.dumps([b.get("input") for b in session.requests], ensure_ascii=False)

    short, ran = spilled(session.requests), commands(session)

    def known(texts):
        """Those of the hooks' words that reached the model, as they did."""
        texts = [short.get(t.strip(), t) for t in texts]
        return [t for t in texts if json.dumps(t, ensure_ascii=False)[1:-1] in seen]

    for call, out in model.calls.items():
        out["_call"], out["_shell"] = call, [ran[call]] if call in ran else []
        if call in results:
            ended(session, out, results[call], items)
            out.setdefault("denied", not out["ran"] and bool(re.search(REFUSED, results[call])))
            if out["denied"]:
                out["reason"] = results[call]
            out.setdefault("context", [])
    told_why, session_context, prompt = set(), [], {"blocked": not session.requests, "context": []}
    for thread, run in runs:
        event, words = run["eventName"], {}
        for e in run["entries"]:
            words.setdefault(e["kind"], []).append(e["text"])
        out = next((o for c, o in model.calls.items() if run["id"].endswith(":" + c)), None)
        if event in ("preToolUse", "permissionRequest") and run["status"] == "blocked" and out is not None and id(out) not in told_why:
            told_why.add(id(out))  # of several refusals the model gets the first in the order of the configuration
            out["denied"], out["reason"] = True, "\n".join(words.get("feedback", []))
        if event in ("preToolUse", "postToolUse") and out is not None and "context" in out:
            told = words.get("context", []) + (words.get("feedback", []) + words.get("stop", []) if event == "postToolUse" else [])
            out["context"] += known(told)
        elif event == "sessionStart":
            session_context += known(words.get("context", []))
            if run["status"] == "stopped":
                prompt["reason"] = "\n".join(words.get("stop", []))
        elif event == "userPromptSubmit":
            prompt["context"] += known(words.get("context", []))
            if run["status"] in ("blocked", "stopped"):
                prompt["reason"] = "\n".join(words.get("feedback", []) + words.get("stop", []))
        elif event == "stop" and run["status"] == "blocked":
            session.followups += known(words.get("feedback", []))
        for kind in ("error", "warning"):
            session.warnings += ["%s hook: %s" % (event, t) for t in words.get(kind, [])]
    for out in session.steps:
        for k in ("_call", "_step", "_mark", "_before"):
            out.pop(k, None)
    for entry in session.listed:
        session.warnings += [w for w in entry["warnings"] if w not in session.warnings] + [e["message"] for e in entry["errors"]]
    session.warnings = list(dict.fromkeys(session.warnings))
    if session.raw:
        session.requests += app.notes
    status = "max_turns" if session.over else "timeout" if timeout else {"completed": "finished"}.get(last["status"], "error")
    detail = (last.get("error") or {}).get("message") or last["status"]
    result = {"version": version, "prompt": prompt, "session_context": session_context, "exit": status, "exit_detail": detail}
    if session.raw:
        result["listed"] = [{k: h[k] for k in ("key", "trustStatus", "currentHash", "enabled", "timeoutSec", "source")} for e in session.listed for h in e["hooks"]]
    return result
