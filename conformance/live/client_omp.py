"""Runs the real Oh My Pi (`omp -p --mode json`, on Bun) against a scripted OpenAI-compatible model, entered as a provider of the user's models.yml."""
import json
import os
import pathlib
import re
import time

from chatmodel import Model, blocks_of, handler, json_lines
from session import Server

ISOLATED = True  # its catalogue of models and its updates shall not be asked for
PACKAGE = pathlib.Path("omp", "node_modules", "@oh-my-pi", "pi-coding-agent")


TAG = "@TAG@"


def to_omp(step, session):
    tool, more = step["tool"], step.get("more", {})
    if hasattr(session, "model") and session.mcp_servers() and not session.model.calls:
        time.sleep(3)  # for the servers, which start beside the session
    if tool == "call":
        return step["name"], tagged(session, step["input"])
    if tool == "shell":
        return "bash", {"command": step["command"], **more}
    if tool == "mcp":
        return "mcp__%s_%s" % (step.get("server", "hb"), step["name"]), step.get("input", {})
    path = session.path(step.get("path", ""))
    if tool == "read":
        return "read", {"path": path, **more}
    if tool == "write":
        return "write", {"path": path, "content": step["content"], **more}
    if tool == "edit" and not hasattr(session, "model"):  # the form alone: `tools` fills it
        return "edit", {"input": "*** Begin Patch\n[%s#%s]\nPUT 1.=1:\n+%s\n*** End Patch" % (path, TAG, step["new"])}
    if tool == "edit":
        return "edit", {"input": patch(session, path, step["old"], step["new"])}
    return step["tool"], more


def tagged(session, value):
    """An input with the tag of the file that was read last."""
    tags = [t for out, _ in session.model.calls.values() for t in re.findall(r"\[[^\n\]]*#([0-9A-Fa-f]{4})\]", "".join(out.get("_answer") or []))]
    return json.loads(json.dumps(value).replace(TAG, tags[-1] if tags else "0000"))


def patch(session, path, old, new):
    """An edit in the client's default form: by lines, with the tag that a read told."""
    told = [re.findall(r"\[[^\n\]]*%s#([0-9A-Fa-f]{4})\]" % re.escape(os.path.basename(path)), "".join(out.get("_answer") or [])) for out, _ in session.model.calls.values()]
    tag = ([tags[-1] for tags in told if tags] or ["0000"])[-1]
    text = pathlib.Path(path).read_text() if os.path.exists(path) else ""
    was, will = text.split("\n"), text.replace(old, new, 1).split("\n")
    first = next((i for i, (a, b) in enumerate(zip(was, will)) if a != b), 0)
    while len(was) > first + 1 and len(will) > first + 1 and was[-1] == will[-1]:
        was, will = was[:-1], will[:-1]
    return "*** Begin Patch\n[%s#%s]\nPUT %d.=%d:\n%s\n*** End Patch" % (path, tag, first + 1, len(was), "\n".join("+" + l for l in will[first:]))


def run(session):
    if os.environ.get("HOOKBRIDGE_LIVE_NET") != "loopback":
        raise SystemExit("live: omp only runs in a network namespace of its own, and `unshare` does not work here")
    clients = pathlib.Path(session.clients_dir).resolve()
    package, bun = clients / PACKAGE, next((clients / "omp" / "node_modules" / "@oven").glob("bun-linux-*/bin/bun"))
    version = json.loads((package / "package.json").read_text())["version"]
    model = session.model = Model(session, to_omp)
    argv = [str(bun), str(package / "dist" / "cli.js"), "-p", "--mode", "json", "--no-title", "--no-lsp", "--no-skills", "--model", "mock/mock"]
    argv += session.scenario.get("mode_args", ["--auto-approve"]) + session.scenario.get("args", []) + [session.scenario.get("prompt", "go on")]
    with Server(handler(model)) as server:
        agent = session.home / ".omp" / "agent"
        agent.mkdir(parents=True, exist_ok=True)
        (agent / "models.yml").write_text("providers:\n  mock:\n    baseUrl: %s/v1\n    api: openai-completions\n    apiKey: dummy\n    models:\n      - id: mock\n        name: mock\n        contextWindow: 100000\n        maxTokens: 4096\n        cost: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0}\n" % server.url)
        servers = session.mcp_servers()
        if servers:  # as tools of their own, which with the default settings are files below xd://
            (agent / "mcp.json").write_text(json.dumps({"mcpServers": servers}))
            (agent / "config.yml").write_text("tools:\n  xdev: false\n")
        env = session.environ({"PI_OFFLINE": "1", "OMP_NO_UPDATE": "1", "PI_NO_TITLE": "1"})
        env = {k: v for k, v in env.items() if v != ""}
        code, stdout, stderr = session.run(argv, env)
    with session.lock:
        model.finish()
    events = list(json_lines(stdout))
    notes = {k: {e["toolCallId"]: e for e in events if e.get("type") == "tool_execution_" + k} for k in ("start", "end")}
    for call, (out, step) in model.calls.items():
        ended(session, out, step, notes["start"].get(call, {}).get("args"), notes["end"].get(call, {}).get("isError"))
    told = []
    for e in events:
        if "error" in str(e.get("type", "")):
            told.append(json.dumps(e)[:300])
    users = [t for m in (model.main or [[]])[0] if m["role"] == "user" for t in blocks_of(m)]
    session.warnings += list(dict.fromkeys(told + [l[:300] for l in stderr.splitlines() if l.strip()]))
    status = code if code in ("timeout", "max_turns") else "finished" if code == 0 else "error"
    return {"version": version, "prompt": {"blocked": not model.main, "context": [t[:400] for t in users if t != session.scenario.get("prompt", "go on") and "system-reminder" not in t]}, "session_context": [],
            "exit": status, "exit_detail": code, "answer": stdout[-600:] if not model.calls else ""}


HEAD = re.compile(r"\[[^\n]*#[0-9A-Fa-f]{4}\]\n")  # above a file's lines; not above what a hook put in their place
WALL = re.compile(r"\n*Wall time: [\d.]+ seconds\n?")
CODE = re.compile(r"\n*Command exited with code (\d+)\n?")
NEVER = re.compile(r"File not found|Path|Error|ENOENT|No such|Tool ")  # errors of the tools themselves


def ended(session, out, step, ran, failed):
    """Fill in a step: the shell is in the client's process, so the effect on the folder and the result tell."""
    args, answer, beside = out.pop("_args", {}), out.pop("_answer", None), out.pop("_beside", [])
    for k in ("_id", "_name"):
        out.pop(k, None)
    text = "".join(answer or [])
    done = bool(WALL.search(text))
    out["context"] = beside
    target = os.path.relpath(session.path(step.get("path", "")), session.project)
    effect = out["tool"] in ("write", "edit") and target in out.get("changed", [])  # hooks may write other files
    out["denied"] = answer is not None and bool(failed) and not done and not effect and not NEVER.match(text)
    out["ran"] = answer is not None and not out["denied"]
    if out["denied"]:
        out["reason"] = text
    if out["tool"] == "shell" and out["ran"]:
        head, wall, more = text.partition(WALL.search(text)[0]) if done else (text, "", "")
        code = CODE.search(text)
        out["exit_code"] = int(code[1]) if code else 0
        text = CODE.sub("", head)
        text = "" if text == "(no output)" else text
        if CODE.sub("", more).strip():
            out["context"] = [CODE.sub("", more).strip(), *beside]
        out["_shell"] = [(ran or args).get("command", "")]
    if out["tool"] == "read" and out["ran"]:
        out["input_as_run"] = {"path": session.path(args["path"])}
        text = re.sub(r"(?m)^\d+:", "", HEAD.sub("", text, count=1))
    if out["tool"] in ("write", "edit") and out["ran"]:
        path = session.path(step.get("path", ""))
        rel = os.path.relpath(path, session.project)
        if rel in out.get("changed", []):
            out["input_as_run"] = {"path": path, "content": (out["_after"].get(rel) or (0, 0, b""))[2].decode("utf8", "replace")}
    out["result"] = text if answer is not None else None
    out.pop("_before", None)
