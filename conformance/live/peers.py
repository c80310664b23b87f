#!/usr/bin/env python3
"""Play the live scenarios of Claude Code hooks through what people use instead of hookbridge, and write ../PEERS.md.

  peers.py --rulesync PROGRAM --results FILE [--write] [HOST...]

PROGRAM is the `rulesync` of `npm install rulesync@17.0.0` (nothing of it is stored here).
Each scenario runs natively in Claude Code, and in the other client with the files that the tool makes of Claude Code's. FILE keeps the
results, so that an interrupted run goes on where it stopped. `--write` writes the page from FILE.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

import clients
import compare
import compare_agent
import harness
from compare_agent import AGENTS, Way, effects, tree, written

SETTINGS = re.compile(r"^\.claude/settings(\.local)?\.json$")
LEFT_OUT = ("one_sided", "config", "in_place")  # what runs in one client only, or tells hookbridge where to look
HOOK_FIELD = re.compile(r"^hook \S+ \d+ ")  # what a hook was sent: no converter promises to translate it


def rulesync(target):
    def convert(args, project, home):
        for where, scope in ((project, []), (home, ["--global"])):
            if (home / ".claude").exists() or where is project:
                run(args, [args.rulesync, "convert", "--from", "claudecode", "--to", target, "--features", "hooks", *scope], project, home)
    return convert


def migrate(args, project, home):
    run(args, [client(args, "gemini/node_modules/.bin/gemini"), "hooks", "migrate", "--from-claude"], project, home)


def nothing(args, project, home):
    """The client loads Claude Code's files by itself."""


def codex_import(args, project, home):
    """Codex's own import, as its app asks the app server for it: detect, then import what was found."""
    binary = next((args.clients / "codex").glob("node_modules/@openai/codex-linux-*/vendor/*/bin/codex"))
    (home / ".codex").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as state:
        env = {**os.environ, "HOME": str(home), "CODEX_HOME": str(home / ".codex"), "CODEX_SQLITE_HOME": state}
        server = subprocess.Popen([binary, "app-server"], cwd=project, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            ask(server, 1, "initialize", {"clientInfo": {"name": "peers", "title": "peers", "version": "1"}, "capabilities": {"experimentalApi": True}})
            found = ask(server, 2, "externalAgentConfig/detect", {"includeHome": True, "cwds": [str(project)]})["items"]
            ask(server, 3, "externalAgentConfig/import", {"migrationItems": [i for i in found if i["itemType"] == "HOOKS"]}, "externalAgentConfig/import/completed")
        finally:
            server.kill()
            server.wait()


def ask(server, number, method, params, until=None):
    server.stdin.write(json.dumps({"id": number, "method": method, "params": params}).encode() + b"\n")
    server.stdin.flush()
    result, ended = None, until is None or not params["migrationItems"]
    while result is None or not ended:
        line = json.loads(server.stdout.readline())
        if line.get("id") == number:
            result = line["result"]
        ended = ended or line.get("method") == until
    return result


# How a host comes by Claude Code's hooks: a name for the page, what makes the files, whether Claude Code's own files stay where the host looks.
Peer = collections.namedtuple("Peer", "title make stays about")
PEERS = {
    "cursor": {
        "rulesync": Peer("rulesync 17.0.0 `convert`", rulesync("cursor"), False, "Cursor's own import is off, else hooks would run twice"),
        "own": Peer("Cursor's own import", nothing, True, "Cursor loads `.claude/settings.json` by itself; on unless the user switches it off"),
    },
    "codex": {
        "rulesync": Peer("rulesync 17.0.0 `convert`", rulesync("codexcli"), True, ""),
        "own": Peer("Codex's own import", codex_import, True, "`externalAgentConfig/detect` and `import` of its app server"),
    },
    "copilot": {
        "rulesync": Peer("rulesync 17.0.0 `convert`", rulesync("copilotcli"), False, "without Claude Code's file, which Copilot loads too"),
        "own": Peer("Copilot's own import", nothing, True, "Copilot loads `.claude/settings.json` by itself, always"),
    },
    "gemini": {
        "own": Peer("`gemini hooks migrate --from-claude`", migrate, True, "rulesync 17 has no target for Gemini CLI"),
    },
}


def client(args, path):
    return str(args.clients / path)


def run(args, argv, project, home):
    path = client(args, "node/node_modules/node/bin") + os.pathsep + os.environ["PATH"]
    subprocess.run(argv, cwd=project, env={**os.environ, "HOME": str(home), "PATH": path}, capture_output=True, text=True, timeout=120)


def scenarios(host):
    """The scenarios of Claude Code's hooks in this host, in the form of compare_agent.py."""
    found = {name: compare.filled(s) for name, s in harness.scenarios("claude", host).items()}
    for s in found.values():
        s.setdefault("hooks", "claude"), s.setdefault("host", host), s.setdefault("files", {})
    asks = lambda s: host == "cursor" and '"ask"' in json.dumps(s)  # the SDK approves what the editor would ask
    return {n: s for n, s in found.items() if s["hooks"] == "claude" and not any(k in s or k in s["expect"] for k in LEFT_OUT) and
            "{BRIDGE}" not in json.dumps(s) and not asks(s)}


def made(args, s, peer):
    """The files of the host's project and home with what the peer made."""
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        places = pathlib.Path(folder, "project"), pathlib.Path(folder, "home")
        for place, files in zip(places, (s["files"], s.get("home", {}))):
            place.mkdir()
            written(place, files, {})
        (places[0] / ".git").mkdir()
        before = [tree(p) for p in places]
        peer.make(args, *places)
        named = lambda text: text.replace(str(places[0]), "{PROJECT}").replace(str(places[1]), "{HOME}")
        new = [{n: named(t) for n, t in hook_files(p) if n not in old} for p, old in zip(places, before)]
    kept = [{n: c for n, c in files.items() if peer.stays or not SETTINGS.match(n)} for files in (s["files"], s.get("home", {}))]
    return [{**k, **n} for k, n in zip(kept, new)]


def hook_files(place):
    for f in place.rglob("*"):
        if f.is_file() and f.suffix in (".json", ".toml") and f.parent.name in (".cursor", ".codex", "hooks", ".gemini"):
            yield str(f.relative_to(place)), f.read_text()


def play(args, s, name, files, home):
    given = {k: v for k, v in s.items() if k not in compare_agent.OWN_KEYS + ("home", "events", "matchers", "also", "direction", "flags")}
    own = {**given.get(name, {}), **({"nested": True} if name == "cursor" else {})}
    with tempfile.TemporaryDirectory(prefix="peers-live-") as folder:
        out = harness.live(name, {**given, "files": files, "home": home, name: own}, folder, args)
    if out["exit"] == "timeout":
        raise RuntimeError("timeout")  # of a busy machine: it proves nothing
    return out


def seen(way, s, name, out):
    return {k: v for k, v in effects(way, s, name, out).items() if not HOOK_FIELD.match(k)}


def judged(native, peer):
    """equal, different, or open: natively a guard refused, and here what it refused happened."""
    for key, value in native.items():
        step = re.match(r"(step \d+) denied$", key)
        if step and value and peer.get(step[1] + " ran") or key == "prompt blocked" and value and not peer.get(key):
            return "open"
    return "equal" if native == peer else "different"


def own_result(s):
    """What the live pages hold of hookbridge, by the same measure."""
    declared = {} if s["expect"] == "same" else {k: v for k, v in s["expect"]["in"].items() if not HOOK_FIELD.match(k)}
    ran = lambda key: declared.get(key.replace("denied", "ran"), [None, None])[1] is True
    opened = any(k.endswith(" denied") and v[0] is True and ran(k) or k == "prompt blocked" and v[0] is True and not v[1] for k, v in declared.items())
    return "open" if opened else "different" if declared else "equal"


def measure(args, host, results):
    way, known = Way("claude", host), scenarios(host)
    order = sorted(known)
    random.Random(17).shuffle(order)  # so that an interrupted run is a fair sample
    for name in order:
        s, done = known[name], results.setdefault(host, {}).setdefault(name, {})
        if set(done) >= set(PEERS[host]):
            continue
        try:
            out = play(args, s, "claude", s["files"], s.get("home", {}))
            results["versions"]["claude"] = out["version"]
            native = seen(way, s, "claude", out)
            for key, peer in PEERS[host].items():
                out = play(args, s, host, *made(args, s, peer))
                results["versions"][host] = out["version"]
                done[key] = judged(native, seen(way, s, host, out))
        except (RuntimeError, ValueError, KeyError, subprocess.TimeoutExpired) as e:
            print("%s %s: %s" % (host, name, e), file=sys.stderr)
            continue
        args.results.write_text(json.dumps(results, indent=1))
        print(host, name, done, flush=True)


PAGE = """# What people use instead, in the same scenarios

<!-- Written by conformance/live/peers.py; don't edit. -->
Claude Code's hooks reach another agent in other ways too: a converter, or the agent's own import. Each line plays the scenarios of the live
comparison in the real clients: natively in Claude Code, then in the other agent with the files that the tool makes. %(clients)s. Date: %(date)s.

%(table)s
- **equal**: the same calls ran and were denied, with the same reasons, inputs, results, context and changed files, and each hook ran as often.
- **different**: something of that differs: a hook didn't run, a reason or a context is lost, a call is denied that should run.
- **open guards**: a hook denied a call or a prompt in Claude Code, and in the other agent it went through. These are not counted as *different*.

What each tool is, how it was used, and what it doesn't promise:

%(about)s
- **hookbridge** is counted from the results that the live pages hold, by the same measure. Its *different* ones are declared there, each with its
  reason: mostly the agent can't ask, or has no place for a context.
- rulesync and `hooks migrate` rewrite configuration. They don't promise that a script understands the other agent's payload or is understood. The
  scenarios favor them there: the hooks are recorders that answer the same whatever they read, and what a hook was sent isn't compared.
- rulesync prints which events and matchers it leaves out; those still count here by what happens.
- Where a row has fewer scenarios than there are, they are a random sample: the run was ended early.
- Codex has no tool that reads files: hookbridge reads its shell commands for guards on reads, and the others don't promise that.
- Not counted: scenarios that only one client can play, those of Cursor's import together with hookbridge, and in Cursor the ones that ask: its SDK,
  which plays them, approves what the editor would ask the user.

To repeat it: [live/README.md](live/README.md).
"""


def page(results):
    rows, about = [], []
    for host, peers in PEERS.items():
        known, done = scenarios(host), results.get(host, {})
        names = [n for n in known if set(done.get(n, {})) >= set(peers)]
        if not names:
            continue
        title = AGENTS[host].title
        played = "%d" % len(names) if len(names) == len(known) else "%d of %d" % (len(names), len(known))
        for key, peer in peers.items():
            rows.append((title, peer.title, played, collections.Counter(done[n][key] for n in names)))
            if peer.about:
                about.append("- **%s, %s**: %s." % (title, peer.title, peer.about))
        rows.append((title, "hookbridge", played, collections.Counter(own_result(known[n]) for n in names)))
    table = "| agent | Claude Code's hooks by | scenarios | equal | different | open guards |\n|---|---|---|---|---|---|\n"
    table += "".join("| %s | %s | %s | %d | %d | %d |\n" % (*r[:3], *(r[3][k] for k in ("equal", "different", "open"))) for r in rows)
    played = ", ".join("%s %s" % (AGENTS[c].title, v) for c, v in results["versions"].items())
    return PAGE % {"clients": played, "date": time.strftime("%Y-%m-%d"), "table": table, "about": "\n".join(about)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=pathlib.Path, default=pathlib.Path(clients.DIR), metavar="DIR", help="where the clients are (default %(default)s)")
    parser.add_argument("--rulesync", default="rulesync", metavar="PROGRAM")
    parser.add_argument("--results", type=pathlib.Path, required=True, metavar="FILE", help="results so far, read and written")
    parser.add_argument("--write", action="store_true", help="write ../PEERS.md from the results, and run nothing")
    parser.add_argument("hosts", nargs="*", metavar="HOST", help="default all: " + ", ".join(PEERS))
    args = parser.parse_intermixed_args()
    results = json.loads(args.results.read_text()) if args.results.exists() else {"versions": {}}
    if args.write:
        (harness.HERE.parent / "PEERS.md").write_text(page(results))
        return
    for host in args.hosts or PEERS:
        measure(args, host, results)


if __name__ == "__main__":
    main()
