"""Runs the real Auggie (Augment's CLI, `auggie --print`) against a mock of its backend on loopback, which plays the model too.

A session file names the backend and holds a dummy token, so that no login is needed."""
import json
import os
import pathlib
import re
import shlex
from http.server import BaseHTTPRequestHandler

from chatmodel import Model
from session import Server

ISOLATED = True  # its backend shall not be asked
PACKAGE = pathlib.Path("auggie", "node_modules", "@augmentcode", "auggie")

# Sourced by every bash; a command of launch-process is one that the client itself starts with -c and that is not a hook
BASH_ENV = """unset BASH_ENV
if [ -n "$BASH_EXECUTION_STRING" ] && [ -z "$AUGMENT_HOOK_EVENT" ] && [ "$(readlink /proc/$PPID/exe)" = {exe} ]; then
    printf '%s\\0' tool "$BASH_EXECUTION_STRING" "$(printf '\\001')" >> {log}
fi
"""
BLOCKED = re.compile(r"(\A|\n\n)(PreToolUse:\S+ hook returned blocking error|Tool execution blocked by hook: \S+)\Z")  # follows the hook's own words


def to_auggie(step, session):
    """A neutral step as the client's own tool call."""
    tool, more = step["tool"], step.get("more", {})
    if tool == "call":
        return step["name"], step["input"]
    if tool == "shell":
        return "launch-process", {"command": step["command"], "wait": True, "max_wait_seconds": 60, "cwd": str(session.project), **more}
    if tool == "mcp":
        return "%s_%s" % (step["name"], step.get("server", "hb")), step.get("input", {})
    path = step.get("path", "")
    if tool == "delete":
        return "remove-files", {"file_paths": [path], **more}
    if tool == "grep":
        return "view", {"type": "file", "path": path, "search_query_regex": step["pattern"], **more}
    if tool == "read":
        return "view", {"type": "file", "path": path, **more}
    if tool == "write":
        return "save-file", {"path": path, "file_content": step["content"], "add_last_line_newline": False, **more}
    return "str-replace-editor", {"command": "str_replace", "path": path, "str_replace_entries": [{"old_str": step["old"], "new_str": step["new"]}], **more}


def command(session):
    clients = pathlib.Path(session.clients_dir).resolve()
    package, node = clients / PACKAGE, clients / "node" / "node_modules" / "node" / "bin" / "node"
    if not (package / "augment.mjs").exists() or not node.exists():
        raise SystemExit("live: Auggie or its node is not installed in %s; run setup" % clients)
    return [str(node), str(package / "augment.mjs")], json.loads((package / "package.json").read_text())["version"]


def messages(body):
    """The conversation of a request in the form of a chat completion."""
    out = []
    for turn in body.get("chat_history", []) + [{"request_message": body.get("message"), "request_nodes": body.get("nodes", [])}]:
        results = [n["tool_result_node"] for n in turn.get("request_nodes", []) if n.get("tool_result_node")]
        out += [{"role": "tool", "tool_call_id": r["tool_use_id"], "content": r.get("content", ""), "error": bool(r.get("is_error"))} for r in results]
        texts = [n["text_node"]["content"] for n in turn.get("request_nodes", []) if n.get("text_node")]
        if turn.get("request_message") and turn["request_message"] not in texts:
            texts.insert(0, turn["request_message"])
        out += [{"role": "user", "content": t} for t in texts]
        uses = [n["tool_use"] for n in turn.get("response_nodes", []) if n.get("tool_use")]
        said = turn.get("response_text")
        if uses or said:
            out.append({"role": "assistant", "content": said or None, "tool_calls": [{"id": u["tool_use_id"], "function": {"name": u["tool_name"]}} for u in uses]})
    return out


def handler(model):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *a):
            pass

        def send(self, status, data):
            data = data if isinstance(data, bytes) else json.dumps(data).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self):
            self.send(200, {})

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            if self.path == "/get-models":
                mock = {"name": "mock", "suggested_prefix_char_count": 0, "suggested_suffix_char_count": 0}
                return self.send(200, {"default_model": "mock", "models": [mock], "languages": [], "feature_flags": {"enable_hooks": True, **model.s.scenario.get("flags", {})}, "user_tier": "ENTERPRISE_TIER"})
            if self.path == "/agents/list-remote-tools":
                return self.send(200, {"tools": []})
            if self.path == "/agents/check-tool-safety":
                return self.send(200, {"is_safe": True})
            if self.path != "/chat-stream":
                return self.send(200, {})
            body["tools"] = body.get("tool_definitions")
            body["messages"] = messages(body)
            for m in body["messages"]:
                if m.get("error") and m["tool_call_id"] in model.calls:
                    model.calls[m["tool_call_id"]][0].setdefault("_error", True)
            message = model.reply(body, self.headers)
            nodes, n = [], 0
            if message.get("content"):
                nodes.append({"id": n, "type": 0, "content": message["content"]})
            for call in message.get("tool_calls", []):
                n += 1
                use = {"tool_use_id": call["id"], "tool_name": call["function"]["name"], "input_json": call["function"]["arguments"]}
                nodes.append({"id": n, "type": 5, "content": "", "tool_use": use})
            lines = [{"text": message.get("content") or "", "nodes": nodes}, {"text": "", "nodes": [], "stop_reason": 3 if message.get("tool_calls") else 1}]
            self.send(200, "".join(json.dumps(l) + "\n" for l in lines).encode())

    return Handler


def run(session):
    if os.environ.get("HOOKBRIDGE_LIVE_NET") != "loopback":
        raise SystemExit("live: auggie only runs in a network namespace of its own, and `unshare` does not work here")
    argv, version = command(session)
    model = Model(session, to_auggie)
    bash_env = session.state / "bash_env"
    bash_env.write_text(BASH_ENV.format(exe=shlex.quote(os.path.realpath(argv[0])), log=shlex.quote(str(session.shell_log))))
    servers = session.mcp_servers()
    if servers:
        argv += ["--mcp-config", json.dumps({"mcpServers": servers})]
    argv += ["--print", *session.scenario.get("args", []), "-i", session.scenario.get("prompt", "go on")]
    with Server(handler(model)) as server:
        auth = json.dumps({"accessToken": "dummy", "tenantURL": server.url + "/", "scopes": ["email"]})
        env = session.environ({"AUGMENT_SESSION_AUTH": auth, "AUGMENT_DISABLE_AUTO_UPDATE": "1", "BASH_ENV": str(bash_env), "SHLVL": "3"})
        env = {k: v for k, v in env.items() if v != ""}
        code, stdout, stderr = session.run(argv, env)
    with session.lock:
        model.finish()
    return report(session, model, version, code, stdout, stderr)


def report(session, model, version, code, stdout, stderr):
    for call, (out, step) in model.calls.items():
        ended(session, out, step)
    first = (model.main or [[]])[0]
    users = [m["content"] for m in first if m["role"] == "user"]
    prompt, asked = {"blocked": not model.main}, session.scenario.get("prompt", "go on")
    at = next((i for i, t in enumerate(users) if t == asked), len(users))
    prompt["context"] = users[at + 1:]
    text = re.sub(r"\x1b\[[0-9;]*m", "", stdout)
    said = re.findall(r"\N{ROBOT FACE}\n(.*?)\n(?=\n|\Z)", text, re.S)
    session.warnings += list(dict.fromkeys(l for l in stderr.splitlines() if l.strip()))
    session.warnings += [l.strip() for l in text.splitlines() if "\N{WARNING SIGN}" in l]
    status = code if code in ("timeout", "max_turns") else "finished" if code == 0 else "error"
    return {"version": version, "prompt": prompt, "session_context": users[:at], "exit": status, "exit_detail": code, "answer": said[-1] if said else "", "told": text}


def inner(command):
    """The command of a login shell that the client puts around it."""
    words = shlex.split(command)
    return words[3] if words[:3] == ["bash", "-l", "-c"] and len(words) == 4 else command


def ended(session, out, step):
    """Fill in a step from what the model got."""
    args, answer, beside = out.pop("_args", {}), out.pop("_answer", None), out.pop("_beside", [])
    name, error = out.pop("_name", ""), out.pop("_error", False)
    out.pop("_id", None)
    text = "".join(answer or [])
    out["_shell"] = [inner(c) for c in out.get("_shell", [])]
    effect = bool(out["_shell"] or out.get("_mcp"))
    out["denied"] = error and not effect and bool(BLOCKED.search(text))
    out["ran"] = answer is not None and not error
    text, _, added = text.partition("\n\n[Hook Context]\n")
    out["context"] = beside + [added] if added else beside
    if out["denied"]:
        out["reason"] = BLOCKED.sub("", text)
    if out["tool"] == "shell" and not out["denied"] and answer is not None:
        code = re.search(r"<return-code>\n(-?\d+)\n</return-code>", text)
        out["exit_code"] = int(code[1]) if code else None
    if out["tool"] in ("read", "grep", "call", "delete") and out["ran"]:
        out["input_as_run"] = {"path": session.path(args["path"])} if out["tool"] == "read" else args
    elif out["tool"] in ("write", "edit"):
        path = session.path(args.get("path", ""))
        rel = os.path.relpath(path, session.project)
        if rel in out.get("changed", []) and not out["denied"]:
            out["ran"], out["input_as_run"] = True, {"path": path, "content": (out["_after"].get(rel) or (0, 0, b""))[2].decode("utf8", "replace")}
    framed = re.fullmatch(r"(?s)Here are the results from executing the command\.\n<return-code>\n-?\d+\n</return-code>\n<output>\n(.*)\n</output>\n*", text)
    shown = re.fullmatch(r"(?s)Here's the result of running `cat -n` on [^\n]*:\n(.*)Total lines in file: \d+\n*", text)
    if framed:
        text = framed[1]
    elif shown:
        text = re.sub(r"(?m)^ *\d+\t", "", shown[1])
    out["result"] = text if answer is not None else None
    out.pop("_before", None)
