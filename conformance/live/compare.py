"""Run the same hooks natively in their own agent and through hookbridge in the other, and compare the effects.

`play` calls this for the hooks of Claude Code in Cursor's SDK and the reverse. README.md in this folder describes a scenario.
A scenario is wrong that is marked "same" and differs, whose declared difference has vanished or changed, or in which an
effect that it holds for certain did not come about.
"""
import concurrent.futures
import json
import pathlib
import re
import sys
import tempfile
import time

import harness
import predict
import recorded

PAGE = harness.HERE.parent / "LIVE.md"
LIVE_KEYS = ("prompt", "steps", "plan", "env", "home", "timeout", "mcp", "max_turns")
SETTINGS = re.compile(r"^\.claude/(settings(?:\.local)?\.json)$")
NOT_MCP = "^(?!MCP:)"  # MCP tools are asked at beforeMCPExecution, which knows the server
ASKED = "conv"  # the conversation of a `hook` step
CLAUDE_EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "SessionStart", "SessionEnd", "Stop", "SubagentStart", "SubagentStop",
                 "PreCompact", "PreSkillShellCommand")


class Direction:
    """Whose hooks, and in which client they run natively and through hookbridge: clients[0] and clients[1]."""

    def __init__(self, clients, names, told, spare, env, head):
        self.clients, self.told, self.spare, self.env, self.head = clients, told, spare, env, head
        self.hooks, self.host = clients
        self.names = dict(zip(clients, names))


# What a hook is told that has to be the same in both clients: the members, what of them is left out, the variables.
CLAUDE_HOOKS = Direction(
    ("claude", "cursor"), ("Claude Code", "@cursor/sdk"),
    ("hook_event_name", "tool_name", "tool_input", "tool_response", "error", "cwd", "permission_mode", "stop_hook_active", "source", "prompt", "trigger", "reason",
     "agent_type"),
    {"tool_input": ("description", "timeout", "replace_all"), "tool_response": ("structuredPatch", "userModified", "replaceAll", "noOutputExpected")},
    ("CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_ENV_FILE"),
    """## Claude hooks in Claude Code and, through hookbridge, in Cursor

Every row is one scenario of `live/scenarios/claude-in-cursor.json`, run twice: the hooks natively in Claude Code %(claude)s (print mode), and the
same hooks through `hookbridge run --host cursor --hooks claude` in the local agent of @cursor/sdk %(cursor)s. Date: %(date)s.

%(count)s.

Compared in a hook's payload: event, tool name and input, result, folder, mode, and the variables of Claude Code. **one side**: the harness
can't trigger the event in Claude Code; the answer of Cursor's hook engine is checked alone.
%(open)s
The SDK ignores what beforeSubmitPrompt answers and uses nothing of sessionStart's answer: `prompt` in the Cursor column is the
answer of its hook engine, `session context` what hookbridge answered. `ask` in Claude Code's print mode is a denial.

| scenario | what it shows | effect in Claude Code | effect in Cursor through hookbridge | predicted | verdict |
""")
CURSOR_HOOKS = Direction(
    ("cursor", "claude"), ("@cursor/sdk", "Claude Code"),
    ("hook_event_name", "tool_name", "tool_input", "tool_output", "error_message", "failure_type", "is_interrupt", "command", "cwd", "sandbox", "output",
     "result_json", "mcp_server_name", "file_path", "content", "edits", "attachments", "prompt", "status", "loop_count", "reason", "final_status", "text",
     "workspace_roots", "user_email", "is_background_agent"),
    {"tool_input": ("timeout",)},
    ("CURSOR_PROJECT_DIR", "CURSOR_USER_EMAIL", "CURSOR_COLOR", "CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE", "CLAUDE_PLUGIN_ROOT"),
    """## Cursor hooks in Cursor and, through hookbridge, in Claude Code

Every row is one scenario of `live/scenarios/cursor-in-claude.json`, run twice: a `hooks.json` natively in the local agent of @cursor/sdk %(cursor)s, and the
same file through `hookbridge run --host claude --hooks cursor`, called at every event, in Claude Code %(claude)s (print mode). Date: %(date)s.

%(count)s.

Compared in a hook's payload: event, tool name and input, result, command, folder, file, content, edits, server, prompt, loop count, status, roots,
and the variables of Cursor. The version is not: the SDK names itself 1.0.0, and hookbridge names the newest editor. Tool input and results that Cursor sends as a text with JSON in it are compared by what is in it.
%(open)s
The SDK approves what an `ask` hook asks, ignores what beforeSubmitPrompt answers (`prompt` in the Cursor column is the answer of its hook engine)
and keeps context and variables of sessionStart to itself. `ask` in Claude Code's print mode is a denial.

| scenario | what it shows | effect in Cursor | effect in Claude Code through hookbridge | predicted | verdict |
""")
DIRECTIONS = {"%s-in-%s" % d.clients: d for d in (CLAUDE_HOOKS, CURSOR_HOOKS)}


# -- from a scenario to what the harness runs ------------------------------------------------------


def derive(way, scenario, bridge, log):
    """The scenario for `live`: the hooks' own client gets the files as they are; the other gets hookbridge, and the hooks where only hookbridge looks."""
    out = {k: filled(scenario[k]) for k in LIVE_KEYS if k in scenario}
    files, hidden, config = scenario.get("files", {}), {}, list(scenario.get("config", []))
    for path, content in files.items():
        settings = SETTINGS.match(path)
        if settings and way is CLAUDE_HOOKS and not scenario.get("in_place"):
            path = "claude-" + settings[1]
            config.append(path)
        hidden[path] = content
    command = [bridge, "run", "--host", way.host, "--hooks", way.hooks, "--log", log, *scenario.get("flags", [])]
    for path in config:
        command += ["--config", "{PROJECT}/" + path]
    entry = {"command": " ".join(command), "timeout": 120}
    if way is CLAUDE_HOOKS:
        hidden[".cursor/hooks.json"] = {"version": 1, "hooks": {event: [registered(event, entry, scenario)] for event in scenario["events"]}}
    else:
        hidden[".claude/settings.json"] = {"hooks": {event: [{"hooks": [{"type": "command", **entry}]}] for event in scenario.get("events", CLAUDE_EVENTS)}}
    for client, its in zip(way.clients, (files, hidden)):
        own = json.loads(json.dumps(scenario.get(client, {})).replace("{BRIDGE}", json.dumps(" ".join(command))[1:-1]))
        out[client] = {**own, "files": {**own.get("files", {}), **its}}
    return out


def registered(event, entry, scenario):
    """hookbridge's entry for an event of Cursor."""
    matcher = {"preToolUse": NOT_MCP, **scenario.get("matchers", {})}.get(event)
    endless = {"loop_limit": None} if event in ("stop", "subagentStop") else {}  # else Cursor ends it before hookbridge does
    return {**({"matcher": matcher} if matcher else {}), **entry, **endless}


def filled(x):
    """{FILL n} in a scenario's strings stands for n characters."""
    return json.loads(re.sub(r"\{FILL (\d+)\}", lambda m: "x" * int(m[1]), json.dumps(x)))


def run(way, scenario, args, bridge):
    """The output of both clients, and what hookbridge answered: one line of its log a call."""
    with tempfile.TemporaryDirectory(prefix="compare-") as folder:
        log = pathlib.Path(folder, "bridge.jsonl")
        derived = derive(way, scenario, bridge, str(log))
        guesses = predict.steps(way.host, derived, args, bridge)
        log.unlink(missing_ok=True)
        out = harness.live(",".join(way.clients), derived, folder, args)
        answers = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    return dict(zip(way.clients, out)), answers, guesses


# -- from the output to effects: a flat dict of path and value ---------------------------------------


def acts(way, scenario):
    """The tool steps as (step in the hooks' own client, step in the other); an act that the clients do with different tools is two steps."""
    steps = [(n, s) for n, s in enumerate(s for s in scenario["steps"] if "say" not in s)]
    found = []
    for n, step in steps:
        if "hook" in step:
            continue
        only = step.get("only")
        if only == way.host and found and found[-1][1] is None:
            found[-1] = (found[-1][0], (n, step))
        else:
            found.append((None if only == way.host else (n, step), None if only == way.hooks else (n, step)))
    return found


def act_effects(step, out):
    if out.get("skipped"):
        return {"ran": False, "reached": False}
    e = {"ran": out["ran"], "denied": out.get("denied", False)}
    if out.get("denied"):
        e["reason"] = own_words(re.sub(r"^\[[^\]]*\]: ", "", out.get("reason", "")))  # the command line that Claude Code puts before it
    if out["ran"]:
        e["input"] = as_asked(out.get("input_as_run"))
        e["result"] = plain_result(step, out.get("result"))
    if step["tool"] == "shell":
        e["exit_code"] = out.get("exit_code")
    e["context"] = lines(out.get("context"))
    e["changed"] = out.get("changed", [])
    return {k: v for k, v in e.items() if v not in (None, [], "")}


def own_words(reason):
    """The hook's own words of a reason."""
    return (reason or "").removeprefix("Hook blocked with message: ")


def as_asked(value):
    if isinstance(value, dict) and "content" in value and "path" in value:
        return {k: value[k] for k in ("path", "content")}
    return value


def plain_result(step, text):
    """What the model read, without the client's own dressing."""
    if step["tool"] in ("write", "edit"):
        return None  # only the client's confirmation
    text = text or ""
    if step["tool"] == "read":  # line numbers, reminders and the last line end
        text = re.sub(r"\n*<system-reminder>.*?</system-reminder>\n*", "", text, flags=re.S)
        text = re.sub(r"^\s*\d+[\t→]", "", text, flags=re.M)
    if text == "(Bash completed with no output)":
        text = ""
    return text.strip("\n")


def lines(texts):
    """Contexts in any order: several hooks deliver them as they end, hookbridge as they are configured."""
    return "\n".join(sorted(line for t in texts or [] for line in t.splitlines() if line))


def told(way, run, also):
    stdin = run["stdin"] if isinstance(run["stdin"], dict) else {}
    e = {k: stdin[k] for k in way.told if k in stdin}
    e.update({k + " is": type(stdin.get(k)).__name__.replace("float", "int") for k in also})
    if way is CURSOR_HOOKS:
        e.update({k: inside(e[k]) for k in ("tool_input", "tool_output", "result_json", "output") if k in e})
        e["members"] = sorted(set(stdin) - {"model_id", "model_params"})  # which Claude Code does not know
    for name, spare in way.spare.items():
        if isinstance(e.get(name), dict):
            e[name] = {k: v for k, v in e[name].items() if k not in spare}
    e["working folder"] = run["cwd"]
    for name in way.env:
        if name in run["env"]:
            e[name] = True if name == "CLAUDE_ENV_FILE" else run["env"][name]
    return e


def inside(value):
    """A text with JSON in it, by what is in it; what a command printed without the last line end, which Claude Code strips."""
    try:
        value = {"in a text": json.loads(value)} if isinstance(value, str) else value
    except ValueError:
        return value.rstrip("\n")
    result = value.get("in a text")
    if isinstance(result, dict) and isinstance(result.get("output"), str):
        result["output"] = result["output"].rstrip("\n")
    return value


def effects(way, scenario, client, out, answers):
    e = {}
    for n, pair in enumerate(acts(way, scenario), 1):
        side = pair[way.clients.index(client)]
        if side:
            index, step = side
            e.update({"step %d %s" % (n, k): v for k, v in act_effects(step, out["steps"][index]).items()})
    asked = [(s["hook"], out["steps"][n].get("answer")) for n, s in enumerate(s for s in scenario["steps"] if "say" not in s) if "hook" in s]
    if client == "cursor":
        for event, answer in asked:
            e.update({"%s %s" % (event, k): v for k, v in (answer or {}).items()})
    if any(event == "beforeSubmitPrompt" for event, _ in asked):
        prompt = out["prompt"]
        if client == "cursor":
            prompt = next(a or {} for event, a in asked if event == "beforeSubmitPrompt")
            for k in ("continue", "user_message", "additional_context"):
                e.pop("beforeSubmitPrompt " + k, None)
            prompt = {"blocked": prompt.get("continue") is False, "reason": prompt.get("user_message"), "context": [prompt.get("additional_context", "")]}
        e.update({"prompt blocked": prompt["blocked"], "prompt reason": own_words(prompt.get("reason")), "prompt context": lines(prompt["context"])})
    elif not any(s.get("only") for s in scenario["steps"]):
        e["stops"] = out["stops"]
    if out["stops"] > 1:  # what is said at the last stop goes nowhere
        e["sent back"] = sorted({line for t in out["followups"] for line in t.splitlines()})
    if way is CURSOR_HOOKS:
        e["session context"] = lines(out["session_context"])
    elif "sessionStart" in scenario["events"]:
        if client == "cursor":
            answer = json.loads(next((a["stdout"] for a in answers if a["event"] == "sessionStart"), "") or "{}")
            e["session context"] = lines([answer.get("additional_context", "")])
        else:
            e["session context"] = lines(out["session_context"])
    e["files"] = out["files"]
    count = {}
    for r in out["hooks"]:
        stdin, label = r["stdin"] if isinstance(r["stdin"], dict) else {}, r["label"]
        if stdin.get("session_id") == ASKED and "beforeSubmitPrompt" in dict(asked):
            continue  # the prompt is asked about a second time
        if way is CLAUDE_HOOKS and "cursor_version" in stdin:
            label += "(imported)"  # run by Cursor itself
        count[label] = count.get(label, 0) + 1
        e.update({"hook %s %d %s" % (label, count[label], k): v for k, v in told(way, r, scenario.get("also", ())).items()})
    e.update({"hook %s runs" % label: n for label, n in count.items()})
    if out["exit"] in ("timeout", "max_turns"):
        e["exit"] = out["exit"]
    return {k: v for k, v in e.items() if v not in (None, [], {}, "")}


# -- judging ------------------------------------------------------------------------------------------


def fits(want, got):
    """Equal; in a string "~x" is a regular expression, null is absent."""
    if isinstance(want, str) and want.startswith("~"):
        text = got if isinstance(got, str) else json.dumps(got, ensure_ascii=False)
        return got is not None and re.search(want[1:], text, re.S) is not None
    return want == got


def shown(value):
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)


def judge(way, scenario, both):
    """What is wrong, as lines; none if the scenario came out as it says."""
    wrong = []
    expect = scenario["expect"]
    declared = {} if expect == "same" else expect.get("in", {})
    for path, want in scenario["holds"].items():
        for client in way.clients if expect == "same" or "difference" in expect else way.clients[1:]:
            if path not in declared and not fits(want, both[client].get(path)):
                wrong.append("%s: %s should be %s, is %s" % (way.names[client], path, shown(want), shown(both[client].get(path))))
    if expect != "same" and "one_sided" in expect:
        return wrong
    found = differences(way, both)
    for path in sorted({*found, *declared}):
        got = [both[c].get(path) for c in way.clients]
        if path not in found:
            wrong.append("%s: the declared difference has vanished: both %s" % (path, shown(got[0])))
        elif path not in declared:
            wrong.append("%s: %s" % (path, ", ".join("%s %s" % (way.names[c], shown(g)) for c, g in zip(way.clients, got))))
        elif not all(map(fits, declared[path], got)):
            wrong.append("%s: declared %s and %s, is %s and %s" % (path, *map(shown, declared[path]), *map(shown, got)))
    return wrong


def differences(way, both):
    """The paths where the effects differ; that a hook ran on one side only is told by its `runs` alone."""
    found = []
    native, bridged = (both[c] for c in way.clients)
    for path in sorted({*native, *bridged}):
        call = re.match(r"hook (\S+) (\d+) ", path)
        one_sided = call and int(call[2]) > min(e.get("hook %s runs" % call[1], 0) for e in (native, bridged))
        if not one_sided and native.get(path) != bridged.get(path):
            found.append(path)
    return found


def judge_answers(scenario, answers):
    """What hookbridge itself answered where the client keeps it to itself: "answers": {event: subset}."""
    wrong = []
    for event, want in scenario.get("answers", {}).items():
        got = [json.loads(a["stdout"]) for a in answers if a["event"] == event]
        if not any(all(fits(v, g.get(k)) for k, v in want.items()) for g in got):
            wrong.append("hookbridge should answer %s with %s, said %s" % (event, shown(want), shown(got)))
    return wrong


def verdict(scenario, wrong):
    expect = scenario["expect"]
    if wrong:
        return "differs"
    if expect == "same":
        return "same"
    return "one side" if "one_sided" in expect else "difference"


# -- telling ------------------------------------------------------------------------------------------


def brief(text, limit=90):
    text = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
    text = text.replace("{PROJECT}/", "").replace("\n", " / ")
    return text if len(text) <= limit else text[:limit - 1] + "…"


def tell(way, scenario, client, e):
    """The effects in a table's cell, from what was observed."""
    said = []
    for n, pair in enumerate(acts(way, scenario), 1):
        side = pair[way.clients.index(client)]
        if not side:
            continue
        step = side[1]
        get = lambda k: e.get("step %d %s" % (n, k))
        name = step["tool"] if step["tool"] != "mcp" else "mcp %s" % step["name"]
        if get("reached") is False:
            words = "never reached"
        elif get("denied"):
            words = "denied “%s”" % brief(get("reason") or "")
        elif not get("ran"):
            words = "failed"
        else:
            words = "ran"
            asked, ran = asked_input(step), get("input")
            if asked is not None and ran is not None and asked != ran:
                words += " as “%s”" % brief(ran_words(ran))
            if step["tool"] == "shell" and get("exit_code"):
                words = "failed with %d" % get("exit_code")
        if get("result") and step["tool"] in ("mcp", "shell", "read") and get("ran"):
            words += ", result “%s”" % brief(get("result"), 40)
        if get("context"):
            words += ", context “%s”" % brief(get("context"))
        said.append("%s %s" % (name, words))
    if "prompt blocked" in e:
        said.append("prompt %s" % ("blocked “%s”" % brief(e.get("prompt reason") or "") if e["prompt blocked"] else "sent"))
        if e.get("prompt context"):
            said.append("context “%s”" % brief(e["prompt context"]))
    if e.get("session context"):
        said.append("session context “%s”" % brief(e["session context"]))
    said += ["sent back “%s”" % brief(t) for t in e.get("sent back", [])]
    if client == "cursor":
        for s in scenario["steps"]:
            if "hook" in s and s["hook"] != "beforeSubmitPrompt":
                got = {k.split(" ", 1)[1]: v for k, v in e.items() if k.startswith(s["hook"] + " ")}
                said.append("%s answered %s" % (s["hook"], brief(got) if got else "nothing"))
    runs = ["%s %d×" % (k[5:-5], v) for k, v in sorted(e.items()) if k.startswith("hook ") and k.endswith(" runs")]
    if runs:
        said.append("hooks: " + ", ".join(runs))
    elif "{HOOKREC}" in json.dumps([scenario.get("files"), scenario.get("home")]):
        said.append("no hook ran")
    return "; ".join(said)


def asked_input(step):
    if step["tool"] == "shell":
        return {"command": step["command"]}
    if step["tool"] == "read":
        return {"path": "{PROJECT}/" + step["path"]}
    if step["tool"] == "mcp":
        return {"name": step["name"], "input": step.get("input", {})}
    return None


def ran_words(ran):
    return ran.get("command") or ran.get("path") or ran.get("input")


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def reason(r):
    expect = r["scenario"]["expect"]
    if r["wrong"]:
        return ": " + "; ".join(brief(line) for line in r["wrong"][:2]) + ("; .." if r["wrong"][2:] else "")
    return "" if expect == "same" else ": " + (expect.get("difference") or expect.get("one_sided"))


INTRO = """# The same hooks in two clients

Every scenario is run twice, the hooks natively in their own agent and, unchanged, through hookbridge in the other. Both are
the real clients; only the model is a script. [live/README.md](live/README.md) describes a scenario.

- **same**: all effects that were compared are equal: whether each step ran, the reason of a denial, the input as it ran, its result,
  the context that the model got, changed files, how often the agent was sent back, how often each hook ran and its payload.
- **difference**: they differ exactly in what the scenario declares, for the reason given.
- **one side**: only one client can be brought to it; its effects are checked alone.

To repeat it, which installs the clients from npm after a question:

    conformance/live/play --page LIVE.md --write
"""


def section(way, results, versions):
    count = {}
    for r in results:
        count[r["verdict"]] = count.get(r["verdict"], 0) + 1
    rows = ["| %s | %s | %s | %s | %s | %s |" % (r["name"], cell(r["scenario"]["about"]), *(cell(r["said"][c]) for c in way.clients),
                                              cell(r["predicted"][0]), cell(r["verdict"] + reason(r))) for r in results]
    return way.head % {
        **versions, "date": time.strftime("%Y-%m-%d"), "open": "**differs**: a fault that is still open.\n" if any(r["wrong"] for r in results) else "",
        "count": ", ".join("%d %s" % (n, v) for v, n in sorted(count.items(), key=lambda t: -t[1])) + " of %d scenarios" % len(results) +
                 ". " + predict.count(r["predicted"] for r in results),
    } + "\n".join(["|---|---|---|---|---|---|", *rows]) + "\n"


def page(file, new):
    """The whole file: the new sections, and those of the other directions as they stand in it."""
    parts = re.split(r"^(?=## )", file.read_text() if file.exists() else "", flags=re.M)
    old = {d: part for part in parts for d in DIRECTIONS.values() if part.splitlines()[:1] == d.head.splitlines()[:1]}
    return "\n".join([INTRO, *((new.get(d) or old[d]).rstrip("\n") + "\n" for d in DIRECTIONS.values() if d in new or d in old)])


def load(way, names):
    """The chosen scenarios of a direction, by name; default all."""
    known = harness.scenarios(*way.clients)
    chosen = {name: s for name, s in known.items() if not names or name in names}
    for name, s in chosen.items():
        needed = ("about", "steps", "expect", "holds") + (("events",) if way is CLAUDE_HOOKS else ())
        missing = [k for k in needed if not s.get(k) and s.get(k) != []]
        if missing or not s["holds"]:
            raise SystemExit("%s: no %s" % (name, ", ".join(missing or ["holds"])))
    return chosen


def one(way, name, scenario, args, bridge):
    try:
        out, answers, guesses = run(way, scenario, args, bridge)
    except (RuntimeError, ValueError) as e:
        return {"name": name, "scenario": scenario, "wrong": [str(e)], "verdict": "differs", "said": dict.fromkeys(way.clients, ""),
                "predicted": ("-", 0, 0)}
    both = {c: effects(way, scenario, c, out[c], answers) for c in way.clients}
    wrong = judge(way, scenario, both) + judge_answers(scenario, answers)
    codes = sorted({d["code"] for a in answers for d in a["diagnostics"]})
    return {"name": name, "scenario": scenario, "both": both, "wrong": wrong, "verdict": verdict(scenario, wrong), "codes": codes, "out": out,
            "answers": answers, "predicted": predict.shown(guesses, out[way.host]), "said": {c: tell(way, scenario, c, both[c]) for c in way.clients}}


def progress(way, r, show):
    """What is printed as soon as a scenario has been played."""
    print("%-4s %-28s %s%s" % ("FAIL" if r["wrong"] else "ok", r["name"], r["verdict"], "  [%s]" % " ".join(r["codes"]) if r.get("codes") else ""))
    for line in r["wrong"]:
        print("       " + line)
    if "**" in r["predicted"][0]:
        print("       predicted: " + r["predicted"][0])
    for c in way.clients if show and "out" in r else ():
        print("     %s: %s" % (c, r["said"][c]), "\n      ", json.dumps(r["both"][c], ensure_ascii=False))
        print("       warnings:", r["out"][c]["warnings"])
    for a in r.get("answers", []) if show else ():
        print("     %s -> %s" % (a["event"], a["stdout"]), " ".join(d["code"] for d in a["diagnostics"]))
    sys.stdout.flush()


def play(way, names, args):
    """Play a direction: whether a scenario was wrong, and the section of the page."""
    results, versions = [], {"claude": "?", "cursor": "?"}
    with tempfile.TemporaryDirectory(prefix="compare-bin-") as folder:
        bridge = recorded.link(args.bridge, folder)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for r in pool.map(lambda item: one(way, *item, args, bridge), load(way, names).items()):
                results.append(r)
                progress(way, r, args.show)
                versions.update({c: out["version"] for c, out in r.get("out", {}).items()})
    return any(r["wrong"] for r in results), section(way, results, versions)


def write(sections):
    """Renew the sections of these directions in the page."""
    PAGE.write_text(page(PAGE, sections))
