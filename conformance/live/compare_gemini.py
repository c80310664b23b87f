#!/usr/bin/env python3
"""The same hooks natively in their own agent and through hookbridge with Gemini CLI on one side of the bridge; the effects compared.

  compare_gemini.py --live DIR --bridge BINARY [--write FILE] [--show] [--jobs N] [SCENARIO...]

Scenarios (scenarios-gemini/NAME.json) and verdicts are those of compare_qoder.py, whose parts this driver uses. The host's file is
written by `hookbridge install`, so that its events, matchers and time limits are compared too.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import compare_qoder as base

FOLDER = pathlib.Path(__file__).resolve().parent / "scenarios-gemini"
PAIRS = [("claude", "gemini"), ("cursor", "gemini"), ("gemini", "claude"), ("gemini", "cursor")]
HOST_FILE = {"claude": ".claude/settings.json", "cursor": ".cursor/hooks.json", "gemini": ".gemini/settings.json"}

base.NAMES["gemini"] = "Gemini CLI"
base.HOST_KEYS += ("gemini",)
base.TOLD["gemini"] = ("hook_event_name", "tool_name", "tool_input", "tool_response", "prompt", "prompt_response", "source", "reason", "cwd", "mcp_context")
base.ENV["gemini"] = ("GEMINI_PROJECT_DIR", "GEMINI_CWD", "CLAUDE_PROJECT_DIR")
base.SPARE["tool_input"] += ("instruction", "dir_path", "run_in_background")


def sessions(s, args, bridge):
    """What the test host saw: natively, through the bridge; and the bridge's log."""
    with tempfile.TemporaryDirectory(prefix="compare-gemini-") as folder:
        root = pathlib.Path(folder)
        file, log = root / "scenario.json", root / "log"
        for place, files in (("project", s["files"]), ("home", s.get("home", {}))):
            (root / place).mkdir()
            for name, content in files.items():
                content = content["content"] if isinstance(content, dict) and set(content) <= {"content", "mode"} else content
                target = root / place / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(content if isinstance(content, str) else json.dumps(content))
        install = [bridge, "install", "--host", s["host"], "--hooks", s["hooks"], "--project", str(root / "project"), "--home", str(root / "home")]
        done = subprocess.run(install, capture_output=True, text=True)
        written = root / "project" / HOST_FILE[s["host"]]
        if not written.exists():
            raise RuntimeError("nothing was installed: " + done.stdout + done.stderr)
        call = " ".join([bridge, "run", "--log", str(log), "--log-payload", *s.get("flags", []), ""])
        given = {k: s[k] for k in base.HOST_KEYS if k in s}
        given["files"] = s["files"]
        installed = json.loads(written.read_text().replace("hookbridge run ", json.dumps(call)[1:-1]))
        given[s["host"]] = {**given.get(s["host"], {}), "files": {HOST_FILE[s["host"]]: installed}}
        file.write_text(json.dumps(given))
        argv = [str(args.live / "live"), s["hooks"] + "," + s["host"], str(file), "--jobs", "1"] + (["--dir", args.clients] if args.clients else [])
        done = subprocess.run(argv, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError("the test host failed: " + done.stderr.strip().split("\n")[-1])
        return (*json.loads(done.stdout), [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else [])


base.sessions = sessions
plain = base.result


def result(tool, text):
    """What the model read, without Gemini CLI's dressing."""
    text = "" if text in ("(empty)", "Output: (empty)") else text
    return plain(tool, text)


base.result = result

PAGE = """# The same hooks with Gemini CLI on one side of the bridge

Every row is one scenario of `live/scenarios-gemini`, run twice with real clients and a scripted model: the hooks natively in their own agent,
and the same files in the other agent through what `hookbridge install` writes there. Claude Code %(claude)s (print mode), @cursor/sdk %(cursor)s
(local agent), Gemini CLI %(gemini)s (headless, approval mode yolo). Date: %(date)s.

%(count)s.

- **same**: all compared effects are equal: whether each step ran, the reason of a denial, the input as it ran, result and exit code, the
  context that the model got, changed files, how often the agent was sent back, how often each hook ran and what it was told.
- **difference**: they differ exactly in what the scenario declares, for the reason given.
- **differs**: a fault that is still open.

Gemini CLI's terminal, its dialogs, ACP and IDE are not covered here.

To repeat it:

    CGO_ENABLED=0 go build -o /tmp/hookbridge ./cmd/hookbridge
    python3 conformance/live/compare_gemini.py --live DIR --bridge /tmp/hookbridge --write conformance/LIVE-GEMINI.md
"""


def page(results, versions, old):
    count = {}
    for r in results:
        count[r["verdict"]] = count.get(r["verdict"], 0) + 1
    text = PAGE % {**versions, "date": time.strftime("%Y-%m-%d"),
                   "count": ", ".join("%d %s" % (n, v) for v, n in sorted(count.items(), key=lambda t: -t[1])) + " of %d scenarios" % len(results)}
    for hooks, host in PAIRS:
        rows = []
        for r in (r for r in results if (r["s"]["hooks"], r["s"]["host"]) == (hooks, host)):
            why = "" if r["s"]["expect"] == "same" and not r["wrong"] else ": " + (
                "; ".join(base.brief(w, 160) for w in r["wrong"][:3]) if r["wrong"] else r["s"]["expect"]["difference"])
            rows.append("| %s | %s | %s | %s | %s |" % (r["name"], *map(base.cell, (r["s"]["about"], *r["said"], r["verdict"] + why))))
        if rows:
            text += "\n## %s hooks in %s and, through hookbridge, in %s\n\n" % (hooks.capitalize(), base.NAMES[hooks], base.NAMES[host])
            text += "\n".join(["| scenario | what it shows | effect natively | effect through the bridge | verdict |", "|---|---|---|---|---|", *rows]) + "\n"
    kept = old.find("\n## `gemini hooks migrate`")  # written by hand
    return text + (old[kept:] if kept >= 0 else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--live", type=pathlib.Path, required=True, metavar="DIR", help="folder of the test host")
    parser.add_argument("--bridge", type=pathlib.Path, required=True, metavar="BINARY", help="the hookbridge to try")
    parser.add_argument("--clients", metavar="DIR", help="where the clients are installed, if not in the test host's usual place")
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE", help="write the page; needs all scenarios")
    parser.add_argument("--show", action="store_true", help="print all effects and the bridge's answers")
    parser.add_argument("--once", action="store_true", help="believe a difference at once")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="scenarios at a time")
    parser.add_argument("names", nargs="*", metavar="SCENARIO", help="default all")
    args = parser.parse_args()
    if args.write and args.names:
        parser.error("--write needs all scenarios")
    known = {f.stem: json.loads(f.read_text()) for f in sorted(FOLDER.glob("*.json"), key=lambda f: f.stem)}
    for name in args.names:
        if name not in known:
            parser.error("no scenario " + name)
    results, versions = [], {"claude": "?", "cursor": "?", "gemini": "?"}
    with tempfile.TemporaryDirectory(prefix="compare-gemini-bin-") as folder:
        bridge = os.path.join(folder, "hookbridge")  # the bridge knows its own entries by this name
        os.symlink(args.bridge.resolve(strict=True), bridge)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for r in pool.map(lambda name: base.one(name, known[name], args, bridge), args.names or known):
                results.append(r)
                codes = sorted({d["code"] for a in r["log"] for d in a["diagnostics"]})
                print("%-4s %-28s %s%s" % ("FAIL" if r["wrong"] else "ok", r["name"], r["verdict"], "  [%s]" % " ".join(codes) if codes else ""))
                for line in r["wrong"]:
                    print("       " + line)
                for n, (client, out) in enumerate(r["outs"]):
                    versions[client] = out["version"]
                    if args.show:
                        print("     %s: %s\n       %s\n       warnings: %s" % (client, r["said"][n], json.dumps(r["pair"][n], ensure_ascii=False), out["warnings"]))
                for a in r["log"] if args.show else ():
                    print("     %s -> %s %s" % (a["event"], a["stdout"], " ".join(d["code"] for d in a["diagnostics"])))
                sys.stdout.flush()
    if args.write:
        args.write.write_text(page(results, versions, args.write.read_text() if args.write.exists() else ""))
    return 1 if any(r["wrong"] for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
