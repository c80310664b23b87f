"""Runs the real Kimi Code (`kimi -p`) against a scripted OpenAI-compatible model, entered as a provider of the user's config.toml.

Its hooks stand in that same file, so the harness puts its own tables before the scenario's text."""
import json
import os
import pathlib
import re
import shlex

from chatmodel import Model, blocks_of, handler, json_lines
from session import Server

PACKAGE = pathlib.Path("kimi", "node_modules", "@moonshot-ai", "kimi-code")
CONFIG = """default_model = "mock"
telemetry = false
{own_top}
[providers.mock]
type = "openai"
base_url = "{url}/v1"
api_key = "dummy"

[models.mock]
provider = "mock"
model = "mock"
max_context_size = 200000
capabilities = ["tool_use"]

{own}
"""
# Sourced by the bash that the client starts for a command of its Bash tool
BASH_ENV = """unset BASH_ENV
case $BASH_EXECUTION_STRING in
"cd "*" && "*) printf '%s\\0' tool "${{BASH_EXECUTION_STRING#cd * && }}" "$(printf '\\001')" >> {log} ;;
esac
"""
ERROR = "<system>ERROR: Tool execution failed.</system>\n"
FAILED = re.compile(r"Process exited|Command failed|ripgrep|File |Path |\"|old_string|No |Error|agent")  # errors of the tools themselves
HOOK = re.compile(r'<hook_result hook_event="UserPromptSubmit">\n(.*?)\n</hook_result>', re.S)


def to_kimi(step, session):
    """A neutral step as the client's own tool call."""
    tool, more = step["tool"], step.get("more", {})
    if tool == "call":
        return step["name"], step["input"]
    if tool == "shell":
        return "Bash", {"command": step["command"], **more}
    if tool == "mcp":
        return "mcp__%s__%s" % (step.get("server", "hb"), step["name"]), step.get("input", {})
    if tool == "agent":
        return "Agent", {"description": "step", "prompt": step["prompt"], "subagent_type": step.get("agent", "coder"), **more}
    path = session.path(step.get("path", ""))
    if tool == "grep":
        return "Grep", {"pattern": step["pattern"], "path": path, "output_mode": "content", **more}
    if tool == "read":
        return "Read", {"path": path, **more}
    if tool == "write":
        return "Write", {"path": path, "content": step["content"], **more}
    return "Edit", {"path": path, "old_string": step["old"], "new_string": step["new"], **more}


def command(session):
    clients = pathlib.Path(session.clients_dir).resolve()
    package, node = clients / PACKAGE, clients / "node" / "node_modules" / "node" / "bin" / "node"
    if not (package / "package.json").exists() or not node.exists():
        raise SystemExit("live: Kimi Code or its node is not installed in %s; run setup" % clients)
    return [str(node), str(package / "dist" / "main.mjs")], json.loads((package / "package.json").read_text())["version"]


def settle(session, url):
    home = session.home / ".kimi-code"
    home.mkdir(exist_ok=True)
    file = home / "config.toml"
    own = file.read_text() if file.exists() else ""
    top, _, tables = own.partition("[") if not own.startswith("[") else ("", "[", own[1:])
    file.write_text(CONFIG.format(url=url, own_top=top, own="[" + tables if tables else ""))
    servers = session.mcp_servers()
    if servers:
        (home / "mcp.json").write_text(json.dumps({"mcpServers": servers}))


def run(session):
    argv, version = command(session)
    model = Model(session, to_kimi)
    bash_env = session.state / "bash_env"
    bash_env.write_text(BASH_ENV.format(log=shlex.quote(str(session.shell_log))))
    argv += session.scenario.get("args", []) + ["--output-format", "stream-json", "-p", session.scenario.get("prompt", "go")]
    with Server(handler(model)) as server:
        settle(session, server.url)
        env = session.environ({"BASH_ENV": str(bash_env), "SHLVL": "3"})  # a first shell whose stdin is a socket would take itself for one of sshd's
        env = {k: v for k, v in env.items() if v != ""}
        code, stdout, stderr = session.run(argv, env)
    with session.lock:
        model.finish()
    return report(session, model, version, code, stdout, stderr)


def report(session, model, version, code, stdout, stderr):
    for call, (out, step) in model.calls.items():
        ended(session, out, step)
    first = (model.main or [[]])[0]
    users = [t for m in first if m["role"] == "user" for t in blocks_of(m)]
    said = [e["content"] for e in json_lines(stdout) if e.get("role") == "assistant" and isinstance(e.get("content"), str)]
    prompt = {"blocked": not model.main, "context": [c for t in users for c in HOOK.findall(t)]}
    if prompt["blocked"]:
        found = re.match(r"UserPromptSubmit hook(?: blocked)?\n\n(.*)", said[-1], re.S) if said else None
        prompt["reason"] = found[1] if found else said[-1] if said else None
    session.warnings += list(dict.fromkeys(l for l in stderr.splitlines() if l.strip() and not l.startswith("To resume this session")))
    status = code if code in ("timeout", "max_turns") else "finished" if code == 0 else "error"
    return {"version": version, "prompt": prompt, "session_context": [], "exit": status, "exit_detail": code, "answer": said[-1] if said else ""}


def ended(session, out, step):
    """Fill in a step from what the model got."""
    args, answer, beside = out.pop("_args", {}), out.pop("_answer", None), out.pop("_beside", [])
    for k in ("_id", "_name"):
        out.pop(k, None)
    text = re.sub(r"^Wall time: [\d.]+ seconds\n", "", "".join(answer or []))
    failed = text.startswith(ERROR)
    text = text.removeprefix(ERROR)
    effect = bool(out.get("_shell") or out.get("_mcp"))
    out["denied"] = failed and not effect and not FAILED.match(text)
    out["ran"] = answer is not None and not failed
    out["context"] = [t for t in beside if not t.startswith("<system-reminder>")]
    if out["denied"]:
        out["reason"] = text
    if out["tool"] == "shell" and not out["denied"] and answer is not None:
        code = re.search(r"Command failed with exit code: (\d+)", text)
        out["exit_code"] = int(code[1]) if code else 0
    if out["tool"] in ("read", "grep", "call") and out["ran"]:
        out["input_as_run"] = {"path": session.path(args["path"])} if out["tool"] == "read" else args
    elif out["tool"] in ("write", "edit"):
        path = session.path(args.get("path", ""))
        rel = os.path.relpath(path, session.project)
        if rel in out.get("changed", []) and not out["denied"]:
            out["ran"], out["input_as_run"] = True, {"path": path, "content": (out["_after"].get(rel) or (0, 0, b""))[2].decode("utf8", "replace")}
    if out["tool"] == "agent" and answer is not None:
        found = re.search(r"\[summary\]\n(.*?)\n\nresume_hint:", text, re.S)
        text = found[1] if found else text
    out["result"] = re.sub(r"\n<system>[^<]*</system>$", "", text) if answer is not None else None
    out.pop("_before", None)
