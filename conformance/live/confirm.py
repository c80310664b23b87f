#!/usr/bin/env python3
"""Replay vectors through the real clients, and note in them what was seen.

  confirm.py [--write] [--show] [GLOB...]     run, reply and config vectors, by the clients
  confirm.py --payloads [--write] [GLOB...]   call vectors, by recorded payloads (../payloads)

Of a reply vector the output is what a hook of the host prints; of a run vector hookbridge is the hook. The client must then
do what the output says: refuse with its reason, run the rewritten command, show the model the context, go on. A configuration
is the client's own hook file: it must call every entry whose event comes, for the tools that its matcher names and no others, and
the hook must run. Vectors whose
event the harness cannot raise in their host, or whose output has an effect that nobody can see there, are left alone.
With --write the members `confirmed` and `client` are updated. Exit status 1: a client did otherwise.
"""
import argparse
import fnmatch
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import harness
import recorded

VECTORS = harness.HERE.parent / "vectors"
CLIENTS = {"claude": "Claude Code", "cursor": "@cursor/sdk", "qoder": "Qoder CLI", "copilot": "Copilot CLI"}
CALLS = "confirm-"  # beginning of the names of fake hooks

# What an event is about, in the words of every agent, and the event of each host at which an answer to it goes.
EVENTS = {
    "pre": ("PreToolUse", "preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"),
    "post": ("PostToolUse", "postToolUse", "afterShellExecution"),
    "failure": ("PostToolUseFailure", "postToolUseFailure"),
    "prompt": ("UserPromptSubmit", "beforeSubmitPrompt", "userPromptSubmitted"),
    "start": ("SessionStart", "sessionStart"),
    "end": ("SessionEnd", "sessionEnd"),
    "stop": ("Stop", "stop", "agentStop"),
    "subagent start": ("SubagentStart", "subagentStart"),
    "subagent stop": ("SubagentStop", "subagentStop"),
    "compact": ("PreCompact", "preCompact"),
}
HOST_EVENTS = {
    "claude": {"pre": "PreToolUse", "post": "PostToolUse", "failure": "PostToolUseFailure", "prompt": "UserPromptSubmit", "start": "SessionStart",
               "end": "SessionEnd", "stop": "Stop"},
    "qoder": {"pre": "PreToolUse", "post": "PostToolUse", "failure": "PostToolUseFailure", "prompt": "UserPromptSubmit", "start": "SessionStart", "stop": "Stop"},
    "cursor": {"pre": "preToolUse", "post": "postToolUse", "failure": "postToolUseFailure", "stop": "stop", "prompt": "beforeSubmitPrompt", "end": "sessionEnd",
               "subagent start": "subagentStart", "subagent stop": "subagentStop", "compact": "preCompact"},
    "copilot": {"pre": "preToolUse", "post": "postToolUse", "prompt": "userPromptSubmitted", "start": "sessionStart", "end": "sessionEnd", "stop": "agentStop"},
}
# Events that only the hook engine of the SDK can be asked for, with what it is told.
ASKED = {"prompt": {"prompt": "fix the build"}, "subagent start": {"subagent_type": "explore", "task": "t"},
         "subagent stop": {"subagent_type": "explore", "status": "completed"}, "compact": {"trigger": "auto"}}
LABEL = CALLS + "answer"
BATCH = 12  # vectors in one call of the harness


def plain(dialect):
    return dialect.split("@")[0]


def about(native):
    return next((k for k, names in EVENTS.items() if native in names), None)


def registered(host, event, command, matcher=None):
    """A configuration of the host with one hook."""
    entry = {"command": command, "timeout": 60}
    if host == "cursor":
        return {".cursor/hooks.json": {"version": 1, "hooks": {event: [{**entry, **({"loop_limit": 3} if event == "stop" else {})}]}}}
    if host == "copilot":
        return {".github/hooks/hooks.json": {"version": 1, "hooks": {event: [{"type": "command", "bash": command, "timeoutSec": 60}]}}}
    return {".%s/settings.json" % host: {"hooks": {event: [{"hooks": [{"type": "command", **entry}]}]}}}


# -- what is to be seen ------------------------------------------------------------------------------


def seen_in_claude(kind, out):
    """What must be seen of an answer, as pairs of a path in the harness's output and a value; None if it cannot be seen."""
    inner = {k: v for k, v in out.get("hookSpecificOutput", {}).items() if k != "hookEventName"}
    top = {k: v for k, v in out.items() if k != "hookSpecificOutput"}
    step = {"pre": {"ran": True}, "post": {"ran": True}, "failure": {}}.get(kind)
    want, stop = [], top.pop("continue", None) is False
    top.pop("stopReason", None)
    if stop and kind not in ("pre", "post", "stop"):
        return None
    if kind == "pre":
        word, reason = inner.pop("permissionDecision", None), inner.pop("permissionDecisionReason", "")
        if word in ("deny", "ask"):  # print mode refuses what it cannot ask
            want += [("steps.0.ran", False), ("steps.0.denied", True)] + ([("steps.0.reason", reason)] if reason else [])
            step = {}
        elif word == "defer":
            want, step = [("steps.0.ran", False)], {}
        if "updatedInput" in inner:
            want.append(("steps.0.input_as_run", inner.pop("updatedInput").get("command", "")))
    if kind == "post" and "updatedToolOutput" in inner:
        new = inner.pop("updatedToolOutput")
        if not isinstance(new, dict) or "stdout" not in new:
            return None
        want.append(("steps.0.result", new["stdout"]))
    if kind in ("pre", "post", "failure") and "additionalContext" in inner:
        want.append(("steps.0.context", inner.pop("additionalContext")))
    if kind in ("post", "failure") and top.pop("decision", None):
        want.append(("steps.0.context", top.pop("reason")))
    if kind == "prompt":
        if top.pop("decision", None):
            want += [("prompt.blocked", True), ("prompt.reason", top.pop("reason", ""))]
        if "additionalContext" in inner:
            want.append(("prompt.context", inner.pop("additionalContext")))
    if kind == "start" and "additionalContext" in inner:
        want.append(("session_context", inner.pop("additionalContext")))
    if kind == "stop":
        want.append(("stops", 2 if top.get("decision") and not stop else 1))
        if top.pop("decision", None):
            want.append(("followups", top.pop("reason", "")))
    if inner or top:
        return None
    want += [("steps.0." + k, v) for k, v in (step or {}).items()]
    if stop and kind != "stop":
        want.append(("steps.1.skipped", "~."))
    return want


def seen_in_qoder(kind, out):
    """As in Claude Code, but that its dialogs are answered by the harness, and an ACP host is not told why a prompt was refused."""
    if out.get("hookSpecificOutput", {}).get("permissionDecision") == "ask":
        return None
    want = seen_in_claude(kind, out)
    over = kind == "pre" and out.get("continue") is False  # the act at which a turn ends does not take place either
    return want and [(path, False if over and path == "steps.0.ran" else x) for path, x in want if path != "prompt.reason"]


def seen_in_cursor(kind, out):
    out = dict(out)
    if kind in ASKED:  # the merged answer of the engine
        return [("steps.0.answer." + k, v) for k, v in out.items()] or [("steps.0.answer", "~^(null|\\{.*\\})$")]
    want = []
    if kind == "pre":
        word, reason = out.pop("permission", None), out.pop("user_message", "")
        out.pop("agent_message", None)
        want += [("steps.0.ran", word != "deny")]
        if word == "deny":
            want += [("steps.0.denied", True), ("steps.0.reason", reason)]
        if "updated_input" in out:
            want.append(("steps.0.input_as_run", out.pop("updated_input").get("command", "")))
    if kind in ("pre", "post", "failure") and "additional_context" in out:
        want.append(("steps.0.context", out.pop("additional_context")))
    if kind == "post":
        want.append(("steps.0.ran", True))
    if kind == "stop":
        want.append(("stops", 2 if "followup_message" in out else 1))
        if "followup_message" in out:
            want.append(("followups", out.pop("followup_message")))
    return None if out else want


def seen_in_copilot(kind, out):
    """As in Claude Code, whose words its flat members are put into. Prompt mode refuses what it would ask."""
    out, inner = dict(out), {}
    for own, theirs in (("permissionDecision",) * 2, ("permissionDecisionReason",) * 2, ("additionalContext",) * 2, ("modifiedArgs", "updatedInput")):
        if own in out:
            inner[theirs] = out.pop(own)
    if "modifiedResult" in out:
        inner["updatedToolOutput"] = {"stdout": out.pop("modifiedResult")["textResultForLlm"]}
    if set(out) - {"decision", "reason"} or "updatedInput" in inner and "command" not in inner["updatedInput"]:
        return None
    want = seen_in_claude(kind, {**out, "hookSpecificOutput": inner})
    return want and [x for x in want if x[0] != "prompt.reason"]


SEEN = {"claude": seen_in_claude, "cursor": seen_in_cursor, "qoder": seen_in_qoder, "copilot": seen_in_copilot}


def at(value, path):
    for part in path.split("."):
        if isinstance(value, list) and part.isdigit():
            value = value[int(part)] if int(part) < len(value) else None
        else:
            value = value.get(part) if isinstance(value, dict) else None
    return value


def holds(want, got):
    if isinstance(want, str) and want.startswith("~"):
        return re.search(want[1:], got if isinstance(got, str) else json.dumps(got)) is not None
    if isinstance(want, str) and not isinstance(got, str):
        return want in json.dumps(got, ensure_ascii=False) or json.dumps(want, ensure_ascii=False)[1:-1] in json.dumps(got, ensure_ascii=False)
    if isinstance(want, str):
        return want in got
    return want == got


def within(want, got):
    """All of want is in got: the client's payload has more in it than the vector's, and so may the answer."""
    if isinstance(want, dict):
        return isinstance(got, dict) and all(k in got and within(x, got[k]) for k, x in want.items())
    return want == got


# -- from a vector to what the harness runs ---------------------------------------------------------


def step_of(v, kind, host):
    """The model's step that raises the event, and files that it needs; None if there is none."""
    if v["id"].startswith("reply/"):
        native = v["event"]
        if native in ("beforeMCPExecution",):
            return {"tool": "mcp", "server": "hb", "name": "echo", "input": {"text": "x"}}, {}
        if native == "beforeReadFile":
            return {"tool": "read", "path": "a.txt"}, {"a.txt": "hello\n"}
        return {"tool": "shell", "command": "false" if kind == "failure" else "echo first"}, {}
    tool, given = v["input"].get("tool_name"), v["input"].get("tool_input", {})
    command = v["input"].get("command") or (given.get("command") if isinstance(given, dict) else None)
    path = (given.get("file_path") or "").replace("{PROJECT}/", "") if isinstance(given, dict) else ""
    if tool in ("Bash", "Shell") or v["input"]["hook_event_name"] == "beforeShellExecution":
        return {"tool": "shell", "command": "false" if kind == "failure" else command}, {}
    if tool == "Read":
        return {"tool": "read", "path": path}, {path: v.get("files", {}).get(path, "hello\n")}
    if tool == "Write" and host == "cursor":
        return {"tool": "write", "path": path, "content": given["content"]}, {}
    if tool == "Delete" and host == "cursor":
        return {"tool": "delete", "path": path}, {path: "x"}
    return None, None


def scenario(v, bridge, log):
    """What the harness runs, the event's kind, and what must be seen; None if the vector is not for it."""
    op, host = v["id"].split("/")[0], plain(v["to"])
    if op == "config":
        return configured(v, bridge, log)
    if op == "run" and (host == plain(v["from"]) or isinstance(v.get("input"), dict) and ("cursor_version" in v["input"]) != (host == "cursor")):
        return None  # an agent runs its own hooks without hookbridge
    native = v.get("event") if op == "reply" else v["input"].get("hook_event_name") if isinstance(v.get("input"), dict) else None
    kind = about(native)
    if host not in SEEN or kind not in HOST_EVENTS[host] or op not in ("reply", "run") or v.get("output", {}) is None or "input_text" in v and op == "run":
        return None
    if op == "reply" and (native == "subagentStart" and host == "claude" or v.get("tool", "").startswith(("mcp", "MCP", "Write"))):
        return None
    event = HOST_EVENTS[host][kind] if op == "reply" else native
    verdict = v.get("verdict")
    want = [("steps.0.ran", False), ("steps.0.denied", True)] if verdict == "deny" else None if verdict else SEEN[host](kind, v["output"])
    if want is None or verdict and kind != "pre":
        return None
    files, plan, home = {}, {}, {}
    steps = None
    if host == "cursor" and kind in ASKED:
        steps = [{"hook": event, "args": {k: v["input"].get(k, x) if op == "run" else x for k, x in ASKED[kind].items()}}]
    if steps is None:
        step, needed = step_of(v, kind, host) if kind in ("pre", "post", "failure") else ({"tool": "shell", "command": "echo first"}, {})
        if step is None:
            return None
        files.update(needed)
        steps = [step, {"tool": "shell", "command": "echo second"}]
    if kind == "stop":
        steps = [{"say": "finished"}, {"tool": "shell", "command": "echo first"}]
    if op == "reply":
        answer = {"stdout": v["output"]}
        plan[LABEL] = {"by_call": [answer, {}]} if kind == "stop" else answer
        files.update(registered(host, event, "{HOOKREC} " + LABEL))
        runs = {LABEL: None}
    else:
        if any(k in v for k in ("before", "home", "environment", "writes")) or set(v.get("options", {})) - {"ask"}:
            return None
        flags = [x for k in ("ask",) if k in v.get("options", {}) for x in ("--" + k, v["options"][k])]
        runs = {}
        for p in v.get("process", []):
            if "env_file" in p or "{FILL" in json.dumps(p):
                return None
            does = {k: p[k] for k in ("exit", "stdout", "stderr") if k in p} | ({"sleep": 30} if p.get("hangs") else {})
            plan[CALLS + p["name"]] = {"by_call": [does, {}]} if kind == "stop" else does
            runs[CALLS + p["name"]] = p.get("runs", 1)
        for path, content in v.get("files", {}).items():
            text = re.sub(r"\{HOOK ([a-z0-9-]+)\}", "{HOOKREC} " + CALLS + r"\1", json.dumps(content))
            if '"args"' in text:
                return None  # the recorder is a command line
            if host == "cursor" and path.startswith(".claude/"):  # which Cursor would import by itself
                flags += ["--config", "{PROJECT}/" + path.replace(".claude/", "hooks-")]
                path = path.replace(".claude/", "hooks-")
            files[path] = json.loads(text)
        command = " ".join([bridge, "run", "--host", host, "--hooks", plain(v["from"]), "--log", log, *flags])
        files.update(registered(host, event, command))
        if host == "cursor" and "relay" in flags:  # hookbridge looks whether it is called there
            files[".cursor/hooks.json"]["hooks"]["beforeShellExecution"] = files[".cursor/hooks.json"]["hooks"][event]
    out = {"prompt": "fix the build", "steps": steps, "plan": plan, "files": files, "home": home, "timeout": 90}
    return out, want, runs


# -- configurations ---------------------------------------------------------------------------------

# One session in which the events come that a host can be brought to: its steps with the tool that the host shows each as, and
# whether the act fails. The hook itself is the recorder.
ACTS = [({"tool": "shell", "command": "git --version"}, {"claude": "Bash", "cursor": "Shell", "qoder": "Bash"}, False),
        ({"tool": "shell", "command": "git no-such-command"}, {"claude": "Bash", "cursor": "Shell", "qoder": "Bash"}, True),
        ({"tool": "read", "path": "a.txt"}, {"claude": "Read", "cursor": "Read", "qoder": "Read"}, False),
        ({"tool": "write", "path": "b.txt", "content": "new\n"}, {"claude": "Write", "cursor": "Write", "qoder": "Write"}, False),
        ({"tool": "mcp", "server": "hb", "name": "echo", "input": {"text": "x"}}, {"claude": "mcp__hb__echo", "cursor": "MCP:echo", "qoder": "mcp__hb__echo"}, False)]
ONCE = {"claude": {"UserPromptSubmit", "SessionStart", "SessionEnd", "Stop"}, "qoder": {"UserPromptSubmit", "SessionStart", "Stop"},
        "cursor": {"sessionStart", "sessionEnd", "stop"}}
SETTINGS = {"claude": ".claude/settings.json", "cursor": ".cursor/hooks.json", "qoder": ".qoder/settings.json"}
HOOK = "/hook.sh"
UNSEEN = ("PermissionDenied", "StopFailure")  # told by an event of the host's that comes, in a case that does not


def entries(v):
    """Of the output every entry as its event, matcher and command; None if one is more than a command."""
    found = []
    for event, groups in v["output"].get("hooks", {}).items():
        for g in groups:
            for h in g.get("hooks", [g]):
                if HOOK not in h.get("command", "") or any(k in h for k in ("args", "async", "asyncRewake", "if", "shell")) or h.get("type", "command") != "command":
                    return None
                found.append((event, g.get("matcher", ""), h["command"]))
    return found


def due(host, event, matcher):
    """The names of the tools at which the host must call an entry, [None] for an event that is about none; None if it never comes."""
    kind = about(event)
    if event in ONCE[host] or host == "cursor" and kind in ASKED:
        return [None] if not matcher else None
    if event == "beforeMCPExecution":  # whose tools have no server in their names
        return ["echo"] if not matcher else None
    if kind not in ("pre", "post", "failure") or event not in HOST_EVENTS[host].values():
        return None
    tools = []
    for _, names, fails in ACTS:
        name = names[host]
        # a failed command is a failure in every host, and a call that comes back is none
        if (kind == "pre" or fails == (kind == "failure")) and (re.search(matcher, name) if host != "claude" or re.search(r"[^\w |,-]", matcher) else not matcher or name in matcher.split("|")):
            tools.append(name)
    return sorted(tools)


def configured(v, bridge, log):
    """As scenario, for a configuration; what must be seen are the calls of each entry."""
    host = plain(v["to"])
    dead = any(d["code"] == "HB104" for d in v.get("diagnostics", []))  # a matcher that never fits
    if dead or host not in SETTINGS or not v.get("output") or plain(v["from"]) == host or "fraction" in v["id"] or "input_text" in v:
        return None
    found = entries(v)
    if not found or any(" --async " in c or " --if " in c or any("--event %s " % e in c for e in UNSEEN) for *_, c in found):
        return None
    want, steps = [], []
    for event, matcher, command in found:
        tools = due(host, event, matcher)
        if tools:
            want.append((event, tools, "hookbridge run" in command))
        if host == "cursor" and about(event) in ASKED:
            steps.append({"hook": event, "args": ASKED[about(event)]})
    if not want or len({e for e, *_ in found}) < len(found):
        return None
    text = json.dumps(v["output"]).replace("hookbridge run ", "%s run --log %s " % (bridge, log))
    files = {SETTINGS[host]: json.loads(text), "a.txt": "hello\n", "hook.sh": {"content": "#!/bin/sh\nexec {HOOKREC} %s\n" % LABEL, "mode": "0755"}}
    return {"prompt": "fix the build", "steps": steps + [a for a, *_ in ACTS], "plan": {LABEL: {}}, "files": files, "home": {}, "timeout": 120}, want, None


def judge_config(want, out, log):
    """What differs from what the entries say."""
    calls = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    own = [h for h in out["hooks"] if h["label"] == LABEL]
    wrong = [] if own else ["the hook did not run"]
    for event, tools, wrapped in want:
        told = [json.loads(c["stdin"]) for c in calls] if wrapped else [h["stdin"] for h in own if isinstance(h["stdin"], dict)]
        got = [t.get("tool_name") for t in told if t.get("hook_event_name") == event]
        got = sorted(got, key=str) if tools != [None] else sorted({None for _ in got}, key=str)
        if got != tools:
            wrong.append("%s called at %s, want %s" % (event, got, tools))
    return wrong


def judge(v, found, out, log):
    """What differs from what the vector says."""
    scene, want, runs = found
    if v["id"].startswith("config/"):
        return judge_config(want, out, log)
    wrong = ["%s is %s, want %s" % (p, json.dumps(at(out, p), ensure_ascii=False)[:200], json.dumps(w, ensure_ascii=False)) for p, w in want if not holds(w, at(out, p))]
    for label, n in runs.items():
        calls = sum(1 for h in out["hooks"] if h["label"] == label)
        if n is None and not calls or n is not None and (n == 0) != (calls == 0):
            wrong.append("%s ran %d times, want %s" % (label, calls, n))
    if v["id"].startswith("run/") and "output" in v:
        answers = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        given = [json.loads(a["stdout"] or "{}") for a in answers if a["event"] == v["input"]["hook_event_name"]]
        if v["output"] not in given and not (v["output"] and any(within(v["output"], g) for g in given)):
            wrong.append("hookbridge answered %s" % json.dumps(given, ensure_ascii=False)[:300])
    return wrong


def prepare(v, bridge, folder):
    """A vector with what the harness is to run for it; None in its place if that cannot be."""
    log = pathlib.Path(folder, v["id"].replace("/", "-") + ".jsonl")
    found = scenario(v, bridge, str(log))
    file = log.with_suffix(".json")
    if found:
        file.write_text(json.dumps(found[0]))
    return v, found, file, log


def run_batch(batch, args):
    """Run the vectors of one host in one go; the outcome of each, and the client."""
    host = plain(batch[0][0]["to"])
    argv = [str(harness.HERE / "live"), host, *(str(file) for *_, file, _ in batch), "--jobs", str(args.jobs), "--clients", args.clients]
    done = subprocess.run((["flock", args.lock] if args.lock else []) + argv, capture_output=True, text=True)
    if done.returncode:
        if len(batch) > 1:  # one of them was too much
            return [r for one in batch for r in run_batch([one], args)]
        return [(batch[0][0], ["the harness failed: " + done.stderr.strip().split("\n")[-1]], None)]
    outs, results = json.loads(done.stdout), []
    for (v, found, _, log), out in zip(batch, outs if len(batch) > 1 else [outs]):
        wrong = judge(v, found, out, log)
        if wrong and args.show:
            wrong.append(json.dumps({k: out[k] for k in ("steps", "prompt", "session_context", "stops", "followups", "warnings", "exit")}, ensure_ascii=False)[:1500])
        results.append((v, wrong, "%s %s" % (CLIENTS[host], out["version"])))
    return results


# -- recorded payloads --------------------------------------------------------------------------------


def kinds(payload):
    """The members of a payload, those of the tool's input among them, with their types."""
    found = {k: type(x).__name__ for k, x in payload.items()}
    if isinstance(payload.get("tool_input"), dict):
        found.update({"tool_input/" + k: type(x).__name__ for k, x in payload["tool_input"].items()})
    return found


def recorded_payloads():
    """The payloads by dialect, event and tool, each with the client that sent it."""
    table = {}
    for dialect in CLIENTS:
        known = json.loads((harness.HERE.parent / "payloads" / (dialect + ".json")).read_text())
        for p in (entry["payload"] for entry in known["payloads"]):
            if "hook_event_name" in p:
                key = dialect, p["hook_event_name"], p.get("tool_name")
                table.setdefault(key, []).append((kinds(p), "%s %s" % (CLIENTS[dialect], known["version"])))
    return table


def replay(v, table):
    """The client that sent a payload with all the members of the vector's input, None if there is none."""
    if not isinstance(v.get("input"), dict) or not v["id"].startswith("call/") or "null" == json.dumps(v.get("output")):
        return None
    loose = {"NoneType", "str"}  # null where there is no such text
    mine = kinds(v["input"])
    for theirs, client in table.get((plain(v["from"]), v["input"].get("hook_event_name"), v["input"].get("tool_name")), []):
        if all(k in theirs and (theirs[k] == t or {theirs[k], t} <= loose or {theirs[k], t} <= {"int", "float"}) for k, t in mine.items()):
            return client
    return None


def note(v, confirmed, client):
    """Write both fields, which are one a line, into the vector's entry in its file."""
    path = VECTORS / (v["id"].rpartition("/")[0] + ".json")
    before, start, text = path.read_text().partition('\n  "id": %s,\n' % json.dumps(v["id"]))
    new = re.sub(r'^  "confirmed": "[a-z]+",\n(?:  "client": "[^"\n]*",\n)?',
                 lambda m: '  "confirmed": "%s",\n' % confirmed + ('  "client": %s,\n' % json.dumps(client) if client else ""), text, count=1, flags=re.M)
    if start and new != text:
        path.write_text(before + start + new)


def report(v, wrong, client, args):
    print("%-4s %s" % ("FAIL" if wrong else "ok", v["id"]))
    for line in wrong:
        print("     " + line)
    sys.stdout.flush()
    if args.write and not wrong:
        note(v, "live", client)
    elif args.write and v["confirmed"] == "live":
        note(v, "none", None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    harness.add_arguments(parser)
    parser.add_argument("--payloads", action="store_true", help="look the call vectors up in the recorded payloads, and play nothing")
    parser.add_argument("--lock", metavar="FILE", help="hold this lock around every session")
    parser.add_argument("--write", action="store_true", help="update the vectors")
    parser.add_argument("--show", action="store_true", help="print what was seen where it differs")
    parser.add_argument("--jobs", type=int, default=2, help="sessions at a time (default 2)")
    parser.add_argument("globs", nargs="*", metavar="GLOB", help="ids; default all")
    args = parser.parse_args()
    vectors = [v for f in sorted(VECTORS.rglob("*.json")) for v in json.loads(f.read_text())
               if not args.globs or any(fnmatch.fnmatch(v["id"], g) for g in args.globs)]
    count = {"confirmed": 0, "otherwise": 0, "left alone": 0}
    if args.payloads:
        table = recorded_payloads()
        for v in vectors:
            client = replay(v, table)
            count["confirmed" if client else "left alone"] += 1
            if client and args.write and v["confirmed"] == "none":
                note(v, "replayed", client)
    else:
        with tempfile.TemporaryDirectory(prefix="confirm-") as folder:
            bridge = recorded.link(harness.built(args.bridge), folder)
            ready = [prepare(v, bridge, folder) for v in vectors]
            count["left alone"] += sum(r[1] is None for r in ready)
            ready = sorted((r for r in ready if r[1]), key=lambda r: plain(r[0]["to"]))
            batches = [list(group)[i:i + BATCH] for _, group in ((h, [r for r in ready if plain(r[0]["to"]) == h]) for h in SEEN) for i in range(0, len(group), BATCH)]
            for batch in batches:
                for v, wrong, client in run_batch(batch, args):
                    count["otherwise" if wrong else "confirmed"] += 1
                    report(v, wrong, client, args)
    print(", ".join("%d %s" % (n, what) for what, n in count.items()))
    return 1 if count["otherwise"] else 0


if __name__ == "__main__":
    sys.exit(main())
