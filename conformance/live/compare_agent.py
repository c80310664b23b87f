"""Run the same hooks natively in their own agent and through hookbridge in another, and compare the effects.

`play` calls this for each pair of Claude Code or Cursor with a further agent. A scenario (scenarios/HOOKS-in-HOST.json) has `hooks` (whose
they are), `host` (in which agent hookbridge runs them), what the harness takes (`files`, `plan`, `prompt`, `steps`, ..), `flags` (further
flags of `hookbridge run`),
`holds` (effects that must come about on both sides) and `expect`: "same", or {"difference": why, "in": {effect: [native, bridged]}}. In expected
values "~x" is a regular expression, null is absent. The host's file is the one that `hookbridge install` writes, so that its events,
matchers and time limits are compared too. A scenario that does not come out as declared runs a second time before it is believed.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

import harness
import predict
import recorded
from compare import acts, as_asked, brief, cell, judge, lines, plain_result, verdict

OWN_KEYS = ("about", "hooks", "host", "flags", "holds", "expect", "files")  # the others are the harness's

# An agent: its name; how it runs here, for the page; members of a payload and variables that must be the same on both sides.
# `of` is the agent on whose page its rows are, `noise` what it adds to every prompt, `writes` the files that it writes anew by itself;
# `within`: context is the end of the result.
Agent = collections.namedtuple("Agent", "title mode told env note of noise writes within", defaults=["", "", r"(?!)", (), False])
CLAUDE = ("hook_event_name", "tool_name", "tool_input", "tool_response", "error", "is_interrupt", "cwd", "permission_mode", "stop_hook_active",
          "last_assistant_message", "source", "prompt", "reason")
AGENTS = {
    "claude": Agent("Claude Code", "print mode", CLAUDE, ("CLAUDE_PROJECT_DIR",)),
    "cursor": Agent("Cursor SDK", "@cursor/sdk, local agent", (
        "hook_event_name", "tool_name", "tool_input", "tool_output", "error_message", "failure_type", "is_interrupt", "command", "cwd", "output", "result_json",
        "mcp_server_name", "file_path", "content", "edits", "prompt", "status", "loop_count", "workspace_roots"), ("CURSOR_PROJECT_DIR",)),
    "qoder": Agent(
        "Qoder CLI", "ACP agent, default mode", CLAUDE + ("mcp_context",), ("QODER_PROJECT_DIR", "CLAUDE_PROJECT_DIR", "QODER_HOOK_SOURCE"),
        """Qoder's IDE, QoderWork and SDK are not covered, nor NotebookEdit. An ACP host learns neither why a prompt was blocked nor what an `ask` hook said.
`ask` is a denial in Claude Code's print mode, a dialog that the scripted user denies in Qoder, and approved by the Cursor SDK."""),
    "gemini": Agent(
        "Gemini CLI", "headless, approval mode yolo",
        ("hook_event_name", "tool_name", "tool_input", "tool_response", "prompt", "prompt_response", "source", "reason", "cwd", "mcp_context"),
        ("GEMINI_PROJECT_DIR", "GEMINI_CWD", "CLAUDE_PROJECT_DIR"), "Gemini CLI's terminal, its dialogs, ACP and IDE are not covered here."),
    "copilot": Agent(
        "Copilot CLI", "prompt mode, all tools allowed", (
            "hook_event_name", "tool_name", "tool_input", "tool_result", "toolName", "toolArgs", "toolResult", "error", "prompt", "source", "reason", "cwd", "stop_hook_active",
            "response", "last_assistant_message"), ("COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR"),
        "VS Code, the cloud agent, Copilot's terminal and its dialogs are not covered here: what would be asked is refused."),
    "grok": Agent(
        "Grok Build", "headless, permission mode bypassPermissions, trusted folder", (
            "hook_event_name", "hookEventName", "tool_name", "tool_input", "tool_response", "error", "cwd", "prompt", "source", "stopHookActive",
            "lastAssistantMessage"), ("CLAUDE_PROJECT_DIR", "GROK_HOOK_EVENT"), "Grok's terminal and its dialogs are not covered here."),
    "qwen": Agent(
        "Qwen Code", "headless, approval mode yolo", CLAUDE, ("QWEN_PROJECT_DIR", "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR"),
        "Qwen Code's terminal, its dialogs and ACP are not covered here: headless, what would be asked is refused, and SessionEnd is never raised.",
        writes=(".qwen/settings.json",)),
    "kimi": Agent(
        "Kimi Code", "headless (kimi -p)", (
            "hook_event_name", "tool_name", "tool_input", "tool_output", "error", "cwd", "prompt", "source", "stop_hook_active", "agent_name", "response"), (),
        "Kimi Code's terminal, its dialogs and ACP are not covered here. Its hooks are the user's only."),
    "codebuddy": Agent(
        "CodeBuddy Code", "print mode, permission mode bypassPermissions", CLAUDE, ("CODEBUDDY_PROJECT_DIR", "CLAUDE_PROJECT_DIR"),
        "CodeBuddy Code's terminal, its dialogs and ACP are not covered here: in print mode stop hooks can't send the agent on."),
    "droid": Agent(
        "Droid", "droid exec --skip-permissions-unsafe", (
            "hook_event_name", "tool_name", "tool_input", "tool_response", "cwd", "source", "reason", "stop_hook_active"),
        ("CLAUDE_PROJECT_DIR", "FACTORY_PROJECT_DIR"),
        "Droid's terminal and its dialogs are not covered here: `droid exec` raises no event for prompts and notifications, nor for a tool that fails."),
    "auggie": Agent(
        "Auggie", "print mode, against a mock of its backend", (
            "hook_event_name", "tool_name", "tool_input", "tool_output", "tool_error", "is_mcp_tool", "workspace_roots", "user_prompt"),
        ("AUGMENT_PROJECT_DIR", "AUGMENT_HOOK_EVENT", "AUGMENT_TOOL_NAME"),
        "Auggie's terminal, its editor extensions and ACP are not covered here. Hooks run only if the tenant's backend allows them, as the mock does."),
    "commandcode": Agent(
        "Command Code", "headless (command-code -p --yolo)", (
            "hook_event_name", "tool_name", "tool_display_name", "tool_input", "tool_response", "cwd", "stop_hook_active", "source"),
        ("COMMANDCODE_PROJECT_DIR", "COMMANDCODE_HOOK_EVENT"),
        "Command Code's terminal, its dialogs and plan mode are not covered here: headless it raises no SessionStart, and it has no event for prompts."),
    "codex": Agent(
        "Codex CLI", "app-server, hook trust bypassed", CLAUDE, (),
        "Codex's terminal, `codex exec`, hosted tools and Windows are not covered here. Codex has no tool that reads or searches files."),
    "letta": Agent(
        "Letta Code", "letta -p --yolo, local backend", (
            "event_type", "tool_name", "tool_input", "tool_result", "error_message", "working_directory", "subagent_type", "success"),
        ("LETTA_HOOK_EVENT", "LETTA_WORKING_DIR", "USER_CWD"),
        "Letta Code's terminal is not covered here: headless only tools and sub-agents raise events, and nothing but exit code 2 refuses.",
        writes=(".letta/settings.local.json", ".letta/settings.json")),
    "omp": Agent(
        "Oh My Pi", "omp -p --mode json --auto-approve", (), (),
        "Oh My Pi has no command hooks, so it is a host only. Its terminal, RPC and ACP modes, sub-agents and MCP tools are not covered here: headless it "
        "raises no event for prompts.", within=True),
    "opencode": Agent(
        "OpenCode", "opencode serve, led by its HTTP interface", (), (),
        "OpenCode and its fork Kilo Code have no command hooks, so they are hosts only. Their terminals and desktop applications are not covered here.",
        within=True),
    "pi": Agent(
        "Pi", "JSON mode, trusted folder", (), (),
        "Pi has no command hooks, so it is a host only. Its terminal, its dialogs, RPC mode and compaction are not covered here.", within=True),
    "cline": Agent(
        "Cline", "cline --json", (
            "hookName", "preToolUse", "workspaceRoots"), (),
        "Cline's terminal, ACP and its editor extensions are not covered here: headless it raises no event for the user's prompt, and reads no answer but to "
        "those about tools."),
    "kilo": Agent("Kilo Code", "kilo serve, led by its HTTP interface", (), (), of="opencode", noise=r"(?s)<environment_details>.*?</environment_details>\s*", within=True),
}
USERS = ("kimi",)  # their hooks are the user's only
PAGE_OF = {name: agent.of or name for name, agent in AGENTS.items()}
UNLIKE = {"codebuddy": {"permission_mode"}, "droid": {"permission_mode", "last_assistant_message"}, "qwen": {"permission_mode"},
          "grok": {"permission_mode"}, "commandcode": {"permission_mode"}, "letta": {"permission_mode"}}  # members in which the set-up of a client differs from the others'
SPARE = {  # members of members that only one client fills in
    "toolArgs": ("description",),
    "tool_input": ("description", "timeout", "replace_all", "allow_multiple", "instruction", "dir_path", "directory", "is_background", "run_in_background",
                   "summary", "riskLevel", "riskLevelReason", "fireAndForget", "wait", "max_wait_seconds", "type", "add_last_line_newline"),
    "tool_response": ("structuredPatch", "userModified", "replaceAll", "noOutputExpected", "telemetryExecutionId"),
}


class Way(collections.namedtuple("Way", "hooks host")):
    """Whose hooks, and in which agent hookbridge runs them."""

    clients = property(tuple)
    names = property(lambda way: {c: AGENTS[c].title for c in way})


# -- two sessions ---------------------------------------------------------------------------------------


def written(root, files, places):
    for name, content in files.items():
        content = content["content"] if isinstance(content, dict) and set(content) <= {"content", "mode"} else content
        target = root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        for name, path in places.items():
            text = text.replace(name, str(path))
        target.write_text(text)


def tree(root):
    return {str(f.relative_to(root)): f.read_text() for f in root.rglob("*") if f.is_file()}


def replaced(text, by):
    for old, new in by.items():
        text = text.replace(old, new)
    return text


def install(s, root, bridge, call):
    """The files that `hookbridge install` adds or changes in the project and the home folder, with hookbridge called as `call`."""
    places = root / "project", root / "home"
    for place, files in zip(places, (s["files"], s.get("home", {}))):
        place.mkdir()
        written(place, files, {"{PROJECT}": places[0], "{HOME}": places[1]})
    before, said = [tree(p) for p in places], ""
    for scope in ("user",) if s["host"] in USERS or s["hooks"] in USERS else ("project", "user") if s.get("home") else ("project",):
        done = subprocess.run([bridge, "install", "--host", s["host"], "--hooks", s["hooks"], "--scope", scope, "--project", str(places[0]), "--home", str(places[1])],
                              capture_output=True, text=True)
        said += done.stdout + done.stderr
    call, words = " ".join(map(shlex.quote, call)) + " ", json.dumps({"command": call[0], "args": call[1:]}, separators=(",", ":"))[1:-2]
    plain = {"hookbridge run ": call, '"command":"hookbridge","args":["run"': words}  # through a shell, or without one
    plain = {str(places[0]): "{PROJECT}", str(places[1]): "{HOME}", **plain}
    changed = [{name: replaced(text, plain) for name, text in tree(p).items() if old.get(name) != text} for p, old in zip(places, before)]
    if not any(changed):
        raise RuntimeError("nothing was installed: " + said)
    return changed


def sessions(s, args, bridge):
    """What the harness saw: natively, through hookbridge; and hookbridge's log."""
    with tempfile.TemporaryDirectory(prefix="compare-agent-") as folder:
        root = pathlib.Path(folder)
        log = root / "log"
        call = [bridge, "run", "--log", str(log), *s.get("flags", [])]
        given = {k: v for k, v in s.items() if k not in OWN_KEYS}
        own, (files, home) = given.get(s["host"], {}), ({}, {}) if args.alone else install(s, root, bridge, call)
        given.update({"files": s["files"], s["host"]: {**own, "files": {**own.get("files", {}), **files}, "home": {**own.get("home", {}), **home}}})
        guesses = [] if args.alone else predict.steps(s["host"], given, args, bridge)
        log.unlink(missing_ok=True)
        outs = harness.live(s["hooks"] + "," + s["host"], given, root, args)
        return (*outs, [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else [], guesses)


# -- effects: a flat dict ---------------------------------------------------------------------------------


def own_words(text):
    """The hook's own words of a reason, without what the client puts before them."""
    text = re.sub(r'^Denied by \w+ hook from "[^"]*" \((.*)\)$', r"\1", text or "")
    return re.sub(r"^\[[^\]]*\]: |^Hook blocked with message: ", "", text)


def result(tool, text):
    """What the model read, without the client's dressing."""
    shown = re.search(r"(?s)<content>\n(.*?)\n*(?:\n\(End of file[^\n]*\)\n)?</content>", text or "")  # OpenCode's read
    text = re.sub(r"(?m)^\d+: ", "", shown[1]) if shown and tool == "read" else text
    return plain_result({"tool": tool}, "" if text in ("(empty)", "Output: (empty)", "(no output)", "Command executed successfully.", "Command completed successfully") else text)


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
    e = {k: stdin[k] for k in AGENTS[dialect].told if k in stdin}
    for k in ("tool_input", "tool_output", "result_json", "output") if dialect == "cursor" else ():
        if k in e:
            e[k] = parsed(e[k])
    if isinstance(e.get("tool_response"), str):
        e["tool_response"] = e["tool_response"].rstrip("\n")
    for name, spare in SPARE.items():
        if isinstance(e.get(name), dict):
            e[name] = {k: v for k, v in e[name].items() if k not in spare}
    base = lambda text: " ".join(os.path.basename(word) for word in text.split())
    if e.get("mcp_server_name") and "command" in e:  # how the harness starts its server
        e["command"] = base(e["command"])
    if "command" in (e.get("mcp_context") or {}):
        e["mcp_context"] = {**e["mcp_context"], "command": base(e["mcp_context"]["command"]), "args": [base(a) for a in e["mcp_context"]["args"]]}
    return {**e, "working folder": run["cwd"], **{k: run["env"].get(k) for k in AGENTS[dialect].env}}


def effects(way, s, client, out):
    e = {}
    for n, pair in enumerate(acts(way, s), 1):
        if not pair[way.index(client)]:
            continue
        index, step = pair[way.index(client)]
        done, same = out["steps"][index], None not in pair and pair[0][1]["tool"] == pair[1][1]["tool"]
        unreached = AGENTS[client].within and not (done["ran"] or done.get("denied") or done.get("result"))
        if done.get("skipped") or unreached:
            e["step %d reached" % n] = False
            continue
        its = {"ran": done["ran"], "denied": done.get("denied", False), "context": lines(done.get("context")), "changed": done.get("changed", [])}
        if done.get("denied"):
            its["reason"] = own_words(done.get("reason"))
        if done["ran"]:
            text = done.get("result")
            for added in (done.get("context") or []) if AGENTS[client].within else []:
                text = text if text == added else text.removesuffix(added).removesuffix("\n\n")
            its["result"] = result(step["tool"], text)
        if its["context"] and its["context"] == its.get("result"):  # what replaced a result, which Codex counts as a hook's words too
            its["context"] = ""
        if done["ran"] and same:
            its["input"] = as_asked(done.get("input_as_run"))
        if step["tool"] == "shell" and same:
            its["exit code"] = done.get("exit_code")
        e.update({"step %d %s" % (n, k): v for k, v in its.items()})
    done = zip((x for x in s["steps"] if "say" not in x), out["steps"])
    asked = next((d.get("answer") or {} for x, d in done if x.get("hook") == "beforeSubmitPrompt"), None)
    prompt = out["prompt"]
    if client == "cursor" and asked is not None:  # the SDK ignores this answer: what its hook engine made of it
        prompt = {"blocked": asked.get("continue") is False, "reason": asked.get("user_message"), "context": [asked.get("additional_context", "")]}
    quiet = lambda texts: [re.sub(AGENTS[client].noise, "", t) for t in texts]
    e.update({"prompt blocked": prompt["blocked"], "prompt reason": own_words(prompt.get("reason")), "prompt context": lines(quiet(prompt["context"]))})
    if asked is None:
        e["stops"] = out["stops"]
    if out["stops"] > 1:
        e["sent back"] = sorted({line for t in quiet(out["followups"]) for line in t.splitlines()})
    e.update({"session context": lines(out["session_context"]), "files": {k: v for k, v in out["files"].items() if k not in AGENTS[client].writes}})
    count = collections.Counter()
    for r in out["hooks"]:
        if asked is not None and isinstance(r["stdin"], dict) and r["stdin"].get("session_id") == "conv":
            continue  # the engine was asked a second time
        label = r["label"]
        count[label] += 1
        if count[label] <= 3:
            unlike = UNLIKE.get(way.host, set()) | UNLIKE.get(way.hooks, set())
            e.update({"hook %s %d %s" % (label, count[label], k): v for k, v in told(s["hooks"], r).items() if k not in unlike})
    e.update({"hook %s runs" % label: n for label, n in count.items()})
    if out["exit"] in ("timeout", "max_turns"):
        e["exit"] = out["exit"]
    return {k: v for k, v in e.items() if v not in (None, [], {}, "")}


def one(name, s, args, bridge):
    way = Way(s["hooks"], s["host"])
    for attempt in (1, 2):
        try:
            native, bridged, log, guesses = sessions(s, args, bridge)
        except (RuntimeError, ValueError) as e:
            r = {"name": name, "s": s, "wrong": [str(e)], "verdict": "failed", "said": ("", ""), "outs": (), "log": [], "predicted": ("-", 0, 0)}
        else:
            both = {c: effects(way, s, c, out) for c, out in zip(way, (native, bridged))}
            wrong = judge(way, {**s, "expect": "same"} if args.alone else s, both)
            r = {"name": name, "s": s, "pair": [*both.values()], "wrong": wrong, "verdict": verdict(s, wrong),
                 "said": [tell(way, s, c, e) for c, e in both.items()], "outs": ((way.hooks, native), (way.host, bridged)), "log": log,
                 "predicted": predict.shown(guesses, bridged)}
        if not r["wrong"] or args.once:
            break
    return r


# -- the page -----------------------------------------------------------------------------------------------


def tell(way, s, client, e):
    said = []
    for n, pair in enumerate(acts(way, s), 1):
        if not pair[way.index(client)]:
            continue
        step = pair[way.index(client)][1]
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


PAGE = """# The same hooks with %(title)s as one of the two agents

Every row is one scenario of `live/scenarios`, run twice with real clients and a scripted model: the hooks natively in their own
agent, and the same files in the other agent through what `hookbridge install` writes there. %(clients)s. Date: %(date)s.

%(count)s.

- **same**: all compared effects are equal: whether each step ran, the reason of a denial, the input as it ran, result and exit code, the
  context that the model got, changed files, how often the agent was sent back, how often each hook ran and what its payload and
  environment said (of many runs the first three).
- **difference**: they differ exactly in what the scenario declares, for the reason given.
- **differs**: a fault that is still open.

%(note)s

To repeat it, which installs the clients from npm after a question:

    conformance/live/play --page %(page)s --write
"""


TABLE = "| scenario | what it shows | effect natively | effect through hookbridge | predicted | verdict |\n|---|---|---|---|---|---|\n"


def page_of(agent):
    return harness.HERE.parent / ("LIVE-%s.md" % agent.upper())


def row_of(r):
    why = "; ".join(brief(w, 160) for w in r["wrong"][:3]) if r["wrong"] else "" if r["s"]["expect"] == "same" else r["s"]["expect"]["difference"]
    return "| %s | %s | %s | %s | %s | %s |" % (r["name"], *map(cell, (r["s"]["about"], *r["said"], r["predicted"][0], r["verdict"] + (why and ": " + why))))


def page(agent, results, versions, known, old):
    """The page with the rows of these results, and of the old page those of scenarios that did not run."""
    rows = {m[1]: m[0] for m in re.finditer(r"^\| ([a-z0-9-]+) \|.*\|$", old, flags=re.M) if m[1] in known}
    rows.update({r["name"]: row_of(r) for r in results})
    count = collections.Counter(re.match(r"\w+", row.rsplit(" | ", 1)[1])[0] for row in rows.values())
    for c in AGENTS:
        seen = re.search(r"(?:, |there. )" + re.escape(AGENTS[c].title) + r" (\S+) \(", old)
        if seen:
            versions.setdefault(c, seen[1])
    clients = ", ".join("%s %s (%s)" % (AGENTS[c].title, versions[c], AGENTS[c].mode) for c in AGENTS if c in versions)
    text = PAGE % {"page": page_of(agent).name, "title": AGENTS[agent].title, "note": AGENTS[agent].note, "clients": clients, "date": time.strftime("%Y-%m-%d"),
                   "count": ", ".join("%d %s" % (n, v) for v, n in count.most_common()) + " of %d scenarios. " % len(rows) +
                   predict.count(predict.cell(row.rsplit(" | ", 2)[1]) for row in rows.values())}
    ways = sorted({Way(known[n]["hooks"], known[n]["host"]) for n in rows}, key=lambda w: (w.hooks == agent, *map(list(AGENTS).index, w)))
    for way in ways:
        text += "\n## %s hooks natively and, through hookbridge, in %s\n\n" % tuple(AGENTS[c].title for c in way)
        text += TABLE
        text += "".join(rows[n] + "\n" for n in sorted(rows) if Way(known[n]["hooks"], known[n]["host"]) == way)
    kept = re.search(r"^## (?!.* hooks .*through hookbridge)", old, flags=re.M)  # written by hand
    return text + ("\n" + old[kept.start():] if kept else "")


def load(way):
    """All scenarios of a direction, by name."""
    known = harness.scenarios(*way)
    for name, s in known.items():
        if not s["holds"] or (s["hooks"], s["host"]) != way or way.hooks == way.host or not set(way) <= set(AGENTS):
            raise SystemExit(name + ": nothing holds, or its sides aren't those of its file")
    return known


def progress(r, show):
    """What is printed as soon as a scenario has been played."""
    codes = sorted({d["code"] for a in r["log"] for d in a["diagnostics"]})
    print("%-4s %-28s %s%s" % ("FAIL" if r["wrong"] else "ok", r["name"], r["verdict"], "  [%s]" % " ".join(codes) if codes else ""))
    for line in r["wrong"]:
        print("       " + line)
    if "**" in r["predicted"][0]:
        print("       predicted: " + r["predicted"][0])
    for n, (client, out) in enumerate(r["outs"]) if show else ():
        print("     %s: %s\n       %s\n       warnings: %s" % (client, r["said"][n], json.dumps(r["pair"][n], ensure_ascii=False), out["warnings"]))
    for a in r["log"] if show else ():
        print("     %s -> %s %s" % (a["event"], a["stdout"], " ".join(d["code"] for d in a["diagnostics"])))
    sys.stdout.flush()


def play(way, names, args):
    """Play a direction: whether a scenario was wrong, the table, and the results."""
    known = load(way)
    chosen = {name: s for name, s in known.items() if not names or name in names}
    results = []
    with tempfile.TemporaryDirectory(prefix="compare-agent-bin-") as folder:
        bridge = recorded.link(args.bridge, folder)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for r in pool.map(lambda item: one(*item, args, bridge), chosen.items()):
                results.append(r)
                progress(r, args.show)
    if args.alone:
        print("%d of %d are the same without hookbridge" % (sum(not r["wrong"] for r in results), len(results)))
    return any(r["wrong"] for r in results), TABLE + "".join(row_of(r) + "\n" for r in results), results


def write(agent, ways, results):
    """Renew an agent's page; rows of scenarios that did not run are kept."""
    known = {name: s for way in ways for name, s in load(way).items()}
    versions = {client: out["version"] for r in results for client, out in r["outs"]}
    file = page_of(agent)
    file.write_text(page(agent, results, versions, known, file.read_text() if file.exists() else ""))
