"""Runs the real Qwen Code (headless, or in a pseudo-terminal with `answer`) against a scripted OpenAI-compatible model.

What the run needs is laid under the scenario's user settings. `bash`, which the client looks up on PATH for its shell
tool and for its hooks, is the session's wrapper: a hook has QWEN_PROJECT_DIR in its environment, a tool's command has not.
"""
import html
import json
import os
import pathlib
import re
import shlex
import shutil

from chatmodel import Model, blocks_of, handler, json_lines, text_of
from client_gemini import Terminal as GeminiTerminal, under
from session import Server

PACKAGE = pathlib.Path("qwen", "node_modules", "@qwen-code", "qwen-code")
MODEL = "mock"
WRAPPER = """#!/bin/sh
if [ "$1" = -c ] && [ $# = 2 ] && [ -z "$QWEN_PROJECT_DIR" ] && [ -n "$QWEN_CODE" ]; then
    printf '%s\\0' tool "$2" "$(printf '\\001')" >> {log}
fi
exec {bash} "$@"
"""
DEFAULTS = {
    "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": True}}, "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False}, "general": {"enableAutoUpdate": False, "disableAutoUpdate": True, "gitCoAuthor": False},
    "ide": {"enabled": False}, "model": {"name": MODEL}, "tools": {"useRipgrep": False, "shell": {"enableInteractiveShell": False}},
    "memory": {"enableManagedAutoMemory": False, "enableManagedAutoDream": False, "enableAutoSkill": False}}
CONTEXT = re.compile(r"<qwen:user-prompt-submit-context>\n(.*?)\n</qwen:user-prompt-submit-context>", re.S)
SESSION = re.compile(r'<qwen:session-start-context hidden="true">\nSessionStart additional context:\n(.*?)\n</qwen:session-start-context>', re.S)
# Requests of the client itself: suggestions for the next prompt, summaries
OTHER = re.compile(r"\[SUGGESTION MODE|You are the component that summarizes")
USUAL = ("Warning: running headless with", "Ripgrep not available", "(Use `node --trace-warnings ", "Error executing tool ", "Warning: Basic terminal", "Warning: 256-color")


def to_qwen(step, session):
    """A neutral step as the client's own tool call."""
    tool = step["tool"]
    more = step.get("more", {})
    if tool == "call":
        return step["name"], step["input"]
    if tool == "shell":
        return "run_shell_command", {"command": step["command"], "description": "step", "is_background": False, **more}
    if tool == "mcp":
        return "mcp__%s__%s" % (step.get("server", "hb"), step["name"]), step.get("input", {})
    if tool == "agent":
        return "agent", {"description": "step", "prompt": step["prompt"], "subagent_type": step.get("agent", "general-purpose"), "run_in_background": False, **more}
    path = session.path(step.get("path", ""))
    if tool == "grep":
        return "grep_search", {"pattern": step["pattern"], "path": path, **more}
    if tool == "read":
        return "read_file", {"file_path": path, **more}
    if tool == "write":
        return "write_file", {"file_path": path, "content": step["content"], **more}
    return "edit", {"file_path": path, "old_string": step["old"], "new_string": step["new"], **more}


class Terminal(GeminiTerminal):
    """Its dialogs look like the Gemini CLI's, whose descendant it is. The lines of `then` are typed before it is asked to quit."""

    def type(self, text):
        for line in self.s.scenario.get("then", []) if text == "/quit" else []:
            super().type(line)
            self.read(self.REST)
            while self.busy() and self.read(0.2):
                pass
            self.read(self.REST)
        super().type(text)


def last_words(body):
    return text_of(body["messages"][-1].get("content"))


def command(session):
    clients = pathlib.Path(session.clients_dir).resolve()
    package, node = clients / PACKAGE, clients / "node" / "node_modules" / "node" / "bin" / "node"
    if not (package / "package.json").exists() or not node.exists():
        raise SystemExit("live: Qwen Code or its node is not installed in %s; run setup" % clients)
    return [str(node), str(package / "cli.js")], json.loads((package / "package.json").read_text())["version"]


def settle_settings(session):
    file = session.home / ".qwen" / "settings.json"
    servers = {name: {**server, "trust": True} for name, server in session.mcp_servers().items()}
    try:
        own = json.loads(file.read_text()) if file.exists() else {}
    except ValueError:
        session.warnings.append("live: the user settings are not JSON, the run may lack what it needs")
        own = None
    file.parent.mkdir(parents=True, exist_ok=True)
    if own is not None:
        file.write_text(json.dumps(under({**DEFAULTS, "mcpServers": servers}, own), indent=1))
    trusted = session.home / ".qwen" / "trustedFolders.json"
    if session.scenario.get("trust", True) and not trusted.exists():
        trusted.write_text(json.dumps({str(d): "TRUST_FOLDER" for d in (session.project, session.folder)}))


def run(session):
    argv, version = command(session)
    model = Model(session, to_qwen, ours=lambda body: not OTHER.match(last_words(body)), added=CONTEXT.fullmatch)
    wrapper = session.state / "bin" / "bash"
    wrapper.write_text(WRAPPER.format(log=shlex.quote(str(session.shell_log)), bash=shutil.which("bash") or "/bin/bash"))
    settle_settings(session)
    dialogs = "answer" in session.scenario
    argv += ["--auth-type", "openai", "--approval-mode", session.scenario.get("mode", "default" if dialogs else "yolo")] + session.scenario.get("args", [])
    argv += ["-i" if dialogs else "-p", session.scenario.get("prompt", "go")]
    with Server(handler(model)) as server:
        env = session.environ({
            "OPENAI_BASE_URL": server.url + "/v1", "OPENAI_API_KEY": "dummy-key", "OPENAI_MODEL": MODEL, "QWEN_CODE_SUPPRESS_YOLO_WARNING": "1",
            "QWEN_CODE_SYSTEM_SETTINGS_PATH": str(session.state / "none" / "settings.json"), "QWEN_CODE_NO_RELAUNCH": "1", "QWEN_DEBUG_LOG_FILE": "1"})
        env = {k: v for k, v in env.items() if v != ""}  # a scenario takes a variable away with ""
        env["PATH"] = "%s:%s" % (session.state / "bin", env["PATH"])
        code, stdout, stderr = Terminal(session, model, argv, env).run() if dialogs else session.run(argv, env)
    with session.lock:
        model.finish()
    return report(session, model, version, code, stdout, stderr)


def transcript(session):
    """The records of the client's own transcripts."""
    return [r for f in session.home.glob(".qwen/projects/**/*.jsonl") for r in json_lines(f.read_text(errors="replace"))]


def report(session, model, version, code, stdout, stderr):
    done = {r["toolCallResult"]["callId"]: r["toolCallResult"] for r in transcript(session) if (r.get("toolCallResult") or {}).get("callId")}
    for call, (out, step) in model.calls.items():
        ended(session, out, step, done.get(call, {}))
    first = (model.main or [[]])[0]
    texts = [t for m in first if m["role"] == "user" for t in blocks_of(m)]
    system = "".join(t for m in first if m["role"] == "system" for t in blocks_of(m))
    lines = [l for l in stderr.splitlines() if l.strip()]
    prompt = {"blocked": not model.main, "context": [html.unescape(c) for t in texts for c in CONTEXT.findall(t)]}
    if prompt["blocked"]:
        found = re.search(r"(?:UserPromptSubmit|Prompt|UserPromptExpansion)[^\n]* blocked[^\n:]*: ([^\n]*)", stderr + "\n" + stdout)
        prompt["reason"] = found[1] if found else None
    session.warnings += list(dict.fromkeys(l for l in lines if not l.startswith(USUAL)))
    status = code if code in ("timeout", "max_turns") else "finished" if code == 0 else "error"
    return {"version": version, "prompt": prompt, "session_context": [html.unescape(c) for c in SESSION.findall(system)], "exit": status, "exit_detail": code,
            "answer": stdout.strip()}


def own_part(session, out, args, shown, text):
    """How much of a result is the tool's own; the rest was added by hooks."""
    if out["tool"] == "shell":
        found = re.match(r".*?^Process Group PGID: [^\n]*", text, re.S | re.M)
        return found[0] if found else text
    if out["tool"] == "read":
        file = out["_before"].get(os.path.relpath(session.path(args.get("file_path", "")), session.project))
        own = file[2].decode("utf8", "replace") if file else text
    elif out["tool"] == "write":
        own = text.split("\n", 1)[0]
    elif out["tool"] == "edit":
        found = re.match(r".*?\n---\n.*?\n---", text, re.S) or re.match(r".*?^Showing lines [^\n]*\n\n---\n.*", text, re.S | re.M)
        own = found[0] if found else text
    else:
        own = shown if out["tool"] == "mcp" and isinstance(shown, str) and shown else text
    return own if text.startswith(own) else text


def ended(session, out, step, done):
    """Fill in a step from what the model got and from the client's own record of the call."""
    args, answer, beside = out.pop("_args", {}), out.pop("_answer", None), out.pop("_beside", [])
    refused = out.pop("_refused", False)
    for k in ("_id", "_name"):
        out.pop(k, None)
    text, status = "".join(answer or []), done.get("status")
    ran_it = bool(out.get("_shell") or out.get("_mcp"))
    out["denied"] = done.get("executionStatus") == "not_started" or refused or done.get("errorType") == "execution_denied" and not ran_it
    out["ran"] = status == "success"
    context = [html.unescape(c) for t in beside for c in CONTEXT.findall(t)]
    if out["denied"]:
        out["ran"], out["reason"] = False, "refused in the dialog" if refused and not text else re.sub(r"^Error: ", "", text)
    elif answer is not None:
        own = own_part(session, out, args, done.get("resultDisplay"), text) if status == "success" else re.sub(r"\n\n[^\n]*\Z", "", text)
        added = text[len(own):].strip("\n")
        context = ([html.unescape(added)] if added else []) + context
        text = own
        if out["tool"] == "shell":
            code = re.search(r"^Exit Code: (\d+)$", own, re.M)
            shown = re.search(r"^Output: (.*?)^Error: ", own, re.S | re.M)
            out["exit_code"], text = int(code[1]) if code else None, shown[1].rstrip("\n").replace("(empty)", "") if shown else own
    out["context"] = context
    if out["tool"] in ("read", "grep", "call") and out["ran"]:
        out["input_as_run"] = {"path": session.path(args["file_path"])} if out["tool"] == "read" else args
    elif out["tool"] in ("write", "edit"):
        path = session.path(args.get("file_path", ""))
        rel = os.path.relpath(path, session.project)
        if rel in out.get("changed", []) and not out["denied"]:
            before = out["_before"].get(rel, (0, 0, b""))[2].decode("utf8", "replace")
            content = args["content"] if "content" in args else before.replace(args.get("old_string", ""), args.get("new_string", ""), 1)
            out["_after"][rel] = (0, 0, content.encode())
            out["ran"], out["input_as_run"] = True, {"path": path, "content": content}
    out["result"] = text if answer is not None else None
    out.pop("_before", None)
