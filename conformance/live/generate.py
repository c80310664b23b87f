#!/usr/bin/env python3
"""Make random scenarios from a seed, run them as compare.py does, and show the differences that nothing names.

  generate.py [--direction DIRECTION] [--seed N] [--count N] [--keep DIR] [--print]

Exit status 1: a difference is left that no diagnostic of hookbridge names.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import compare
import harness
import recorded
from scenarios_random import scenario_of

SOURCES = (".claude/settings.json", ".claude/settings.local.json", ".cursor/hooks.json")

# The effects that a code of hookbridge may change. What was refused natively and goes through is explained by none.
EXPLAINS = {
    "HB201": r"context|hook ",  # an event that the host does not raise
    "HB203": r"stops|step \d+ |files|hook ",  # ask became deny
    "HB204": r"step \d+ |files|hook ",  # a rewrite became a denial
    "HB205": r"context|sent back",  # cut
    "HB206": r"context|step \d+ ",
    "HB207": r"context",
    "HB208": r"result|hook \S+ \d+ ",
    "HB209": r"step \d+ |files|stops|sent back|hook |exit",
    "HB211": r"context",
    "HB217": r"stops|sent back|step|files|hook ",
    "HB218": r"step \d+ |files|hook ",
    "HB317": r"tool_name",
}


def installed(way, scenario, derived, args, command):
    """The host's file as `hookbridge install` writes it, its entries with the flags of the comparison."""
    host = {"cursor": ".cursor/hooks.json", "claude": ".claude/settings.json"}[way.host]
    with tempfile.TemporaryDirectory(prefix="generate-") as folder:
        project, home = pathlib.Path(folder, "project"), pathlib.Path(folder, "home")
        for base, files in ((project, scenario["files"]), (home, scenario.get("home", {}))):
            base.mkdir()
            for path, content in files.items():
                content = content["content"] if isinstance(content, dict) and "content" in content else content
                file = base / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(content if isinstance(content, str) else json.dumps(content))
        if args.by == "convert":
            source = next(project / p for p in scenario["files"] if p in SOURCES)
            done = subprocess.run([str(args.bridge), "convert", "--from", way.hooks, "--to", way.host, str(source)], capture_output=True, text=True)
            if done.returncode not in (0, 3):
                raise RuntimeError("convert: " + done.stderr)
            return host, wrapped(json.loads(done.stdout), command)
        done = subprocess.run([str(args.bridge), "install", "--host", way.host, "--hooks", way.hooks, "--project", str(project), "--home", str(home)],
                              capture_output=True, text=True)
        if done.returncode and "found no " not in done.stderr and not scenario.get("home"):
            raise RuntimeError("install: " + done.stderr)
        file = project / host
        text = json.loads(file.read_text()) if file.exists() else {}
        if scenario.get("home"):  # the user's hooks have an entry in the user's own file, which is compared as the project's
            subprocess.run([str(args.bridge), "install", "--host", way.host, "--hooks", way.hooks, "--scope", "user", "--project", str(project),
                            "--home", str(home)], capture_output=True, check=True)
            user = json.loads((home / host).read_text())
            for event, entries in user["hooks"].items():
                text.setdefault("hooks", {}).setdefault(event, entries)

    return host, replaced(text, command)


def replaced(x, command):
    """An installed file whose entries call hookbridge that is compared."""
    if isinstance(x, dict):
        return {k: command if k == "command" and v.startswith("hookbridge run ") else replaced(v, command) for k, v in x.items()}
    return [replaced(v, command) for v in x] if isinstance(x, list) else x


def wrapped(x, command):
    """A converted file whose entries call hookbridge that is compared."""
    if isinstance(x, dict):
        return {k: v.replace("hookbridge run ", command + " ", 1) if k == "command" and v.startswith("hookbridge run ") else wrapped(v,
                command) for k, v in x.items()}
    return [wrapped(v, command) for v in x] if isinstance(x, list) else x


def derive(way, scenario, args, bridge, log):
    """As compare.py does it, but the registration is that of `install`; a user's settings are moved as the project's are."""
    user = scenario.get("home", {}).get(".claude/settings.json") if way is compare.CLAUDE_HOOKS else None
    moved = {**scenario, "events": []}
    if user is not None:
        moved["config"] = [*moved.get("config", []), "claude-user.json"]
    out = compare.derive(way, moved, bridge, log)
    if user is not None:
        out[way.host]["files"]["claude-user.json"] = user
        out[way.host]["home"] = {k: v for k, v in out.pop("home").items() if k != ".claude/settings.json"}
        out[way.hooks]["home"] = scenario["home"]
    configs = ["claude-" + compare.SETTINGS.match(p)[1] for p in scenario["files"] if way is compare.CLAUDE_HOOKS and compare.SETTINGS.match(p)]
    command = [bridge, "run", "--log", log, *scenario.get("flags", [])]
    if args.by == "install":
        command += ["--host", way.host, "--hooks", way.hooks]
    for path in (configs + (["claude-user.json"] if user is not None else [])) * (args.by == "install"):
        command += ["--config", "{PROJECT}/" + path]
    host, text = installed(way, scenario, out, args, " ".join(command))
    out[way.host]["files"][host] = text
    return out, text.get("hooks", {})


def run(way, scenario, args, bridge):
    with tempfile.TemporaryDirectory(prefix="generate-") as folder:
        log = pathlib.Path(folder, "bridge.jsonl")
        derived, events = derive(way, scenario, args, bridge, str(log))
        scenario = {**scenario, "events": list(events)}
        outs = harness.live(",".join(way.clients), derived, folder, args)
        answers = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    out = dict(zip(way.clients, outs))
    both = {c: compare.effects(way, scenario, c, out[c], answers) for c in way.clients}
    return out, both, answers


# Members that no other agent knows.
UNKNOWABLE = {"duration_ms", "command"}
# Reasons in the words of a client or of hookbridge.
OWN_WORDS = re.compile(r"blocked for safety|Hook blocked|returned no output|fail(ed)? closed|onFailure|hook failed|Blocked by hook"
                       r"|blocked by preToolUse hook|No stderr output|was blocked by a hook\.$", re.I)

GO_ON = "A hook asks you to continue."  # in place of a reason of blanks
PLAIN = ("0", "null", "true", "[]", "{", "}")  # found in a request by chance


def known(path, native, bridged, told, scenario):
    """Differences that are none of hookbridge's making, or that the scenarios of this folder declare."""
    if path.endswith(" members"):
        return set(native or ()) ^ set(bridged or ()) <= UNKNOWABLE
    if path.endswith(" command"):
        return bridged is None
    if re.search(r"tool_(name|input|response)$", path) and bridged is not None and told.get(path.rsplit(" ", 1)[0] + " tool_name") == "Write":
        return True
    if path.endswith("reason") and '"agent_message' in json.dumps(scenario["plan"]):
        return True
    if path.endswith("reason") and bridged and OWN_WORDS.search(native or bridged):
        return True
    if path.endswith(" edits") or path == "session context" and not native:  # whole lines there; the SDK keeps it to itself
        return True
    if path == "sent back" and isinstance(bridged, list) and GO_ON in bridged and native == [t for t in bridged if t != GO_ON]:
        return True
    if path == "sent back" and "persisted-output" in str(native):  # the whole text there, a preview here
        return True
    if path.endswith("context") and isinstance(native, str) and isinstance(bridged, str) and native.strip() == bridged.strip():
        return True
    if path.endswith("context") and not bridged and native in PLAIN:
        return True
    if path == "prompt context" and told.get("prompt blocked"):
        return True
    if path == "prompt reason":  # of several Claude Code tells the first; without a refusal nobody is told
        return not told.get("prompt blocked") or bool(native and bridged) and native in bridged
    return False


def weaker(path, native, bridged, told):
    """Refused natively, and not through hookbridge although it came to that."""
    return (native is True and bridged is not True and re.search(r"step \d+ denied|prompt blocked", path) is not None
            and told.get(path.replace("denied", "reached")) is not False)


def unnamed(way, scenario, both, codes):
    """The differences that no code explains."""
    native, bridged = (both[c] for c in way.clients)
    return [p for p in compare.differences(way, both) if weaker(p, native.get(p), bridged.get(p), bridged)
            or not known(p, native.get(p), bridged.get(p), bridged, scenario) and not any(re.search(EXPLAINS[c], p) for c in codes if c in EXPLAINS)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    harness.add_arguments(parser)
    parser.add_argument("--direction", choices=compare.DIRECTIONS, action="append")
    parser.add_argument("--seed", type=int, default=1, help="the first seed (default 1)")
    parser.add_argument("--count", type=int, default=20, help="scenarios in each direction (default 20)")
    parser.add_argument("--by", choices=("install", "convert"), default="install",
            help="how the host's file is made; convert takes scenarios with one hook file")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the scenarios that differ, with what came of them")
    parser.add_argument("--print", action="store_true", help="print the scenarios and run nothing")
    args = parser.parse_args()
    chosen = [(d, n) for d in args.direction or compare.DIRECTIONS for n in range(args.seed, args.seed + args.count)]
    if args.by == "convert":
        chosen = [(d, n) for d, n in chosen if len([p for s in [scenario_of(d, n)] for p in [*s["files"], *s.get("home", {})] if p in SOURCES]) == 1
                  and "home" not in scenario_of(d, n)]
    if args.print:
        for d, n in chosen:
            print(json.dumps(scenario_of(d, n), indent=1, ensure_ascii=False))
        return 0

    args.bridge = harness.built(args.bridge)
    with tempfile.TemporaryDirectory(prefix="generate-bin-") as folder:
        bridge = recorded.link(args.bridge, folder)

        def one(item):
            direction, seed = item
            way, scenario = compare.DIRECTIONS[direction], scenario_of(direction, seed)
            for attempt in range(2):  # hooks that race are run again
                try:
                    out, both, answers = run(way, scenario, args, bridge)
                except (RuntimeError, ValueError, KeyError) as e:
                    return item, scenario, None, [], [], [], repr(e)
                codes = sorted({d["code"] for a in answers for d in a["diagnostics"]})
                left = unnamed(way, scenario, both, codes)
                if not left:
                    break
            return item, scenario, both, answers, codes, left, ""

        failed = 0
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for (direction, seed), scenario, both, answers, codes, left, fault in pool.map(one, chosen):
                way = compare.DIRECTIONS[direction]
                named = [p for p in compare.differences(way, both) if p not in left] if both else []
                word = "FAIL" if left or fault else "named" if named else "same"
                print("%-5s %s %d  [%s]%s" % (word, direction, seed, " ".join(codes), "  " + fault if fault else ""))
                failed += bool(left or fault)
                for p in left:
                    print("      %s: %s %s | %s %s" % (p, way.hooks, compare.shown(both[way.hooks].get(p))[:300], way.host,
                            compare.shown(both[way.host].get(p))[:300]))
                if args.keep and both and (left or named):
                    args.keep.mkdir(parents=True, exist_ok=True)
                    (args.keep / ("%s-%d.json" % (direction, seed))).write_text(json.dumps(
                        {"scenario": scenario, "left": left, "named": named, "codes": codes, "effects": both, "answers": answers}, indent=1,
                        ensure_ascii=False))
                sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
