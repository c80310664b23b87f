#!/usr/bin/env python3
"""The same hooks natively in their own agent and through hookbridge with Qoder on one side of the bridge; the effects compared.

  compare_qoder.py --live DIR --bridge BINARY [--write FILE] [--show] [SCENARIO...]

DIR is the test host, see README.md beside this file. A scenario (scenarios-qoder/NAME.json) has `hooks` (whose they are), `host`
(under whose agent the bridge runs them), `events` (of the host, one entry of the bridge each), what the test host takes (`files`, `plan`,
`prompt`, `steps`, ..), `holds` (effects that must come about on both sides) and `expect`: "same", or {"difference": why,
"in": {effect: [native, bridged]}}. In expected values "~x" is a regular expression, null is absent. Sessions run one at a time; a scenario
that does not come out as declared is run a second time and only then believed. Exit status 1: one did not.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent / "scenarios-qoder"
HOST_KEYS = ("prompt", "steps", "plan", "env", "home", "timeout", "mcp", "max_turns", "claude", "cursor", "qoder")
NAMES = {"claude": "Claude Code", "cursor": "Cursor SDK", "qoder": "Qoder CLI"}
ORDER = [("claude", "qoder"), ("cursor", "qoder"), ("qoder", "claude"), ("qoder", "cursor")]
COMMON = ("hook_event_name", "tool_name", "tool_input", "tool_response", "error", "is_interrupt", "cwd", "permission_mode", "stop_hook_active",
          "last_assistant_message", "source", "prompt", "reason")
TOLD = {  # what a hook is told that has to be the same
    "claude": COMMON,
    "qoder": COMMON + ("mcp_context",),
    "cursor": ("hook_event_name", "tool_name", "tool_input", "tool_output", "error_message", "failure_type", "is_interrupt", "command", "cwd", "output", "result_json",
               "mcp_server_name", "file_path", "content", "edits", "prompt", "status", "loop_count", "workspace_roots"),
}
SPARE = {  # and what of it is not: only one client fills it in
    "tool_input": ("description", "timeout", "replace_all"),
    "tool_response": ("structuredPatch", "userModified", "replaceAll", "noOutputExpected", "telemetryExecutionId"),
}
ENV = {"claude": ("CLAUDE_PROJECT_DIR",), "cursor": ("CURSOR_PROJECT_DIR",), "qoder": ("QODER_PROJECT_DIR", "CLAUDE_PROJECT_DIR", "QODER_HOOK_SOURCE")}


# -- two sessions ---------------------------------------------------------------------------------------


def registered(s, command):
    """The bridge in the host's own file: one entry for each event."""
    entry = {"command": command, "timeout": 60}
    if s["host"] == "cursor":
        one = lambda e: {**entry, **({"loop_limit": None} if e == "stop" else {}), **({"matcher": "^(?!MCP:)"} if e == "preToolUse" else {})}
        return {".cursor/hooks.json": {"version": 1, "hooks": {e: [one(e)] for e in s["events"]}}}
    settings = {"hooks": {e: [{"hooks": [{"type": "command", **entry}]}] for e in s["events"]}}
    return {".%s/settings.json" % s["host"]: settings}


def sessions(s, args, bridge):
    """What the test host saw: natively, through the bridge; and the bridge's log."""
    with tempfile.TemporaryDirectory(prefix="compare-qoder-") as folder:
        file, log = pathlib.Path(folder, "scenario.json"), pathlib.Path(folder, "log")
        command = " ".join([bridge, "run", "--host", s["host"], "--hooks", s["hooks"], "--log", str(log), "--log-payload", *s.get("flags", [])])
        given = {k: s[k] for k in HOST_KEYS if k in s}
        given["files"] = s["files"]
        given[s["host"]] = {**given.get(s["host"], {}), "files": registered(s, command)}  # laid over the hooks' own files
        file.write_text(json.dumps(given))
        argv = [str(args.live / "live"), s["hooks"] + "," + s["host"], str(file), "--jobs", "1"] + (["--dir", args.clients] if args.clients else [])
        done = subprocess.run(argv, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError("the test host failed: " + done.stderr.strip().split("\n")[-1])
        return (*json.loads(done.stdout), [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else [])


# -- effects: a flat dict ---------------------------------------------------------------------------------


def lines(texts):
    return "\n".join(sorted(line for t in texts or [] for line in t.splitlines() if line))


def own_words(text):
    """The hook's own words of a reason, without what the client puts before them."""
    return re.sub(r"^\[[^\]]*\]: |^Hook blocked with message: ", "", text or "")


def result(tool, text):
    """What the model read, without the client's dressing."""
    if tool in ("write", "edit"):
        return None
    text = text or ""
    if tool == "read":
        text = re.sub(r"\n*<system-reminder>.*?</system-reminder>\n*", "", text, flags=re.S)
        text = re.sub(r"^\s*\d+[\t→]", "", text, flags=re.M)
    return "" if text == "(Bash completed with no output)" else text.strip("\n")


def parsed(value):
    """A text with JSON in it by what is in it; outputs without the last line end, which Claude Code and Qoder strip."""
    try:
        value = json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value.rstrip("\n")
    if isinstance(value, dict) and isinstance(value.get("output"), str):
        value["output"] = value["output"].rstrip("\n")
    return value


def told(dialect, run):
    stdin = run["stdin"] if isinstance(run["stdin"], dict) else {}
    e = {k: stdin[k] for k in TOLD[dialect] if k in stdin}
    for k in ("tool_input", "tool_output", "result_json", "output") if dialect == "cursor" else ():
        if k in e:
            e[k] = parsed(e[k])
    for name, spare in SPARE.items():
        if isinstance(e.get(name), dict):
            e[name] = {k: v for k, v in e[name].items() if k not in spare}
    base = lambda text: " ".join(os.path.basename(word) for word in text.split())
    if e.get("mcp_server_name") and "command" in e:  # how the test host starts its server
        e["command"] = base(e["command"])
    if "command" in (e.get("mcp_context") or {}):
        e["mcp_context"] = {**e["mcp_context"], "command": base(e["mcp_context"]["command"]), "args": [base(a) for a in e["mcp_context"]["args"]]}
    return {**e, "working folder": run["cwd"], **{k: run["env"].get(k) for k in ENV[dialect]}}


def effects(s, client, out):
    e = {}
    tools = [(step, done) for step, done in zip((x for x in s["steps"] if "say" not in x), out["steps"]) if "tool" in step]
    for n, (step, done) in enumerate(tools, 1):
        if done.get("skipped"):
            e["step %d reached" % n] = False
            continue
        its = {"ran": done["ran"], "denied": done.get("denied", False), "context": lines(done.get("context")), "changed": done.get("changed", [])}
        if done.get("denied"):
            its["reason"] = own_words(done.get("reason"))
        if done["ran"]:
            ran = done.get("input_as_run")
            its["input"] = {k: ran[k] for k in ("path", "content")} if isinstance(ran, dict) and "content" in ran else ran
            its["result"] = result(step["tool"], done.get("result"))
        if step["tool"] == "shell":
            its["exit code"] = done.get("exit_code")
        e.update({"step %d %s" % (n, k): v for k, v in its.items()})
    asked = next((d.get("answer") or {} for x, d in zip((x for x in s["steps"] if "say" not in x), out["steps"]) if x.get("hook") == "beforeSubmitPrompt"), None)
    prompt = out["prompt"]
    if client == "cursor" and asked is not None:  # the SDK ignores this answer: what its hook engine made of it
        prompt = {"blocked": asked.get("continue") is False, "reason": asked.get("user_message"), "context": [asked.get("additional_context", "")]}
    e.update({"prompt blocked": prompt["blocked"], "prompt reason": own_words(prompt.get("reason")), "prompt context": lines(prompt["context"])})
    if asked is None:
        e["stops"] = out["stops"]
    if out["stops"] > 1:
        e["sent back"] = sorted({line for t in out["followups"] for line in t.splitlines()})
    e["session context"] = lines(out["session_context"])
    e["files"] = out["files"]
    count = {}
    for r in out["hooks"]:
        if asked is not None and isinstance(r["stdin"], dict) and r["stdin"].get("session_id") == "conv":
            continue  # the engine was asked a second time
        label = r["label"]
        count[label] = count.get(label, 0) + 1
        if count[label] <= 3:
            e.update({"hook %s %d %s" % (label, count[label], k): v for k, v in told(s["hooks"], r).items()})
    e.update({"hook %s runs" % label: n for label, n in count.items()})
    if out["exit"] in ("timeout", "max_turns"):
        e["exit"] = out["exit"]
    return {k: v for k, v in e.items() if v not in (None, [], {}, "")}


# -- judging ----------------------------------------------------------------------------------------------


def fits(want, got):
    if isinstance(want, str) and want.startswith("~"):
        return got is not None and re.search(want[1:], got if isinstance(got, str) else json.dumps(got), re.S) is not None
    return want == got


def shown(value):
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)


def differences(pair):
    """Where the effects differ; of a hook that ran on one side only, its `runs` alone."""
    found = []
    for path in sorted({*pair[0], *pair[1]}):
        call = re.match(r"hook (\S+) (\d+) ", path)
        both_ran = not call or int(call[2]) <= min(e.get("hook %s runs" % call[1], 0) for e in pair)
        if both_ran and pair[0].get(path) != pair[1].get(path):
            found.append(path)
    return found


def judge(s, pair):
    wrong = []
    declared = {} if s["expect"] == "same" else s["expect"]["in"]
    for path, want in s["holds"].items():
        for side, e in zip(("natively", "bridged"), pair):
            if path not in declared and not fits(want, e.get(path)):
                wrong.append("%s: %s should be %s, is %s" % (side, path, shown(want), shown(e.get(path))))
    found = differences(pair)
    for path in sorted({*found, *declared}):
        got = [e.get(path) for e in pair]
        if path not in declared:
            wrong.append("%s: natively %s, bridged %s" % (path, *map(shown, got)))
        elif path not in found:
            wrong.append("%s: the declared difference has vanished: both %s" % (path, shown(got[0])))
        elif not all(map(fits, declared[path], got)):
            wrong.append("%s: declared %s and %s, is %s and %s" % (path, *map(shown, declared[path]), *map(shown, got)))
    return wrong


# -- telling ------------------------------------------------------------------------------------------------


def brief(text, limit=80):
    text = (text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)).replace("{PROJECT}/", "").replace("\n", " / ")
    return text if len(text) <= limit else text[:limit - 1] + "…"


def tell(s, e):
    said = []
    for n, step in enumerate((x for x in s["steps"] if "tool" in x), 1):
        get = lambda k: e.get("step %d %s" % (n, k))
        name = "mcp " + step["name"] if step["tool"] == "mcp" else step["tool"]
        if get("reached") is False:
            said.append(name + " never reached")
            continue
        words = "denied “%s”" % brief(get("reason") or "") if get("denied") else "ran" if get("ran") else "failed"
        ran = get("input") or {}
        if step["tool"] == "shell" and ran.get("command", step["command"]) != step["command"]:
            words += " as “%s”" % brief(ran["command"])
        if get("exit code"):
            words = "ended with %d" % get("exit code")
        words += ", result “%s”" % brief(get("result"), 40) if get("ran") and get("result") else ""
        words += ", context “%s”" % brief(get("context")) if get("context") else ""
        said.append("%s %s" % (name, words))
    if e.get("prompt blocked"):
        said.append("prompt blocked " + ("“%s”" % brief(e["prompt reason"]) if e.get("prompt reason") else "without a reason"))
    said += ["%s “%s”" % (k, brief(e[k])) for k in ("prompt context", "session context") if e.get(k)]
    said += ["sent back “%s” " % brief(t) + "%d×" % (e["stops"] - 1) for t in e.get("sent back", [])]
    runs = ["%s %d×" % (k[5:-5], v) for k, v in sorted(e.items()) if k.startswith("hook ") and k.endswith(" runs")]
    return "; ".join(said + ["hooks: " + ", ".join(runs) if runs else "no hook ran"])


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


PAGE = """# The same hooks with Qoder on one side of the bridge

Every row is one scenario of `live/scenarios-qoder`, run twice with real clients, the model scripted: the hooks natively in their own agent, and
the same files through `hookbridge run --host HOST --hooks DIALECT` in the other. Claude Code %(claude)s (print mode), @cursor/sdk %(cursor)s
(local agent), qodercli %(qoder)s (ACP agent, default mode). Date: %(date)s.

%(count)s.

- **same**: all effects that were compared are equal: whether each step ran, the reason of a refusal, the input as it ran, result and exit
  code, the context that the model got, changed files, how often the agent was sent back, how often each hook ran and what it was told
  (event, tool name, input and response, prompt, folder, mode, source, the variables of its own agent; of many runs the first three).
- **difference**: they differ exactly in what the scenario declares, for the reason given.
- **differs**: a fault that is still open.

Qoder's IDE, QoderWork and SDK are not covered, nor NotebookEdit. An ACP host is told neither why a prompt was blocked nor what an `ask` hook said.
`ask` is a refusal in Claude Code's print mode, a dialog that the scripted user refuses in Qoder, and approved by the Cursor SDK.

To repeat it (the test host installs the clients; nothing of them is stored here; a differing scenario is run twice before it is believed):

    CGO_ENABLED=0 go build -o /tmp/hookbridge ./cmd/hookbridge
    python3 conformance/live/compare_qoder.py --live DIR --bridge /tmp/hookbridge --write conformance/LIVE-QODER.md
"""


def page(results, versions):
    count = {}
    for r in results:
        count[r["verdict"]] = count.get(r["verdict"], 0) + 1
    text = PAGE % {**versions, "date": time.strftime("%Y-%m-%d"),
                   "count": ", ".join("%d %s" % (n, v) for v, n in sorted(count.items(), key=lambda t: -t[1])) + " of %d scenarios" % len(results)}
    for hooks, host in ORDER:
        rows = []
        for r in (r for r in results if (r["s"]["hooks"], r["s"]["host"]) == (hooks, host)):
            why = "" if r["s"]["expect"] == "same" and not r["wrong"] else ": " + (
                "; ".join(brief(w, 160) for w in r["wrong"][:3]) + ("; .." if r["wrong"][3:] else "") if r["wrong"] else r["s"]["expect"]["difference"])
            rows.append("| %s | %s | %s | %s | %s |" % (r["name"], *map(cell, (r["s"]["about"], *r["said"], r["verdict"] + why))))
        if rows:
            text += "\n## %s hooks in %s and, through hookbridge, in %s\n\n" % (hooks.capitalize(), NAMES[hooks], NAMES[host])
            text += "\n".join(["| scenario | what it shows | effect natively | effect through the bridge | verdict |", "|---|---|---|---|---|", *rows]) + "\n"
    return text


def one(name, s, args, bridge):
    for attempt in (1, 2):
        try:
            native, bridged, log = sessions(s, args, bridge)
        except (RuntimeError, ValueError) as e:
            r = {"name": name, "s": s, "wrong": [str(e)], "verdict": "failed", "said": ("", ""), "outs": (), "log": []}
        else:
            pair = [effects(s, s["hooks"], native), effects(s, s["host"], bridged)]
            wrong = judge(s, pair)
            r = {"name": name, "s": s, "pair": pair, "wrong": wrong, "verdict": "differs" if wrong else "same" if s["expect"] == "same" else "difference",
                 "said": [tell(s, e) for e in pair], "outs": ((s["hooks"], native), (s["host"], bridged)), "log": log}
        if not r["wrong"] or args.once:
            break
    return r


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--live", type=pathlib.Path, required=True, metavar="DIR", help="folder of the test host")
    parser.add_argument("--bridge", type=pathlib.Path, required=True, metavar="BINARY", help="the hookbridge to try")
    parser.add_argument("--clients", metavar="DIR", help="where the clients are installed, if not in the test host's usual place")
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE", help="write the page; needs all scenarios")
    parser.add_argument("--show", action="store_true", help="print all effects and the bridge's answers")
    parser.add_argument("--once", action="store_true", help="believe a difference at once")
    parser.add_argument("names", nargs="*", metavar="SCENARIO", help="default all")
    args = parser.parse_args()
    if args.write and args.names:
        parser.error("--write needs all scenarios")
    known = {f.stem: json.loads(f.read_text()) for f in sorted(FOLDER.glob("*.json"), key=lambda f: f.stem)}
    if set(args.names) - set(known):
        parser.error("no scenario " + ", ".join(sorted(set(args.names) - set(known))))
    for name, s in known.items():
        if not s["holds"] or (s["hooks"], s["host"]) not in ORDER:
            parser.error(name + ": nothing holds, or unknown sides")
    results, versions = [], {"claude": "?", "cursor": "?", "qoder": "?"}
    with tempfile.TemporaryDirectory(prefix="compare-qoder-bin-") as folder:
        bridge = os.path.join(folder, "hookbridge")  # the bridge knows its own entries by this name
        os.symlink(args.bridge.resolve(strict=True), bridge)
        for name in args.names or known:
            r = one(name, known[name], args, bridge)
            results.append(r)
            codes = sorted({d["code"] for a in r["log"] for d in a["diagnostics"]})
            print("%-4s %-28s %s%s" % ("FAIL" if r["wrong"] else "ok", name, r["verdict"], "  [%s]" % " ".join(codes) if codes else ""))
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
        args.write.write_text(page(results, versions))
    return 1 if any(r["wrong"] for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
