"""What hookbridge says a client will do with a scenario, before the client runs it: `hookbridge fire` for each step.

The harness lays out the project, the home folder and the recorder hook, as for a session of the client. A step that is
predicted to run is carried out there, so that later steps find its files.
"""
import importlib
import json
import os
import pathlib
import shutil
import subprocess

import session

# How each client of the harness answers a hook that asks: nobody is there, or the client approves by itself.
ASKED = {"claude": "denied", "copilot": "denied", "gemini": "denied", "codex": "denied", "cursor": "ran", "qoder": "denied", "opencode": "denied", "kilo": "denied",
         "grok": "ran", "qwen": "denied", "kimi": "denied", "codebuddy": "ran", "droid": "ran", "auggie": "ran", "pi": "denied", "cline": "denied", "commandcode": "denied", "letta": "denied",
         "omp": "denied"}
DIALECT = {"cursor": "cursor@sdk"}  # the program of the agent that the harness runs
# The tools that the harness allows each client in print mode, by a scenario's words: for the others the client asks.
TOOLS = {"shell": "Bash", "read": "Read", "write": "Write", "edit": "Edit", "mcp": "mcp__"}


def mode(client, scenario, step):
    """The client's permission mode, where no rule of the harness allows the step."""
    if client == "codex":
        return ["--mode", scenario["approval"]] if "approval" in scenario else []
    if client == "codebuddy" or client == "grok" and not {"answer", "then"} & scenario.keys():
        return ["--mode", scenario.get("mode", "bypassPermissions")]
    allow = scenario.get("allow")
    allowed = allow is None or any(rule.startswith(TOOLS.get(step["tool"], "-")) for rule in allow)
    return [] if allowed or client == "cursor" else ["--mode", "default"]


def steps(client, scenario, args, bridge):
    """For each step of the client: "ran", "denied", or None where nothing is predicted."""
    importlib.import_module("client_" + client)  # says what the client can't take

    laid = session.Session(scenario, client, args.clients)
    try:
        asked = laid.scenario.get("answer", "reject") == "allow" and "ran" or ASKED[client]
        for call in (["session-start"], ["prompt", laid.scenario.get("prompt", "go")]):  # what they leave for the steps
            fired(client, laid, bridge, call)
        return [predicted(client, laid, step, bridge, asked) for step in planned(laid)]
    finally:
        shutil.rmtree(laid.root, ignore_errors=True)


def planned(laid):
    """The steps in their order, those that the client can't take with None."""
    turns = iter([pair for turn, _ in laid.turns for pair in turn])
    for out in laid.steps:
        yield None if out.get("skipped") else next(turns)[1]


def fired(client, laid, bridge, call):
    """What `hookbridge fire` prints, None where the call is too long for a command line; and the environment of hooks."""
    env = laid.environ({})
    env["PATH"] = os.path.dirname(bridge) + os.pathsep + env["PATH"]
    argv = [bridge, "fire", "--json", "--host", DIALECT.get(client, client), "--project", str(laid.project), "--home", str(laid.home),
            "--session", str(laid.state / "predicted"), *call]
    try:
        return subprocess.run(argv, capture_output=True, text=True, env=env, cwd=laid.project), env
    except OSError:
        return None, env


def predicted(client, laid, step, bridge, asked):
    call = step and line(step)
    done, env = fired(client, laid, bridge, [*mode(client, laid.scenario, step), *call]) if call else (None, None)
    if not done:
        return None
    try:
        answer = json.loads(done.stdout)["answer"]
    except (ValueError, KeyError):
        return "error: " + (done.stderr.strip().splitlines() or ["no answer"])[0]
    word = {"deny": "denied", "ask": asked}.get(answer, "ran")
    if word == "ran":
        carry_out(laid, step, env)
    return word


def line(step):
    """The step as a call of one line; None if it is none."""
    tool = step.get("tool")
    if tool == "mcp":
        return ["mcp", step.get("server", "hb"), step["name"], json.dumps(step.get("input", {}))]
    words = {"shell": ("command",), "read": ("path",), "write": ("path", "content"), "edit": ("path", "old", "new"), "delete": ("path",),
             "grep": ("pattern",)}.get(tool)
    return words and [tool, *(step[w] for w in words)]


def carry_out(laid, step, env):
    file = pathlib.Path(laid.project, step.get("path", "."))
    if step["tool"] == "shell":
        subprocess.run(["bash", "-c", step["command"]], cwd=laid.project, env=env, capture_output=True, timeout=30)
    elif step["tool"] == "write":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(step["content"])
    elif step["tool"] == "edit" and file.is_file():
        file.write_text(file.read_text().replace(step["old"], step["new"], 1))
    elif step["tool"] == "delete":
        file.unlink(missing_ok=True)


def shown(guesses, out):
    """The cell of a table: what was predicted, and in bold where the client did something else; and how many were right."""
    said, right, total = [], 0, 0
    for guess, seen in zip(guesses, out["steps"]):
        if guess is None or seen.get("skipped") or "ran" not in seen:
            continue
        really = "denied" if seen.get("denied") else "ran"
        total += 1
        right += guess == really
        said.append("%s %s" % (seen["tool"], guess) if guess == really else "**%s %s**" % (seen["tool"], guess))
    return "; ".join(said) or "-", right, total


def cell(text):
    """What `shown` returned, by the cell that a page has of it."""
    said = [] if text == "-" else text.split("; ")
    return text, sum(not word.startswith("**") for word in said), len(said)


def count(shown):
    """The sentence above a table."""
    shown = list(shown)
    right, total = sum(s[1] for s in shown), sum(s[2] for s in shown)
    return "Predicted as it went: %d of %d steps" % (right, total)
