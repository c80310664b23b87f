"""Runs the real Command Code (`cmd -p --local-only`) against a scripted OpenAI-compatible model, entered in the user's providers.json."""
import json
import os
import pathlib
import re

from chatmodel import Model, blocks_of, handler, json_lines
from session import Server

ISOLATED = True  # telemetry, updates and its own service shall not be asked for
PACKAGE = pathlib.Path("commandcode", "node_modules", "command-code")


def to_commandcode(step, session):
    tool, more = step["tool"], step.get("more", {})
    if tool == "call":
        return step["name"], step["input"]
    if tool == "shell":
        return "shell_command", {"command": step["command"], "description": "step", **more}
    path = session.path(step.get("path", ""))
    if tool == "mcp":
        return "mcp__%s__%s" % (step.get("server", "hb"), step["name"]), step.get("input", {})
    if tool == "grep":
        return "grep", {"pattern": step["pattern"], "path": path, **more}
    if tool == "read":
        return "read_file", {"file_path": path, **more}
    if tool == "write":
        return "write_file", {"file_path": path, "content": step["content"], **more}
    return "edit_file", {"file_path": path, "old_string": step["old"], "new_string": step["new"], **more}


def run(session):
    if os.environ.get("HOOKBRIDGE_LIVE_NET") != "loopback":
        raise SystemExit("live: commandcode only runs in a network namespace of its own, and `unshare` does not work here")
    clients = pathlib.Path(session.clients_dir).resolve()
    package, node = clients / PACKAGE, clients / "node" / "node_modules" / "node" / "bin" / "node"
    version = json.loads((package / "package.json").read_text())["version"]
    model = Model(session, to_commandcode)
    argv = [str(node), str(package / "dist" / "index.mjs"), "-p", session.scenario.get("prompt", "go on"), "--local-only", "-m", "mock/mock", "--output-format", "json",
            "--skip-onboarding", "--no-auto-update", "--no-skills"]
    argv += session.scenario.get("mode_args", ["--yolo"]) + (["--trust"] if session.scenario.get("trust", True) else []) + session.scenario.get("args", [])
    with Server(handler(model)) as server:
        own = session.home / ".commandcode"
        own.mkdir(parents=True, exist_ok=True)
        (own / "providers.json").write_text(json.dumps({"provider": {"mock": {"api": "openai-completions", "baseURL": server.url + "/v1", "apiKey": False,
                                                                                "models": {"mock": {"name": "mock", "contextWindow": 100000}}}}}))
        servers = session.mcp_servers()
        if servers:
            (own / "mcp.json").write_text(json.dumps({"mcpServers": servers}))
        env = session.environ({"CMD_LOCAL_ONLY": "1", "COMMAND_CODE_API_KEY": "dummy", "DO_NOT_TRACK": "1"})
        env = {k: v for k, v in env.items() if v != ""}
        code, stdout, stderr = session.run(argv, env)
    with session.lock:
        model.finish()
    for out, step in model.calls.values():
        ended(session, out)
    session.followups[:] = [RETRY.sub("", t) for t in session.followups]
    users = [t for m in (model.main or [[]])[0] if m["role"] == "user" for t in blocks_of(m)]
    session.warnings += list(dict.fromkeys(l[:300] for l in stderr.splitlines() if l.strip()))
    session.warnings += [json.dumps(e)[:300] for e in json_lines(stdout) if e.get("type") in ("notice", "error") or "hook" in json.dumps(e)[:200]]
    status = code if code in ("timeout", "max_turns") else "finished" if code == 0 else "error"
    return {"version": version, "prompt": {"blocked": not model.main, "context": [t[:300] for t in users if t != session.scenario.get("prompt", "go on")]}, "session_context": [],
            "exit": status, "exit_detail": code, "answer": stdout[-800:] if not model.calls else ""}


BLOCKED = re.compile(r"\n\n\(Blocked by hook policy\..*\)$", re.S)
CONTEXT = re.compile(r'\n*<hook_context source="\w+" tool="\w+">(.*?)</hook_context>', re.S)
RETRY = re.compile(r"^A Stop hook rejected your previous response .*? Reason: ", re.S)


def ended(session, out):
    """Fill in a step from what the model got: the result with what hooks put behind it."""
    args, answer, beside = out.pop("_args", {}), out.pop("_answer", None), out.pop("_beside", [])
    for k in ("_id", "_name"):
        out.pop(k, None)
    text = "".join(answer or [])
    out["denied"] = bool(BLOCKED.search(text))
    if out["denied"]:
        out["reason"] = BLOCKED.sub("", text)
    out["context"] = CONTEXT.findall(text) + beside
    text = CONTEXT.sub("", text)
    failed = text.startswith("Error: ")
    out["ran"] = answer is not None and not out["denied"] and (not failed or bool(out.get("_mcp")))
    code = re.match(r"Exit code: (\d+)\n?", text)
    if out["tool"] == "shell" and answer is None and out.get("changed"):  # the run ended before the model got the result
        out["ran"], out["_shell"] = True, [args.get("command", "")]
    elif out["tool"] == "shell" and out["ran"]:  # the client rewrites nothing
        out["_shell"], out["exit_code"] = [args.get("command", "")], int(code[1]) if code else 0
        text = text[code.end():] if code else text
    if out["tool"] == "read" and out["ran"]:
        out["input_as_run"] = {"path": args["file_path"]}
        text = re.sub(r"(?m)^\d+: ", "", re.sub(r"^Read \d+/\d+ files?, \d+ lines?\n", "", text))
    if out["tool"] in ("write", "edit"):
        path = session.path(args.get("file_path", ""))
        rel = os.path.relpath(path, session.project)
        if rel in out.get("changed", []) and not out["denied"]:
            out["ran"], out["input_as_run"] = True, {"path": path, "content": (out["_after"].get(rel) or (0, 0, b""))[2].decode("utf8", "replace")}
    out["result"] = text if answer is not None else None
    out.pop("_before", None)
