"""Runs the real Cline CLI headless (`cline --json PROMPT`) against a scripted OpenAI-compatible model, entered as a provider of the user's settings.

The run itself happens in the client's background hub; it is ended with the session."""
import json
import os
import pathlib
import re
import shlex

from chatmodel import Model, blocks_of, handler, json_lines
from session import Server

ISOLATED = True  # its updates, telemetry and lists of models shall not be asked for
PACKAGES = ("cli-linux-x64", "cli-linux-arm64")
# Sourced by every bash; a command of run_commands is the one that the client itself starts with -c
BASH_ENV = """unset BASH_ENV
if [ -n "$BASH_EXECUTION_STRING" ] && [ "$(readlink /proc/$PPID/exe)" = {exe} ]; then
    printf '%s\\0' tool "$BASH_EXECUTION_STRING" "$(printf '\\001')" >> {log}
fi
"""
HOOK = re.compile(r"<hook_context source=[^>]*>\n(.*?)\n</hook_context>", re.S)
REFUSED = re.compile(r"a hook refused this call \(|mkdir '/dev/null'|Invalid input")
QUIET = {"CLINE_TELEMETRY_DISABLED": "1", "CLINE_NO_AUTO_UPDATE": "1", "NO_UPDATE_NOTIFIER": "1", "CLINE_DISABLE_CLINE_PASS_NOTICE": "1", "AI_SDK_LOG_WARNINGS": "false"}


def to_cline(step, session):
    """A neutral step as the client's own tool call."""
    tool, more = step["tool"], step.get("more", {})
    if tool == "call":
        return step["name"], step["input"]
    if tool == "shell":
        return "run_commands", {"commands": [step["command"]], **more}
    if tool == "mcp":
        return "%s__%s" % (step.get("server", "hb"), step["name"]), step.get("input", {})
    if tool == "agent":
        return "spawn_agent", {"systemPrompt": step.get("agent", "You are a worker."), "task": step["prompt"], **more}
    path = session.path(step.get("path", ""))
    if tool == "grep":
        return "search_codebase", {"queries": [step["pattern"]], **more}
    if tool == "read":
        return "read_files", {"files": [{"path": path}], **more}
    if tool == "write":
        return "editor", {"path": path, "new_text": step["content"], **more}
    return "editor", {"path": path, "old_text": step["old"], "new_text": step["new"], **more}


def binary(clients):
    for name in PACKAGES:
        package = pathlib.Path(clients).resolve() / "cline" / "node_modules" / "@cline" / name
        if (package / "bin" / "cline").exists():
            return str(package / "bin" / "cline"), json.loads((package / "package.json").read_text())["version"]
    raise SystemExit("live: Cline is not installed in %s; run setup" % clients)


def settle(session, url):
    settings = session.home / ".cline" / "data" / "settings"
    settings.mkdir(parents=True, exist_ok=True)
    provider = {"provider": "openai-compatible", "apiKey": "dummy", "model": "mock", "baseUrl": url + "/v1"}
    (settings / "providers.json").write_text(json.dumps({"version": 1, "lastUsedProvider": "openai-compatible", "modes": {}, "providers": {
        "openai-compatible": {"settings": provider, "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual"}}}))
    servers = session.mcp_servers()
    if servers:
        (settings / "cline_mcp_settings.json").write_text(json.dumps({"mcpServers": servers}))


def run(session):
    if os.environ.get("HOOKBRIDGE_LIVE_NET") != "loopback":
        raise SystemExit("live: cline only runs in a network namespace of its own, and `unshare` does not work here")
    exe, version = binary(session.clients_dir)
    model = Model(session, to_cline)
    bash_env = session.state / "bash_env"
    bash_env.write_text(BASH_ENV.format(exe=shlex.quote(exe), log=shlex.quote(str(session.shell_log))))
    argv = [exe, "--json", *session.scenario.get("args", []), session.scenario.get("prompt", "go on")]
    with Server(handler(model)) as server:
        settle(session, server.url)
        env = session.environ({**QUIET, "BASH_ENV": str(bash_env), "SHLVL": "3"})
        env = {k: v for k, v in env.items() if v != ""}
        code, stdout, stderr = session.run(argv, env)
    with session.lock:
        model.finish()
    return report(session, model, version, code, stdout, stderr)


def report(session, model, version, code, stdout, stderr):
    told, said, last, done = [], [], {}, {}
    for e in json_lines(stdout):
        event = e.get("event", {})
        if event.get("type") == "content_end":
            if event.get("contentType") == "tool":
                done[event.get("toolCallId")] = event
            elif event.get("contentType") == "text":
                said.append(event.get("text", ""))
        elif e.get("type") == "run_result":
            last = e
        elif e.get("type") in ("error", "run_aborted"):
            told.append("%s: %s" % (e["type"], e.get("message")))
        elif event.get("type") in ("error", "notice"):
            told.append("%s: %s" % (event["type"], event.get("message") or json.dumps(event.get("error"))))
    aborted = last.get("finishReason") == "aborted"
    for call, (out, step) in model.calls.items():
        ended(session, out, step, done.get(call, {}), aborted)
    first = (model.main or [[]])[0]
    users = [t for m in first if m["role"] == "user" for t in blocks_of(m)]
    prompt = {"blocked": not model.main, "context": users[1:]}
    session.warnings += list(dict.fromkeys(told + [l for l in stderr.splitlines() if l.strip() and "AI SDK Warning" not in l and not l.startswith("      at ")]))
    status = code if code in ("timeout", "max_turns") else "aborted" if aborted else "finished" if code == 0 else "error"
    return {"version": version, "prompt": prompt, "session_context": [], "exit": status, "exit_detail": code, "answer": said[-1] if said else ""}


def ended(session, out, step, done, aborted):
    """Fill in a step from what the model got; a refused call ends the run, so that it gets nothing."""
    args, answer, beside = out.pop("_args", {}), out.pop("_answer", None), out.pop("_beside", [])
    for k in ("_id", "_name"):
        out.pop(k, None)
    text = "".join(answer or [])
    try:
        got = json.loads(text)
        got = got if isinstance(got, list) else [got]
        got = [g for g in got if isinstance(g, dict)]
    except ValueError:
        got = []
    effect = bool(out.get("_shell") or out.get("_mcp"))
    out["denied"] = answer is None and aborted and not effect and not out.get("changed") and not done
    out["ran"] = answer is not None and bool(got or text) and all(g.get("success", "error" not in g) for g in got)
    out["context"] = [c for t in beside for c in (HOOK.findall(t) or [t])]
    if out["tool"] == "shell" and answer is not None and got:
        error = got[0].get("error", "")
        out["exit_code"] = 0 if got[0].get("success") else int(error.rsplit(" ", 1)[1]) if error.startswith("Command exited with code ") else None
    if out["tool"] in ("read", "grep", "call", "agent") and out["ran"]:
        out["input_as_run"] = {"path": session.path(got[0].get("query", "").split(":")[0])} if out["tool"] == "read" and got else args
    elif out["tool"] in ("write", "edit"):
        path = session.path(args.get("path", ""))
        rel = os.path.relpath(path, session.project)
        if rel in out.get("changed", []) and not out["denied"]:
            out["ran"], out["input_as_run"] = True, {"path": path, "content": (out["_after"].get(rel) or (0, 0, b""))[2].decode("utf8", "replace")}
    refused = REFUSED.search(text) if answer is not None else None
    if refused:  # the call alone, by an input that does nothing or that the tool rejects
        out["denied"], out["ran"], out["reason"] = True, False, "\n".join(out["context"])
        answer, out["context"], out["_shell"] = None, [], []
        for k in ("exit_code", "input_as_run"):
            out.pop(k, None)
    if answer is not None:
        if out["tool"] == "read":  # without the numbers of lines
            got = [{**g, "result": re.sub(r"(?m)^\d+ \| ", "", g["result"])} if isinstance(g.get("result"), str) else g for g in got]
        if out["tool"] == "mcp" and got and isinstance(got[0].get("content"), list):
            got = [{"result": c.get("text")} for c in got[0]["content"]]
        got = [{**g, "result": re.sub(r"^\[Command exited with code \d+\]\n", "", g["result"])} if isinstance(g.get("result"), str) else g for g in got]
        words = [g.get("result") or g.get("error") or g.get("text", g.get("result")) for g in got]
        out["result"] = "\n".join(words) if words and all(isinstance(w, str) for w in words) else text
    else:
        out["result"] = None
    out.pop("_before", None)
