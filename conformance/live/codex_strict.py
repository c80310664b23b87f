#!/usr/bin/env python3
"""Hold what hookbridge writes for Codex to Codex's own readers, which void a whole file or answer for one wrong member.

  codex_strict.py [--corpus DIR] [--show]

Files: every hook file of the corpus (DIR/AGENT/*) and of ../../examples is converted to Codex, and installed for it, in a project of its own. The
real client then loads them all (`codex app-server`, method hooks/list): a warning, an error, or a handler that is missing from its list is wrong.
Trust: what was reviewed once stays trusted after further installs, in the client's own list and in `hookbridge doctor`.
Answers: the outputs of the vectors */*-to-codex/* are checked against the JSON Schemas inside the client's binary. Exit status 1: something is wrong.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import harness

HERE = harness.HERE
AGENTS = ("claude", "claude-frontmatter", "claude-manifest", "codex", "copilot", "cursor", "gemini", "history", "qoder")
OWN = {"claude": ".claude/settings.json", "copilot": ".github/hooks/hooks.json", "cursor": ".cursor/hooks.json", "gemini": ".gemini/settings.json",
       "qoder": ".qoder/settings.json", "codex": ".codex/hooks.json"}


# -- files ------------------------------------------------------------------------------------------------


def hook_files(corpus):
    """Whose hooks, their file, and where it lies in a project; the gallery's projects as they are."""
    for folder in AGENTS if corpus else ():
        for file in sorted((corpus / folder).iterdir()):
            agent = file.name.split("__")[0] if folder == "history" else folder.split("-")[0]
            if file.is_file() and agent in OWN:
                yield agent, file, file.suffix == ".json" and "-" not in folder
    for project in sorted((HERE.parent.parent / "examples").iterdir()):
        for agent, place in OWN.items():
            if (project / place).is_file():
                yield agent, project / place, True


def projects(args, root):
    """A folder for each file that hookbridge wrote, with what it came from, and Codex's own file there."""
    count = 0
    for agent, file, whole in hook_files(args.corpus):
        for way in (("convert",) if agent != "codex" else ()) + (("install",) if whole else ()):
            count += 1
            project = root / str(count)
            target = project / OWN["codex"]
            target.parent.mkdir(parents=True)
            if way == "convert":
                argv = ["convert", "--from", agent, "--to", "codex", "-o", str(target), str(file)]
            else:  # Codex's own files get the entries of a hook of Claude Code beside theirs
                source = project / OWN[agent]
                source.parent.mkdir(parents=True, exist_ok=True)
                source.write_bytes(file.read_bytes())
                hooks = agent
                if agent == "codex":
                    hooks, source = "claude", project / OWN["claude"]
                    source.parent.mkdir()
                    source.write_text(json.dumps({"hooks": {e: [{"hooks": [{"type": "command", "command": "true"}]}] for e in ("PreToolUse", "Stop", "SessionEnd")}}))
                argv = ["install", "--host", "codex", "--hooks", hooks, "--project", str(project), "--home", str(root / "home")]
            done = subprocess.run([args.bridge, *argv], capture_output=True, text=True, cwd=project)
            yield project, "%s %s" % (way, file), done, file if way == "install" and agent == "codex" else None


def handlers(text):
    """How many handlers a file has."""
    return sum(len(group.get("hooks", [])) for groups in json.loads(text).get("hooks", {}).values() for group in groups)


def listed(codex, root, folders):
    """What the client makes of the files: its answer to hooks/list for each folder."""
    trusted = "{%s}" % ", ".join("%s = {trust_level = \"trusted\"}" % json.dumps(str(f)) for f in folders)
    ask = [{"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "hookbridge", "title": "hookbridge", "version": "1"}, "capabilities": {"experimentalApi": True}}},
           {"method": "initialized"}, {"id": 2, "method": "hooks/list", "params": {"cwds": [str(f) for f in folders]}}]
    env = {"PATH": os.environ["PATH"], "HOME": str(root / "home"), "CODEX_HOME": str(root / "home" / ".codex")}
    (root / "home" / ".codex").mkdir(parents=True, exist_ok=True)
    argv = ["unshare", "-rn"] if os.geteuid() else ["unshare", "-n"]
    app = subprocess.Popen([*argv, codex, "app-server", "-c", "projects=" + trusted, "-c", "check_for_update_on_startup=false", "-c", "analytics.enabled=false"],
                           env=env, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    with app:
        for message in ask:
            print(json.dumps(message), file=app.stdin, flush=True)
        for line in app.stdout:
            answer = json.loads(line)
            if answer.get("id") == 2:
                app.stdin.close()
                return {entry["cwd"]: entry for entry in answer["result"]["data"]}
    raise SystemExit("the client ended without an answer")


def check_files(args, root):
    wrong, made, refused = [], [], 0
    for project, name, done, own in projects(args, root):
        file = project / OWN["codex"]
        if not file.exists() or own and file.read_bytes() == own.read_bytes():
            refused += 1  # by hookbridge itself
            if done.returncode == 0 and not re.search("no .*hooks|nothing", done.stdout + done.stderr):
                wrong.append((name, ["nothing was written: " + (done.stderr + done.stdout).strip()]))
            continue
        made.append((project, name, file.read_text(), done, own))
    client = {}
    for start in range(0, len(made), 50):
        client.update(listed(args.codex, root, [m[0] for m in made[start:start + 50]]))
    for project, name, text, done, own in made:
        entry = client.get(str(project))
        if entry is None:
            wrong.append((name, ["the client doesn't list the project"]))
            continue
        mine = [h for h in entry["hooks"] if h["sourcePath"] == str(project / OWN["codex"])]
        faults = [] if own else entry["warnings"] + [e["message"] for e in entry["errors"]]  # a file's own mistakes are its own
        if len(mine) != handlers(text):
            faults.append("%d handlers written, %d loaded" % (handlers(text), len(mine)))
        if faults:
            wrong.append((name, faults + ([text, done.stderr] if args.show else [])))
    print("%d files written and loaded, %d not written" % (len(made), refused))
    return wrong


# -- trust ------------------------------------------------------------------------------------------------


def check_trust(args, root):
    """Reviews the entries as the client's dialog does, then installs again: from another place, with more hooks, of another agent, beside the user's own."""
    project, wrong = root / "trust", []
    other = root / "bin" / "hookbridge"
    other.parent.mkdir()
    other.write_bytes(pathlib.Path(args.bridge).read_bytes())
    other.chmod(0o755)
    command = lambda name: {"type": "command", "command": name}
    claude = {"PreToolUse": [{"hooks": [command("true")]}], "Stop": [{"hooks": [command("true")]}]}

    def write(name, value):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(json.dumps(value))

    def call(bridge, *argv):
        return subprocess.run([bridge, *argv, "--project", str(project), "--home", str(root / "home")], capture_output=True, text=True,
                              env={**os.environ, "PATH": "%s:%s" % (other.parent, os.environ["PATH"])})

    def states():
        return {h["key"].partition(OWN["codex"])[2]: (h["trustStatus"], h["currentHash"]) for h in listed(args.codex, root, [project])[str(project)]["hooks"]}

    def install(bridge, hooks):
        done = call(bridge, "install", "--host", "codex", "--hooks", hooks)
        if done.returncode:
            wrong.append(("install", [done.stderr]))

    write(".claude/settings.json", {"hooks": claude})
    install(args.bridge, "claude")
    first = states()
    config = "".join("[hooks.state.%s]\ntrusted_hash = %s\n" % (json.dumps(str(project / OWN["codex"]) + key), json.dumps(h)) for key, (_, h) in first.items())
    (root / "home" / ".codex" / "config.toml").write_text(config)
    reviewed = states()
    file = json.loads((project / OWN["codex"]).read_text())
    file["hooks"]["PreToolUse"].append({"hooks": [command("mine")]})  # the user's own
    write(OWN["codex"], file)
    write(".claude/settings.json", {"hooks": {**claude, "PreToolUse": [{"matcher": "Read", "hooks": [command("more")]}] + claude["PreToolUse"], "PreCompact": claude["Stop"]}})
    write(".cursor/hooks.json", {"version": 1, "hooks": {"beforeShellExecution": [{"command": "true"}], "stop": [{"command": "true"}]}})
    install(str(other), "claude,cursor")
    last = states()
    if not first or any(state != "trusted" for state, _ in reviewed.values()):
        wrong.append(("review", [repr(reviewed)]))
    if any(last.get(key) != entry for key, entry in reviewed.items()) or len(last) < len(first) + 4:
        wrong.append(("install again", ["was %r" % reviewed, "is %r" % last]))
    said = json.loads(call(str(other), "doctor", "--host", "codex", "--hooks", "claude", "--json").stdout)
    print("%d of %d entries still trusted after another install" % (sum(state == "trusted" for state, _ in last.values()), len(last)))
    if args.show:
        print(json.dumps(said, indent=1))
    return wrong


# -- answers ------------------------------------------------------------------------------------------------


def schemas(codex):
    """The client's schemas of hook answers, by event."""
    found, text = {}, pathlib.Path(codex).read_bytes()
    for end in re.finditer(rb'"title": "([a-z-]+)\.command\.output",\n  "type": "object"\n}', text):
        start = text.rindex(b'{\n  "$schema"', 0, end.start())
        found["".join(word.title() for word in end.group(1).decode().split("-"))] = json.loads(text[start:end.end()])
    return found


def faults(value, schema, root, at=""):
    """What is wrong with a value, as far as the client's schemas say anything: types, members, words."""
    if schema is True or value is None and "default" in schema:
        return
    if "$ref" in schema:
        schema = {**root["definitions"][schema["$ref"].rpartition("/")[2]], **{k: v for k, v in schema.items() if k != "$ref"}}
    for part in schema.get("allOf", []):
        yield from faults(value, part, root, at)
    for name in ("anyOf", "oneOf"):
        if name in schema and all(list(faults(value, part, root, at)) for part in schema[name]):
            yield at + " fits none of " + name
    kinds = {"object": dict, "string": str, "boolean": bool, "integer": int, "null": type(None), "array": list}
    types = schema.get("type", [])
    if types and not any(isinstance(value, kinds[t]) for t in ([types] if isinstance(types, str) else types)):
        yield at + " has the wrong type"
    if "enum" in schema and value not in schema["enum"] or "const" in schema and value != schema["const"]:
        yield "%s is %r" % (at, value)
    if not isinstance(value, dict):
        return
    for name in schema.get("required", []):
        if name not in value:
            yield "%s lacks %s" % (at or "the answer", name)
    for name, member in value.items():
        if name in schema.get("properties", {}):
            yield from faults(member, schema["properties"][name], root, at + "/" + name)
        elif schema.get("additionalProperties") is False:
            yield at + "/" + name + " is unknown"


def check_answers(args):
    known, wrong, count = schemas(args.codex), [], 0
    files = sorted((HERE.parent / "vectors").glob("*/*-to-codex.json"))
    for vector in (v for file in files for v in json.loads(file.read_text())):
        if vector["id"].split("/")[0] not in ("reply", "run"):
            continue
        event, answer = vector.get("event", ""), vector["output"]
        if not answer:
            continue
        event = answer.get("hookSpecificOutput", {}).get("hookEventName") or {"beforeSubmitPrompt": "UserPromptSubmit"}.get(event, event[:1].upper() + event[1:])
        if event not in known:
            wrong.append((vector["id"], ["an answer to %s, of which the client has no schema" % event]))
            continue
        count += 1
        bad = list(faults(answer, known[event], known[event]))
        if bad:
            wrong.append((vector["id"], bad))
    print("%d answers checked against %d schemas" % (count, len(known)))
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    harness.add_arguments(parser)
    parser.add_argument("--corpus", type=pathlib.Path, metavar="DIR", help="folder of real hook files, one folder an agent")
    parser.add_argument("--show", action="store_true", help="print the file of what is wrong")
    args = parser.parse_args()
    args.bridge = str(harness.built(args.bridge))
    args.codex = str(next(pathlib.Path(args.clients, "codex").glob("node_modules/@openai/codex-linux-*/vendor/*/bin/codex")))
    if args.corpus:
        args.corpus = args.corpus.resolve()
    with tempfile.TemporaryDirectory(prefix="codex-strict-") as folder:
        root = pathlib.Path(os.path.realpath(folder))
        wrong = check_files(args, root) + check_trust(args, root) + check_answers(args)
    for name, what in wrong:
        print("%s: %s" % (name, "\n    ".join(what)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
