"""Runs the real Pi (`pi --mode json`) against a scripted OpenAI-compatible model, entered as a provider of the user's models.json.

Pi has no command hooks but TypeScript extensions. A scenario's `recorders` are extensions of the harness that note every handler's event and then
do what `plan` says (pi_rec.mjs); `files` may hold extensions of its own. One more extension, the probe, notes which calls were executed: a call
that ended without a result was refused by an extension."""
import json
import os
import pathlib
import re
import shlex

from chatmodel import Model, blocks_of, handler, json_lines
from session import HERE, Server

ISOLATED = True  # its catalogue of models and its updates shall not be asked for
PACKAGE = pathlib.Path("pi", "node_modules", "@earendil-works", "pi-coding-agent")
# Sourced by every bash; a command of the bash tool is the one that the client itself starts with -c
BASH_ENV = """unset BASH_ENV
if [ -n "$BASH_EXECUTION_STRING" ] && [ "$(readlink /proc/$PPID/exe)" = {exe} ]; then
    printf '%s\\0' tool "$BASH_EXECUTION_STRING" "$(printf '\\001')" >> {log}
fi
"""
NEVER = re.compile(r"Tool \S+ not found|Validation failed")  # what the client itself says of a call that no handler was asked about


def to_pi(step, session):
    """A neutral step as the client's own tool call."""
    tool, more = step["tool"], step.get("more", {})
    if tool == "call":
        return step["name"], step["input"]
    if tool == "shell":
        return "bash", {"command": step["command"], **more}
    if tool == "mcp":
        return "mcp__%s__%s" % (step.get("server", "hb"), step["name"]), step.get("input", {})
    path = session.path(step.get("path", ""))
    if tool == "grep":
        return "grep", {"pattern": step["pattern"], "path": path, **more}
    if tool == "read":
        return "read", {"path": path, **more}
    if tool == "write":
        return "write", {"path": path, "content": step["content"], **more}
    return "edit", {"path": path, "edits": [{"oldText": step["old"], "newText": step["new"]}], **more}


def command(session):
    clients = pathlib.Path(session.clients_dir).resolve()
    package, node = clients / PACKAGE, clients / "node" / "node_modules" / "node" / "bin" / "node"
    if not (package / "package.json").exists() or not node.exists():
        raise SystemExit("live: Pi or its node is not installed in %s; run setup" % clients)
    return [str(node), str(package / "dist" / "bundle" / "cli.js")], json.loads((package / "package.json").read_text())["version"]


def extension(session, label, what="recorder"):
    args = ", ".join(json.dumps(str(a)) for a in ((session.state, label) if what == "recorder" else (session.state,)))
    return "import { %s } from %s\nexport default %s(%s)\n" % (what, json.dumps(str(HERE / "pi_rec.mjs")), what, args)


def settle(session, url):
    agent = session.home / ".pi" / "agent"
    agent.mkdir(parents=True, exist_ok=True)
    (agent / "models.json").write_text(json.dumps({"providers": {"mock": {"baseUrl": url + "/v1", "api": "openai-completions", "apiKey": "dummy", "models": [{"id": "mock"}]}}}))
    servers = session.mcp_servers()
    if servers:
        (agent / "mcp.json").write_text(json.dumps({"mcpServers": {n: {**s, "exposure": "direct"} for n, s in servers.items()}}))
    for path, label in session.scenario.get("recorders", {}).items():
        base = session.home if path.startswith("~/") else session.project
        session._place(base / path.removeprefix("~/"), extension(session, label))
    (session.state / "probe.js").write_text(extension(session, None, "probe"))
    session.first = session.snapshot()


def run(session):
    if os.environ.get("HOOKBRIDGE_LIVE_NET") != "loopback":
        raise SystemExit("live: pi only runs in a network namespace of its own, and `unshare` does not work here")
    argv, version = command(session)
    model = Model(session, to_pi)
    bash_env = session.state / "bash_env"
    bash_env.write_text(BASH_ENV.format(exe=shlex.quote(os.path.realpath(argv[0])), log=shlex.quote(str(session.shell_log))))
    argv += ["--offline", "--provider", "mock", "--model", "mock", "-e", str(session.state / "probe.js"), "--mode", session.scenario.get("mode", "json")]
    argv += [] if session.scenario.get("trust", True) is None else ["--approve" if session.scenario.get("trust", True) else "--no-approve"]
    argv += [*session.scenario.get("args", []), session.scenario.get("prompt", "go on")]
    with Server(handler(model)) as server:
        settle(session, server.url)
        env = session.environ({"BASH_ENV": str(bash_env), "SHLVL": "3"})
        env = {k: v for k, v in env.items() if v != ""}
        code, stdout, stderr = session.run(argv, env)
    with session.lock:
        model.finish()
    return report(session, model, version, code, stdout, stderr)


def report(session, model, version, code, stdout, stderr):
    probe = session.state / "probe.jsonl"
    notes = list(json_lines(probe.read_text())) if probe.exists() else []
    for call, (out, step) in model.calls.items():
        ended(session, out, {n["at"]: n for n in notes if n["call"] == call})
    first = (model.main or [[]])[0]
    users = [t for m in first if m["role"] == "user" for t in blocks_of(m)]
    asked = session.scenario.get("prompt", "go on")
    said, told = [], []
    for e in json_lines(stdout):
        m = e.get("message", {})
        if e.get("type") == "message_end" and m.get("role") == "assistant":
            said += [b["text"] for b in m.get("content", []) if b.get("type") == "text"]
        elif e.get("type") in ("extension_error", "error"):
            told.append("%s: %s" % (e.get("event") or e["type"], e.get("error") or e.get("message")))
    prompt = {"blocked": not model.main, "context": [t for t in users if t != asked]}
    if users and asked not in users:
        prompt["as_sent"] = users[-1]
    session.warnings += list(dict.fromkeys(told + [l for l in stderr.splitlines() if l.strip()]))
    status = code if code in ("timeout", "max_turns") else "finished" if code == 0 else "error"
    return {"version": version, "prompt": prompt, "session_context": [], "exit": status, "exit_detail": code, "answer": said[-1] if said else ""}


def ended(session, out, notes):
    """Fill in a step from what the model got and from the probe's notes."""
    args, answer, beside = out.pop("_args", {}), out.pop("_answer", None), out.pop("_beside", [])
    for k in ("_id", "_name"):
        out.pop(k, None)
    text = "".join(answer or [])
    own = notes.get("result", {}).get("text")
    if own and text.startswith(own):  # what extensions add stands behind it
        text, beside = own, [*beside, *filter(None, [text[len(own):].strip()])]
    effect = bool(out.get("_shell") or out.get("_mcp"))
    done = notes.get("result", {})
    out["denied"] = "start" in notes and not done and bool(notes.get("end", {}).get("error")) and not effect and not NEVER.match(text)
    out["ran"] = bool(done) and not done.get("error")
    out["context"] = beside
    if out["denied"]:
        out["reason"] = text
    args = done.get("input") or args
    if out["tool"] in ("read", "grep", "call") and out["ran"]:
        out["input_as_run"] = {"path": session.path(args["path"])} if out["tool"] == "read" else args
    elif out["tool"] in ("write", "edit"):
        path = session.path(args.get("path", ""))
        rel = os.path.relpath(path, session.project)
        if rel in out.get("changed", []) and not out["denied"]:
            out["ran"], out["input_as_run"] = True, {"path": path, "content": (out["_after"].get(rel) or (0, 0, b""))[2].decode("utf8", "replace")}
    code = re.search(r"\n*Command exited with code (\d+)$", text)
    if out["tool"] == "shell" and done:
        out["ran"], out["exit_code"] = True, int(code[1]) if code else 0
        text = text[:code.start()] if code else "" if text == "(no output)" else text
    out["result"] = text if answer is not None else None
    out.pop("_before", None)
