"""Runs the real Letta Code (`letta -p`, its local backend) against a scripted OpenAI-compatible model.

The provider is entered as `letta connect openai-compatible` and `letta backend local` write it. Nothing leaves loopback.
"""
import json
import os
import pathlib
import re
import shlex

from chatmodel import Model, handler
from session import Server

ISOLATED = True  # it would ask for updates and prices
PACKAGE = pathlib.Path("letta", "node_modules", "@letta-ai", "letta-code")
# Sourced by every bash; a tool's command is one that the client itself starts, without the LETTA_HOOK_EVENT of its hooks
BASH_ENV = """unset BASH_ENV
if [ -n "$BASH_EXECUTION_STRING" ] && [ -z "$LETTA_HOOK_EVENT" ] && [ "$(readlink /proc/$PPID/exe)" = {exe} ]; then
    printf '%s\\0' tool "$BASH_EXECUTION_STRING" "$(printf '\\001')" >> {log}
fi
"""
def AUTH(url):
    at = "2026-01-01T00:00:00.000Z"
    return {"version": 1, "providers": {"openai-compatible": {
        "id": "local-provider-openai-compatible", "name": "openai-compatible", "provider_type": "openai-compatible",
	"provider_category": "byok",
        "auth": {"type": "api", "key": "dummy"}, "base_url": url + "/v1", "created_at": at, "updated_at": at}}}


REFUSED = re.compile(r"^Error: request to call tool denied\. User reason: (.*)", re.S)


def to_letta(step, session):
    """A neutral step as the client's own tool call."""
    tool, more = step["tool"], step.get("more", {})
    if tool == "call":
        return step["name"], step["input"]
    if tool == "shell":
        return "Bash", {"command": step["command"], "description": "step", **more}
    path = session.path(step.get("path", ""))
    if tool == "grep":
        return "Grep", {"pattern": step["pattern"], "path": path, **more}
    if tool == "read":
        return "Read", {"file_path": path, **more}
    if tool == "write":
        return "Write", {"file_path": path, "content": step["content"], **more}
    return "Edit", {"file_path": path, "old_string": step["old"], "new_string": step["new"], **more}


def command(session):
    clients = pathlib.Path(session.clients_dir).resolve()
    package, node = clients / PACKAGE, clients / "node" / "node_modules" / "node" / "bin" / "node"
    if not (package / "package.json").exists() or not node.exists():
        raise SystemExit("live: Letta Code or its node is not installed in %s" % clients)
    return [str(node), str(package / "letta.js")], json.loads((package / "package.json").read_text())["version"]


def run(session):
    if os.environ.get("HOOKBRIDGE_LIVE_NET") != "loopback":
        raise SystemExit("live: letta only runs in a network namespace of its own, and `unshare` does not work here")
    argv, version = command(session)
    model = Model(session, to_letta)
    bash_env = session.state / "bash_env"
    bash_env.write_text(BASH_ENV.format(exe=shlex.quote(os.path.realpath(argv[0])),
                                        log=shlex.quote(str(session.shell_log))))
    with Server(handler(model)) as server:
        env = session.environ({"BASH_ENV": str(bash_env), "DISABLE_AUTOUPDATER": "1", "LETTA_TELEMETRY_DISABLED": "1",
                               "DO_NOT_TRACK": "1"})
        env = {k: v for k, v in env.items() if v != ""}
        enter(session, server.url)
        argv += ["-p", session.scenario.get("prompt", "go on"), "--backend", "local", "--new-agent", "--personality",
	"blank", "--no-skills",
                 "--no-mods", "--reflection-trigger", "off", "--model", session.scenario.get("model",
	"openai-compatible/mock"), "--output-format", "stream-json"]
        argv += session.scenario.get("mode_args", ["--yolo"]) + session.scenario.get("args", [])
        code, stdout, stderr = session.run(argv, env)
    with session.lock:
        model.finish()
    return report(session, model, version, code, stdout, stderr)


def enter(session, url):
    file = session.home / ".letta" / "lc-local-backend" / "providers" / "auth.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(AUTH(url)))
    file = session.home / ".letta" / "settings.json"
    own = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps({"preferredBackendMode": "local", **own}))


def report(session, model, version, code, stdout, stderr):
    for call, (out, step) in model.calls.items():
        ended(session, out)
    prompt = {"blocked": not model.main,
	"context": []}  # headless no hook is called for a prompt: what is there is the client's own
    session.warnings += list(dict.fromkeys(l[:300] for l in stderr.splitlines() if l.strip()))
    status = code if code in ("timeout", "max_turns") else "finished" if code == 0 else "error"
    return {"version": version, "prompt": prompt, "session_context": [], "exit": status, "exit_detail": code,
	"answer": stdout[-1500:]}


REASON = re.compile(r"^Error: Tool execution blocked by hook\.\s*", re.S)
ADDED = re.compile(r"\n*\[Hook feedback\]:\n(.*)$", re.S)


def ended(session, out):
    """Fill in a step from what the model got."""
    args, answer, beside = out.pop("_args", {}), out.pop("_answer", None), out.pop("_beside", [])
    for k in ("_id", "_name"):
        out.pop(k, None)
    text = "".join(answer or [])
    added = ADDED.search(text)
    text = ADDED.sub("", text)
    out["denied"] = bool(REASON.match(text)) and not out.get("_shell")
    out["context"] = ([added[1]] if added else []) + beside
    if out["denied"]:
        out["reason"] = REASON.sub("", text).strip()
    failed = text.startswith(("Error", "Exit code: ", "File does not exist."))
    out["ran"] = answer is not None and not out["denied"] and (not failed or bool(out.get("_shell") or out.get("_mcp")))
    code = re.match(r"Exit code: (\d+)\n?", text)
    if out["tool"] == "shell" and answer is not None and not out["denied"]:
        out["ran"], out["exit_code"] = True, int(code[1]) if code else 0
        text = text[code.end():] if code else text
        text = "" if text == "(Command completed with no output)" else text
    if out["tool"] == "read" and out["ran"]:
        out["input_as_run"] = {"path": args["file_path"]}
        text = re.sub(r"(?m)^ *\d+\t", "", text)
    if out["tool"] in ("write", "edit"):
        path = session.path(args.get("file_path", ""))
        rel = os.path.relpath(path, session.project)
        if rel in out.get("changed", []) and not out["denied"]:
            out["ran"], out["input_as_run"] = True, {"path": path, "content": (out["_after"].get(rel) or (0, 0,
	b""))[2].decode("utf8", "replace")}
    out["result"] = text if answer is not None else None
    out.pop("_before", None)
