"""Runs the real Cursor SDK local agent against a scripted loopback stand-in for its backend.

The stand-in asks the client to execute tools, as the real backend does; field numbers were found by
watching the traffic. Strings are UTF-8; messages are lists of (field, value).
"""
import itertools
import json
import pathlib
import queue
import re
import struct
import threading
from http.server import BaseHTTPRequestHandler

from session import HERE, Server

# -- wire format -----------------------------------------------------------------------------------


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def field(n, value):
    """One field: text or message (bytes), whole number, or float. None is left out."""
    if value is None:
        return b""
    if isinstance(value, (bool, int)):
        return varint(n << 3) + varint(int(value))
    if isinstance(value, float):
        return varint(n << 3 | 1) + struct.pack("<d", value)
    data = value.encode() if isinstance(value, str) else value
    return varint(n << 3 | 2) + varint(len(data)) + data


def message(*values):
    """A message from the values of its fields 1, 2, 3, ..."""
    return b"".join(field(n, v) for n, v in enumerate(values, 1))


def decode(data):
    i, out = 0, []

    def number():
        nonlocal i
        n = shift = 0
        while True:
            n |= (data[i] & 127) << shift
            shift += 7
            i += 1
            if data[i - 1] < 128:
                return n
    while i < len(data):
        tag = number()
        if tag & 7 == 0:
            out.append((tag >> 3, number()))
            continue
        size = {1: 8, 2: None, 5: 4}[tag & 7]
        size = number() if size is None else size
        out.append((tag >> 3, data[i:i + size]))
        i += size
    return out


def get(data, *path):
    """The value at a path of field numbers, or None."""
    for n in path:
        data = next((v for f, v in decode(data) if f == n), None) if isinstance(data, bytes) else None
    return data


def text(data, *path):
    value = get(data, *path)
    return value.decode("utf8", "replace") if isinstance(value, bytes) else ""


def value(v):
    """google.protobuf.Value"""
    if v is None:
        return field(1, 0)
    if isinstance(v, bool):
        return field(4, v)
    if isinstance(v, (int, float)):
        return field(2, float(v))
    if isinstance(v, str):
        return field(3, v)
    if isinstance(v, list):
        return field(6, b"".join(field(1, value(x)) for x in v))
    return field(5, struct_of(v))


def struct_of(d):
    return b"".join(field(1, message(k, value(v))) for k, v in d.items())


# -- steps as requests to the client, and their answers ----------------------------------------------

SHELL, WRITE, DELETE, GREP, READ, MCP, HOOK = 14, 3, 4, 5, 7, 11, 27
DENIED = {WRITE: (5,), DELETE: (5, 6), READ: (3,), MCP: (3, 4), SHELL: (5, 6), GREP: ()}  # fields of an answer that mean refused
IDS = "conversation_id generation_id model"

# Hook events that only the backend starts: number, fields of the request in order, fields of the merged answer in order.
HOOKS = {
    "preCompact": (1, "trigger context_usage_percent context_tokens context_window_size message_count messages_to_compact is_first_compaction "
                   + IDS, "user_message"),
    "subagentStart": (2, "subagent_id subagent_type task parent_conversation_id tool_call_id subagent_model is_parallel_worker git_branch "
                      + IDS, "permission user_message additional_context"),
    "subagentStop": (3, "subagent_id subagent_type status duration_ms summary parent_conversation_id message_count tool_call_count - "
                     "modified_files - " + IDS + " loop_count task description", "followup_message additional_context"),
    "preToolUse": (4, "tool_name tool_input tool_use_id cwd " + IDS, "permission user_message agent_message updated_input additional_context"),
    "postToolUse": (5, "tool_name tool_input tool_output duration tool_use_id cwd " + IDS, "additional_context"),
    "postToolUseFailure": (6, "tool_name tool_input error_message failure_type duration tool_use_id is_interrupt " + IDS, "additional_context"),
    "beforeSubmitPrompt": (7, "prompt - composer_mode " + IDS, "continue user_message additional_context"),
    "afterAgentResponse": (8, "text " + IDS, ""),
    "afterAgentThought": (9, "text duration_ms " + IDS, ""),
    "stop": (11, "status loop_count " + IDS, "followup_message"),
}
DEFAULTS = {
    "conversation_id": "conv", "generation_id": "gen", "model": "mock-model", "status": "completed", "loop_count": 0, "prompt": "prompt", "text": "text",
    "tool_name": "Task", "tool_input": {}, "tool_output": "{}", "tool_use_id": "call", "duration": 1, "error_message": "failed", "failure_type": "error",
    "is_interrupt": False, "duration_ms": 5, "subagent_id": "sub", "subagent_type": "explore", "task": "task", "parent_conversation_id": "parent",
    "tool_call_id": "call", "subagent_model": "mock-model", "is_parallel_worker": False, "summary": "summary", "description": "", "message_count": 2,
    "tool_call_count": 1, "trigger": "auto", "context_usage_percent": 85.0, "context_tokens": 120000, "context_window_size": 128000,
    "messages_to_compact": 1, "is_first_compaction": True,
}


def hook_request(step):
    number, names, _ = HOOKS[step["hook"]]
    args = {**DEFAULTS, **step.get("args", {})}
    values = (args.get(name) for name in names.split())
    return field(1, field(number, message(*(struct_of(v) if isinstance(v, dict) else v for v in values))))


def hook_answer(step, body):
    number, _, names = HOOKS[step["hook"]]
    names = dict(enumerate(names.split(), 1))
    answer = {names.get(n, str(n)): v.decode("utf8", "replace") if isinstance(v, bytes) else bool(v)
              for n, v in decode(get(body, 1, number) or b"")}
    if "updated_input" in answer:
        answer["updated_input"] = json.loads(answer["updated_input"])
    return answer


def to_cursor(step, session):
    """A neutral step as (kind, request)."""
    if "hook" in step:
        return HOOK, hook_request(step)
    tool, call = step["tool"], "call-" + step["tool"]
    if tool == "shell":
        return SHELL, message(step["command"], str(session.folder), 60000, call)
    if tool == "mcp":
        server = step.get("server", "hb")
        args = b"".join(field(2, message(k, value(v))) for k, v in step.get("input", {}).items())
        return MCP, field(1, server + "-" + step["name"]) + args + field(3, call) + field(4, server) + field(5, step["name"]) + field(9, server)
    path = step["path"] if step.get("literal") else session.path(step.get("path", ""))
    if tool == "read":
        return READ, message(path, call)
    if tool == "delete":
        return DELETE, message(path, call)
    if tool == "grep":
        return GREP, message(step["pattern"], path) + field(14, call)
    content = step.get("content")
    if tool == "edit":  # the backend works out the new text, the client only writes it
        before = pathlib.Path(path).read_text() if pathlib.Path(path).exists() else ""
        if step["old"] not in before:
            return WRITE, None
        content = before.replace(step["old"], step["new"], 1)
    return WRITE, message(path, content, call, 1)


def read_answer(out, step, kind, answers):
    """Fill in a step from the client's messages about it."""
    out["context"] = [text(v, 2) for a in answers for f, v in decode(a) if f == 45]
    if kind == SHELL:
        events = [decode(v)[0] for a in answers for f, v in decode(a) if f == SHELL]
        out["context"] += [text(v, 1, 2) for f, v in events if f == 8]
        refused = [v for f, v in events if f in DENIED[SHELL]]
        out["denied"], out["ran"] = bool(refused), not refused
        out["result"] = text(refused[0], 3) if refused else "".join(text(v, 1) for f, v in events if f in (1, 2)).strip("\n")
        if not refused:
            out["exit_code"] = next((get(v, 1) or 0 for f, v in events if f == 3), None)
    else:
        body = next((v for a in answers for f, v in decode(a) if f == kind), b"")
        if kind == HOOK:
            out["answer"], out["result"] = hook_answer(step, body), ""
            return
        variant, detail = decode(body)[0] if body else (None, b"")
        out["denied"], out["ran"] = variant in DENIED[kind], variant == 1
        if kind == MCP:
            out["result"] = text(detail, 1) if variant != 1 else "".join(text(v, 1, 1) for f, v in decode(detail) if f == 1)
        elif variant == 1:
            if kind != GREP:
                out["input_as_run"] = {"path": text(detail, 1)}
            out["result"] = text(detail, 2) if kind == READ else "ok"
            if kind == WRITE:
                out["input_as_run"]["content"] = text(detail, 4)
        else:
            out["result"] = text(detail, 2) or "failed (%s): %s" % (variant, text(detail, 1))
    out["denied"] = out["denied"] or "\n\nAgent note: Do not suggest workarounds" in out["result"] and not out["ran"]
    if out["denied"]:
        out["reason"] = reason_of(out["result"])


def reason_of(said):
    """The hook's own reason inside what the client tells the model."""
    said = said.split("\n\nAgent note: ")[0].split("\n\nTo view or modify configured hooks")[0]
    for start in ("Command execution", "MCP tool execution", "File read"):
        said = said.removeprefix(start + " was blocked by a hook: ")
    return re.sub(r"^(failed \(\d+\): )?(Hook blocked with message: )?", "", said).strip()


# -- the backend -------------------------------------------------------------------------------------


class Backend:
    def __init__(self, session):
        self.s, self.count, self.turns = session, itertools.count(1), itertools.count()
        self.waiting, self.prompts, self.asked = {}, queue.Queue(), False

    def converse(self, write):
        """One turn of the agent: ask for each step, then say something and stop."""
        turn = next(self.turns)
        steps, say = self.s.turn(turn)
        prompt = self.prompts.get(timeout=20)  # comes in a request of its own
        if turn:
            self.s.followups.append(prompt)
        for out, step in steps:
            with self.s.lock:
                self.s.begin(out)
            kind, request = to_cursor(step, self.s)
            if request is None:
                out.update(ran=False, denied=False, result="the text to replace is not there", context=[])
            else:
                read_answer(out, step, kind, self.ask(write, kind, request))
            with self.s.lock:
                self.s.end(out)
        write(field(1, field(1, field(1, say))))
        write(field(1, field(14, message(10, 5, 0, 0, 0))))
        with self.s.lock:
            self.s.stopped()

    def ask(self, write, kind, request):
        n = next(self.count)
        box = self.waiting[n] = queue.Queue()
        write(field(2, field(1, n) + field(15, "exec-%d" % n) + field(kind, request) + field(55, 1)))
        answers, wait, closed = [], self.s.scenario.get("step_timeout", 30), False
        while True:
            try:
                got = box.get(timeout=wait)
            except queue.Empty:
                if not answers:
                    self.s.warnings.append("the client did not answer step %d" % n)
                return answers
            if got is None:
                closed = True
            else:
                answers.append(got)
            if kind != SHELL and answers:
                return answers
            if closed and answers:  # the end of a shell stream may overtake its last messages
                wait = 0.15

    def receive(self, data):
        for f, v in decode(data):
            if f == 1:
                self.asked = True
                self.prompts.put(text(v, 2, 1, 1, 1))
            elif f == 2:
                self.deliver(get(v, 1), v)
            elif f == 5 and get(v, 1) is not None:
                self.deliver(get(v, 1, 1), None)

    def deliver(self, n, what):
        if n in self.waiting:
            self.waiting[n].put(what)


def handler(backend):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *a):
            pass

        def send(self, data, kind):
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self):
            models = [{"id": "mock-model", "name": "Mock", "displayName": "Mock"}]
            self.send(json.dumps({"items": models, "models": models} if self.path.startswith("/v1/models") else {}).encode(), "application/json")

        def body(self):
            if self.headers.get("transfer-encoding", "").lower() != "chunked":
                return self.rfile.read(int(self.headers.get("content-length") or 0))
            data = b""
            while True:
                chunk = self.rfile.read(int(self.rfile.readline().split(b";")[0], 16))
                self.rfile.readline()
                if not chunk:
                    return data
                data += chunk

        def do_POST(self):
            body = self.body()
            as_json = "json" in self.headers.get("content-type", "")
            if backend.s.raw:
                backend.s.requests.append({"path": self.path, "body": body.decode("latin1")})
            if self.path.endswith("/RunSSE"):
                return self.stream()
            if self.path.endswith("/BidiAppend"):
                backend.receive(bytes.fromhex(json.loads(body)["data"] if as_json else text(body, 1)))
            if "exchange_user_api_key" in self.path:
                return self.send(b'{"accessToken":"mock-access-token"}', "application/json")
            self.send(b"{}" if as_json else b"", "application/json" if as_json else "application/proto")

        def stream(self):
            self.send_response(200)
            self.send_header("content-type", "application/connect+proto")
            self.send_header("connect-content-encoding", "identity")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            lock, over = threading.Lock(), threading.Event()

            def write(data, flag=0):
                frame = bytes([flag]) + struct.pack(">I", len(data)) + data
                with lock:
                    self.wfile.write(b"%x\r\n" % len(frame) + frame + b"\r\n")
                    self.wfile.flush()

            def beat():
                while not over.wait(4):
                    try:
                        write(field(1, field(13, b"")))
                    except (OSError, ValueError):  # closed
                        return
            threading.Thread(target=beat, daemon=True).start()
            try:
                backend.converse(write)
                over.set()
                write(b"{}", 2)
                self.wfile.write(b"0\r\n\r\n")
            except OSError:  # the client is gone
                self.close_connection = True
            finally:
                over.set()

    return Handler


def run(session):
    clients = pathlib.Path(session.clients_dir).resolve()
    package = clients / "cursor" / "node_modules" / "@cursor" / "sdk" / "package.json"
    node = clients / "node" / "node_modules" / "node" / "bin" / "node"
    if not package.exists() or not node.exists():
        raise SystemExit("live: the Cursor SDK or its node is not installed in %s; run setup" % clients)
    unknown = [step["hook"] for steps, _ in session.turns for _, step in steps if step.get("hook", "stop") not in HOOKS]
    if unknown:
        raise SystemExit("live: no such hook event to start: " + ", ".join(unknown))
    backend = Backend(session)
    options = {"prompt": session.scenario.get("prompt", "go"), "mcpServers": session.mcp_servers(), "nested": session.scenario.get("nested", False),
               "sources": session.scenario.get("sources", ["project", "user"])}
    with Server(handler(backend)) as server:
        env = session.environ({"CURSOR_BACKEND_URL": server.url, "NODE_NO_WARNINGS": "1"})
        code, stdout, stderr = session.run([str(node), str(HERE / "drive_cursor.mjs"), str(clients), json.dumps(options)], env)
    final = next((json.loads(l[7:]) for l in stdout.splitlines() if l.startswith("RESULT ")), {"status": "error", "error": stderr[-500:]})
    error = final.get("error") or ""
    error = error if isinstance(error, str) else error.get("message", json.dumps(error))
    prompt = {"blocked": not backend.asked, "context": []}
    if not backend.asked:
        prompt["reason"] = reason_of(error)
    session.warnings += [l for l in (stdout + stderr).splitlines() if "hook" in l.lower() and not l.startswith("RESULT ")]
    return {"version": json.loads(package.read_text())["version"], "prompt": prompt, "session_context": [],
            "exit": code if code in ("timeout", "max_turns") else final.get("status"), "exit_detail": error or None}
