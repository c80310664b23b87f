"""The names that a client knows of hooks: events with the fields of payloads and answers, tools with their arguments, types of handlers.

Nothing here reads what a program does. Every name has its origin, the surest first:
  ask       the client answered a question about its hooks
  types     declarations or JSON Schemas that its makers published, or that its program has in it
  model     the tools that it offered a scripted model, with their schemas
  recorded  a payload of conformance/payloads
  bundle    a list of names in its program, found by an event that it must hold
Claude Code's snapshot also has the words that its program lists beside commands which run another: a rule for a command looks behind some.
"""
import collections
import json
import mmap
import os
import pathlib
import re
import subprocess
import tarfile
import tempfile
import threading

import clients
import declared

HERE = pathlib.Path(__file__).resolve().parent

# Where a client's names are: an event that every list of its events holds, the files of its program, and the declarations,
# which are files of the client or of a package of their own ("package@version:file").
Place = collections.namedtuple("Place", "anchor files types", defaults=((),))
PLACES = {
    "auggie": Place("PreToolUse", ["@augmentcode/auggie/augment.mjs"]),
    "claude": Place("PreToolUse", ["@anthropic-ai/claude-code-linux-{arch}/claude"], ["@anthropic-ai/claude-agent-sdk@0.3.{patch}:sdk.d.ts"]),
    "cline": Place("TaskCancel", ["@cline/cli-linux-{arch}/bin/cline"]),
    "codebuddy": Place("PreToolUse", ["@tencent-ai/agent-sdk/cli/dist/*.js"], ["@tencent-ai/agent-sdk/lib/types.d.ts"]),
    "codex": Place("PreToolUse", ["@openai/codex-linux-{arch}/vendor/*/bin/codex"]),
    "commandcode": Place("PreToolUse", ["command-code/dist/*.mjs"]),
    "copilot": Place("preToolUse", []),
    "cursor": Place("beforeShellExecution", ["@cursor/sdk/dist/bundled/index.js"]),
    "droid": Place("PreToolUse", ["@factory/cli-linux-{arch}/bin/droid"]),
    "gemini": Place("BeforeTool", [], ["@google/gemini-cli-core@{version}:dist/src/hooks/types.d.ts"]),
    "grok": Place("PreToolUse", ["../bin/grok"]),
    "kilo": Place("tool.execute.before", ["@kilocode/cli-linux-{arch}/bin/kilo"]),
    "kimi": Place("PreToolUse", ["@moonshot-ai/kimi-code/dist/main.mjs"]),
    "letta": Place("PreToolUse", ["@letta-ai/letta-code/letta.js"]),
    "omp": Place("tool_call", [], ["@oh-my-pi/pi-coding-agent/src/extensibility/extensions/types.ts"]),
    "opencode": Place("tool.execute.before", ["opencode-linux-{arch}/bin/opencode"]),
    "pi": Place("tool_call", [], ["@earendil-works/pi-coding-agent/dist/core/extensions/types.d.ts"]),
    "qoder": Place("PreToolUse", ["@qoder-ai/qodercli/bundle/qodercli.js"], ["@qoder-ai/qoder-agent-sdk@1.0.39:dist/protocol/hooks.d.ts"]),
    "qwen": Place("PreToolUse", ["@qwen-code/qwen-code/chunks/*.js"]),
}


class Client:
    """An installed client, and what is known of it."""

    def __init__(self, name, folder):
        self.name, self.folder, self.place = name, pathlib.Path(folder), PLACES[name]
        self.version = clients.TABLE[name]["version"]
        self.modules = self.folder / name / "node_modules"
        self.events, self.tools, self.handlers, self.runners = {}, {}, {}, set()

    def filled(self, text):
        return clients.filled(self.name, text).replace("{patch}", self.version.rsplit(".", 1)[-1])

    def program(self):
        """The files of the program, each as bytes that aren't read before they are needed."""
        for pattern in self.place.files:
            base, pattern = (self.modules.parent, pattern[3:]) if pattern.startswith("../") else (self.modules, pattern)
            for file in sorted(base.glob(self.filled(pattern))):
                with open(file, "rb") as f, mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ) as text:
                    yield file, text

    def declarations(self):
        """The texts of the declarations. Those of a package of their own are brought from npm once."""
        for spec in map(self.filled, self.place.types):
            package, _, file = spec.partition(":")
            yield (published(self.folder, package) / file if file else self.modules / spec).read_text(errors="replace")

    def event(self, name, origin, **fields):
        event = self.events.setdefault(name, {"from": []})
        add(event["from"], origin)
        for key, names in fields.items():
            if isinstance(names, bool):
                event[key] = names
            elif names:
                known = event.setdefault(key, {}).setdefault(origin, [])
                known[:] = sorted({*known, *names})

    def tool(self, name, origin, arguments=()):
        tool = self.tools.setdefault(name, {"from": []})
        add(tool["from"], origin)
        if arguments:
            known = tool.setdefault("input", {}).setdefault(origin, [])
            known[:] = sorted({*known, *arguments}, key=lambda a: a.lstrip("*"))

    def handler(self, name, origin, fields=()):
        handler = self.handlers.setdefault(name, {"from": []})
        add(handler["from"], origin)
        if fields:
            handler["fields"] = sorted(fields)

    def snapshot(self):
        """All of it, in the order in which a file is written."""
        parts = {"events": self.events, "tools": self.tools, "handlers": self.handlers}
        more = {"runners": sorted(self.runners)} if self.runners else {}
        return {"agent": self.name, "version": self.version, **{k: dict(sorted(v.items())) for k, v in parts.items()}, **more}


def add(names, name):
    if name not in names:
        names.append(name)


def published(folder, package):
    """The folder of a package's declarations, brought from npm where they aren't there yet."""
    into = pathlib.Path(folder, "types", package)
    if not into.exists():
        with tempfile.TemporaryDirectory() as d:
            done = subprocess.run(["npm", "pack", package, "--silent"], cwd=d, capture_output=True, text=True)
            if done.returncode:
                raise SystemExit("npm has no %s:\n%s" % (package, done.stderr))
            with tarfile.open(next(pathlib.Path(d).glob("*.tgz"))) as archive:
                for member in archive:
                    if member.isfile() and member.name.endswith(".d.ts"):
                        file = into / member.name.partition("/")[2]
                        file.parent.mkdir(parents=True, exist_ok=True)
                        file.write_bytes(archive.extractfile(member).read())
    return into


def read(name, folder, raw=None):
    """What a client knows. raw are the requests of a session with a scripted model, see offered()."""
    client = Client(name, folder)
    from_types(client)
    OWN.get(name, from_lists)(client)
    handlers(client)
    recorded(client)
    for tool, arguments in offered(raw).items():
        client.tool(tool, "model", arguments)
    return client.snapshot()


def from_types(client):
    for text in client.declarations():
        found = declared.hooks(text, client.name)
        for event in found.events:
            client.event(event, "types")
        for event, key, fields in found.fields:
            client.event(event, "types", **{key: fields})
        for tool in found.tools:
            client.tool(tool, "types")
        for kind in found.handlers:
            client.handler(kind, "types")


WORD = re.compile(rb'["\'`]([A-Za-z][A-Za-z_.]{2,40})["\'`]')
BETWEEN = re.compile(rb"(?:[\s\w$.,:=\[\]{}()|&#;]|//[^\n]*\n|/\*.*?\*/)*", re.S)


def lists(text, anchor):
    """Every list, enumeration or map of words in a program that holds the anchor: words with nothing between them but what
    such a literal has there."""
    for quoted in (q + anchor.encode() + q for q in (b'"', b"'")):
        at = text.find(quoted)
        while at >= 0:
            low = max(0, at - 6000)
            window = text[low:at + 6000]
            words = [(m.start(), m.end(), m[1].decode()) for m in WORD.finditer(window)]
            joined = [b[0] - a[1] <= 200 and BETWEEN.fullmatch(window, a[1], b[0]) is not None for a, b in zip(words, words[1:])]
            here = next((i for i, w in enumerate(words) if low + w[0] == at), None)
            if here is not None:
                first = last = here
                while first > 0 and joined[first - 1]:
                    first -= 1
                while last < len(joined) and joined[last]:
                    last += 1
                yield {w[2] for w in words[first:last + 1]}
            at = text.find(quoted, at + 1)


def from_lists(client):
    """The longest list of the program, of words that are spelled as the anchor is."""
    spelled = re.compile(r"(?:[A-Z][a-z]+)+" if client.place.anchor[0].isupper() else r"[a-z]+(?:[A-Z][A-Za-z]+)*")
    found = [{w for w in words if spelled.fullmatch(w)} for _, text in client.program() for words in lists(text, client.place.anchor)]
    for name in max(found, key=len, default=()):
        client.event(name, "bundle")


RUNNERS = {"nohup", "nice", "command"}
LITERAL = re.compile(rb'\[((?:"[A-Za-z][\w.-]*",){3,}"[A-Za-z][\w.-]*")\]')


def runners(client):
    """The words of every list that holds commands which run another one."""
    for _, text in client.program():
        for m in LITERAL.finditer(text):
            words = set(re.findall(r'"([^"]*)"', m[1].decode()))
            if RUNNERS <= words:
                client.runners |= words


def from_claude(client):
    """Claude Code lists its events itself."""
    from_lists(client)
    runners(client)
    file = next(f for f, _ in client.program())
    with tempfile.TemporaryDirectory() as home:
        env = {"HOME": home, "PATH": os.environ["PATH"], "ANTHROPIC_API_KEY": "x", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
               "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
        argv = [str(file), "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
        process = subprocess.Popen(argv, cwd=home, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        timer = threading.Timer(120, process.kill)
        timer.start()
        for n, kind in enumerate(("initialize", "get_hooks_listing")):
            process.stdin.write(json.dumps({"type": "control_request", "request_id": str(n), "request": {"subtype": kind}}) + "\n")
        process.stdin.flush()
        for line in process.stdout:
            answer = json.loads(line).get("response", {}) if line.startswith("{") else {}
            if answer.get("request_id") == "1":
                for event in answer.get("response", {}).get("eventCatalog", []):
                    client.event(event["name"], "ask", matcher=event["supportsMatcher"])
                break
        timer.cancel()
        process.kill()
        process.wait()


def from_codex(client):
    """The JSON Schemas of payloads and answers in the program, and the one of its protocol, which it writes itself."""
    decoder = json.JSONDecoder()
    for file, text in client.program():
        for m in re.finditer(rb'"\$schema"', text):
            start = text.rfind(b"{", max(0, m.start() - 200), m.start())
            try:
                schema, _ = decoder.raw_decode(text[start:start + 200000].decode("utf8", "replace"))
            except ValueError:
                continue
            name, _, kind = schema.get("title", "").partition(".command.")
            if kind in ("input", "output"):
                inner = [d["properties"] for n, d in schema.get("definitions", {}).items() if n.endswith("HookSpecificOutputWire") and "properties" in d]
                fields = {*schema["properties"], *(k for properties in inner for k in properties)}
                client.event("".join(w.capitalize() for w in name.split("-")), "types", **{"payload" if kind == "input" else "answer": fields})
        with tempfile.TemporaryDirectory() as d:
            clients.run([str(file), "app-server", "generate-json-schema", "--out", d], {"HOME": d, "PATH": os.environ["PATH"]})
            types = json.loads(pathlib.Path(d, "codex_app_server_protocol.v2.schemas.json").read_text())["definitions"]
        for name in types["HookEventName"]["enum"]:
            client.event(name[:1].upper() + name[1:], "ask")
        for handler in types["ConfiguredHookHandler"]["oneOf"]:
            client.handler(handler["properties"]["type"]["enum"][0], "ask", set(handler["properties"]) - {"type"})


def from_copilot(client):
    """The schema and the declarations that the program unpacks."""
    base = client.modules.parent / "cache/pkg/linux-x64" / client.version
    events = json.loads((base / "schemas/api.schema.json").read_text())["definitions"]["HookType"]["enum"]
    types = declared.declarations((base / "copilot-sdk/types.d.ts").read_text())
    for event in events:
        client.event(event, "types")
        for kind, key in (("Input", "payload"), ("Output", "answer")):
            client.event(event, "types", **{key: declared.fields(types, event[:1].upper() + event[1:] + "Hook" + kind)})


def from_grok(client):
    """The table of events in the user's guide that the program has in it."""
    for _, text in client.program():
        at = text.find(b"| Event | When it fires |")
        for m in re.finditer(r"^\| `((?:[A-Z][a-z]+)+)` \|", text[at:at + 9000].decode("utf8", "replace"), re.M):
            client.event(m[1], "types")


def from_plugins(client):
    """OpenCode and Kilo Code call functions of plugins."""
    for _, text in client.program():
        for m in re.finditer(rb'\.trigger\("([a-z_]+(?:\.[a-z_]+)+)"', text):
            client.event(m[1].decode(), "bundle")


OWN = {"claude": from_claude, "codex": from_codex, "copilot": from_copilot, "grok": from_grok, "kilo": from_plugins, "opencode": from_plugins}

HANDLER = re.compile(rb'type:[\w.$]+\.literal\("(\w+)"\)')
LISTED = re.compile(rb'enum: \["(command)"((?:, "\w+")+)\]')


def handlers(client):
    """The types of handlers, which a program checks one next to the other, command among them."""
    for _, text in client.program():
        for m in re.finditer(rb'\{\.\.\.(\w+),type:[\w.$]+\.literal\("command"\)', text):
            for kind in re.findall(rb'\{\.\.\.%s,type:[\w.$]+\.literal\("(\w+)"\)' % re.escape(m[1]), text[max(0, m.start() - 3000):m.start() + 3000]):
                client.handler(kind.decode(), "bundle")
        for m in LISTED.finditer(text):
            for kind in (m[1], *re.findall(rb"\w+", m[2])):
                client.handler(kind.decode(), "bundle")


HARNESS = re.compile(r"(?:^|[_/:.-])(?:hb|stub)(?:[_/:.-]|$)")  # a tool of an MCP server of the harness or of a recording


def recorded(client):
    """What payloads of the client had in them: the fields of each event, the arguments of each tool."""
    file = HERE.parent / "payloads" / (client.name + ".json")
    recording = json.loads(file.read_text()) if file.exists() else {"payloads": []}
    for payload in (p["payload"] for p in recording["payloads"]):
        event = payload.get("hook_event_name") or payload.get("hookName") or payload.get("hookEventName") or payload.get("event_type")
        if event and client.name not in ("opencode", "kilo", "omp", "pi"):  # their events are of hookbridge's own plugin
            client.event(event, "recorded", payload=list(payload))
        tool, given = payload.get("tool_name") or payload.get("toolName"), payload.get("tool_input") or payload.get("toolArgs") or payload.get("toolInput")
        if tool and not HARNESS.search(tool) and isinstance(given, dict):
            client.tool(tool, "recorded", list(given))


def offered(requests):
    """The tools of the requests to a model, each with its arguments; * marks the required ones."""
    found = {}

    def walk(value):
        if isinstance(value, dict):
            for tool in value.get("tools") or value.get("tool_definitions") or []:
                for d in [tool.get("function") or tool, *(tool.get("functionDeclarations") or [])] if isinstance(tool, dict) else []:
                    if d.get("name"):
                        found[d["name"]] = arguments(d)
            value = list(value.values())
        for v in value if isinstance(value, list) else ():
            walk(v)

    def arguments(tool):
        schema = tool.get("parameters") or tool.get("input_schema") or tool.get("parametersJsonSchema") or json.loads(tool.get("input_schema_json") or "{}")
        required = schema.get("required") or []
        return [("*" if k in required else "") + k for k in schema.get("properties") or {}]

    walk(requests)
    return {name: found[name] for name in sorted(found) if not HARNESS.search(name)}
