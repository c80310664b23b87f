"""Runs the real Droid (`droid exec`) against a scripted OpenAI-compatible model, entered as a custom model of the user's settings.

A model of one's own needs no login; the key of the service is a dummy, its backend is out of reach."""
import json
import os
import pathlib
import re
import shlex

from chatmodel import Model, blocks_of, handler, json_lines
from session import Server

ISOLATED = True  # it starts in a network namespace even without root
PACKAGES = ("cli-linux-x64", "cli-linux-arm64")
# Sourced by every bash: the one that the client puts above a command of its Execute tool has that command as an argument
BASH_ENV = """unset BASH_ENV
if [ "$0" = factory-execute-supervisor ]; then
    printf '%s\\0' tool "$3" "$(printf '\\001')" >> {log}
fi
"""


# A refused call's result is "Error: " and the hook's own words; these are the errors of the tools themselves
FAILED = re.compile(r"Error: (Error |Command failed|MCP tool |Could not |File |No |The |Invalid |Tool )(?!execution blocked by hook)")


def to_droid(step, session):
    """A neutral step as the client's own tool call."""
    tool, more = step["tool"], step.get("more", {})
    if tool == "call":
        return step["name"], step["input"]
    if tool == "shell":
        return "Execute", {"command": step["command"], "summary": "step", "timeout": 60, "riskLevel": "low", "riskLevelReason": "step", "fireAndForget": False, **more}
    if tool == "mcp":
        return "%s___%s" % (step.get("server", "hb"), step["name"]), step.get("input", {})
    if tool == "agent":
        return "Task", {"subagent_type": step.get("agent", "worker"), "description": "step", "prompt": step["prompt"], **more}
    path = session.path(step.get("path", ""))
    if tool == "grep":
        return "Grep", {"pattern": step["pattern"], "path": path, "output_mode": "content", **more}
    if tool == "read":
        return "Read", {"file_path": path, **more}
    if tool == "write":
        return "Create", {"file_path": path, "content": step["content"], **more}
    return "Edit", {"file_path": path, "old_str": step["old"], "new_str": step["new"], "change_all": False, **more}


def binary(clients):
    for name in PACKAGES:
        package = pathlib.Path(clients) / "droid" / "node_modules" / "@factory" / name
        if (package / "bin" / "droid").exists():
            return str(package / "bin" / "droid"), json.loads((package / "package.json").read_text())["version"]
    raise SystemExit("live: Droid is not installed in %s; run setup" % clients)


def settle(session, url):
    file = session.home / ".factory" / "settings.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    own = json.loads(file.read_text()) if file.exists() else {}
    model = {"model": "mock", "id": "custom:mock", "index": 0, "displayName": "mock", "baseUrl": url + "/v1", "apiKey": "dummy",
             "provider": "generic-chat-completion-api", "maxOutputTokens": 4096}
    file.write_text(json.dumps({"customModels": [model], "cloudSessionSync": False, "enableDroidShield": False, "autoUpdate": False, **own}, indent=1))
    servers = session.mcp_servers()
    if servers:
        (session.home / ".factory" / "mcp.json").write_text(json.dumps({"mcpServers": {n: {"type": "stdio", **s} for n, s in servers.items()}}))


def run(session):
    if os.environ.get("HOOKBRIDGE_LIVE_NET") != "loopback":  # its backend shall not be asked
        raise SystemExit("live: droid only runs in a network namespace of its own, and `unshare` does not work here")
    exe, version = binary(session.clients_dir)
    model = Model(session, to_droid)
    bash_env = session.state / "bash_env"
    bash_env.write_text(BASH_ENV.format(log=shlex.quote(str(session.shell_log))))
    argv = [exe, "exec", "-m", "custom:mock", "-o", session.scenario.get("output", "stream-json")]
    auto = session.scenario.get("auto", "unsafe")
    argv += ["--skip-permissions-unsafe"] if auto == "unsafe" else ["--auto", auto] if auto else []
    argv += session.scenario.get("args", []) + [session.scenario.get("prompt", "go")]
    with Server(handler(model)) as server:
        settle(session, server.url)
        env = session.environ({"FACTORY_API_KEY": "fk-dummy", "FACTORY_DROID_AUTO_UPDATE_ENABLED": "false", "BASH_ENV": str(bash_env)})
        env = {k: v for k, v in env.items() if v != ""}
        code, stdout, stderr = session.run(argv, env)
    with session.lock:
        model.finish()
    return report(session, model, version, code, stdout, stderr)


def report(session, model, version, code, stdout, stderr):
    done, told, said = {}, [], []
    for e in json_lines(stdout):
        if e.get("type") == "tool_result":
            done[e.get("id")] = e
        elif e.get("type") == "message" and e.get("role") == "assistant":
            said.append(e.get("text", ""))
        elif e.get("type") in ("system", "error", "warning", "hook") and e.get("subtype") != "init":
            told.append(e.get("message") or e.get("text") or json.dumps(e))
    for call, (out, step) in model.calls.items():
        ended(session, out, step, done.get(call, {}))
    first = (model.main or [[]])[0]
    users = [blocks_of(m) for m in first if m["role"] == "user"]
    own = next((i for i, b in enumerate(users) if any(t.startswith("<system-reminder>") for t in b)), len(users))
    prompt = {"blocked": not model.main, "context": [t for b in users[own + 1:] for t in b if t != session.scenario.get("prompt", "go")]}
    session.warnings += list(dict.fromkeys(told + [l for l in stderr.splitlines() if l.strip()]))
    status = code if code in ("timeout", "max_turns") else "finished" if code == 0 else "error"
    return {"version": version, "prompt": prompt, "session_context": [t for b in users[:own] for t in b], "exit": status, "exit_detail": code, "answer": said[-1] if said else ""}


def ended(session, out, step, done):
    """Fill in a step from what the model got and from the client's own stream."""
    args, answer, beside = out.pop("_args", {}), out.pop("_answer", None), out.pop("_beside", [])
    for k in ("_id", "_name"):
        out.pop(k, None)
    text = "".join(answer or [])
    error = (done.get("error") or {}).get("message", "") if done.get("isError") else ""
    out["denied"] = bool(done.get("isError")) and not (out.get("_shell") or out.get("_mcp")) and text.startswith("Error: ") and not FAILED.match(text)
    out["ran"] = bool(done) and not done.get("isError") and not out["denied"]
    out["context"] = [t for t in beside if not t.startswith("<system-reminder>")]
    if out["denied"]:
        out["reason"] = text[len("Error: "):]
    if out["tool"] == "shell" and not out["denied"]:
        code = re.search(r"\[Process exited with code (\d+)\]\s*$", text)
        out["exit_code"] = int(code[1]) if code else None
        text = re.sub(r"\n*\[Process exited with code \d+\]\s*$", "", text)
    if out["tool"] in ("read", "grep", "call") and out["ran"]:
        out["input_as_run"] = {"path": session.path(args["file_path"])} if out["tool"] == "read" else args
    elif out["tool"] in ("write", "edit"):
        path = session.path(args.get("file_path", ""))
        rel = os.path.relpath(path, session.project)
        if rel in out.get("changed", []) and not out["denied"]:
            out["ran"], out["input_as_run"] = True, {"path": path, "content": (out["_after"].get(rel) or (0, 0, b""))[2].decode("utf8", "replace")}
    out["result"] = text if answer is not None else None
    out.pop("_before", None)
