#!/usr/bin/env python3
"""Give random guards of one agent random calls, natively and through hookbridge in another agent, and hold the law: what the guard
denied in its own agent is denied in the other, and no guard that ran natively is passed over.

  guards_random.py [--seed N] [--count N] [--hooks AGENT] [--host AGENT] [--jobs N] [--show]

Claude Code and Cursor with each other are generate.py's. The same seed gives the same scenarios. Other differences are printed with the codes that hookbridge gave, and aren't faults by themselves.
Exit status 1: the law does not hold somewhere.
"""
import argparse
import concurrent.futures
import json
import os
import random
import sys
import tempfile

import compare_agent as ca
import harness

# How each agent's file configures a hook before a tool, its names of tools, and the answers of its hooks.
ASK = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask", "permissionDecisionReason": "R"}}
NESTED = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "R"}}
SHAPE = {
    "claude": (".claude/settings.json", "PreToolUse", {"shell": "Bash", "read": "Read", "write": "Write", "edit": "Edit", "mcp": "mcp__hb__echo"},
               [NESTED, {"decision": "block", "reason": "R"}, ASK]),
    "qoder": (".qoder/settings.json", "PreToolUse", {"shell": "Bash", "read": "Read", "write": "Write", "edit": "Edit", "mcp": "mcp__hb__echo"},
              [NESTED, {"decision": "block", "reason": "R"}]),
    "codex": (".codex/hooks.json", "PreToolUse", {"shell": "Bash", "write": "apply_patch", "edit": "apply_patch", "mcp": "mcp__hb__echo"},
              [NESTED, {"decision": "block", "reason": "R"}]),
    "gemini": (".gemini/settings.json", "BeforeTool",
               {"shell": "run_shell_command", "read": "read_file", "write": "write_file", "edit": "replace", "mcp": "mcp_hb_echo"},
               [{"decision": "deny", "reason": "R"}, {"decision": "block", "reason": "R"}]),
    "copilot": (".github/hooks/g.json", "preToolUse", {"shell": "bash", "read": "view", "write": "create", "edit": "edit", "mcp": "hb-echo"},
                [{"permissionDecision": "deny", "permissionDecisionReason": "R"}]),
    "cursor": (".cursor/hooks.json", "preToolUse", {"shell": "Shell", "read": "Read", "write": "Write", "edit": "Write", "mcp": "MCP:echo"},
               [{"permission": "deny", "user_message": "R", "agent_message": "R"}]),
}
REASONS = ["no", "grüße 漢字 🎉", "two\nlines", "  padded  ", "quote \" and \\ back", "<b>&amp;</b>", "x" * 3000, "%s $HOME `id`", "{\"not\": \"json\"}"]
FILES = {"a.txt": "one\ntwo\n", "sub/b c.md": "hello\n", "keys.txt": "KEY=1\n"}


def answer(r, agent):
    """What a guard does."""
    reason = r.choice(REASONS)
    spoken = json.loads(json.dumps(r.choice(SHAPE[agent][3])).replace('"R"', json.dumps(reason)))
    text = json.dumps(spoken, ensure_ascii=r.random() < 0.5, indent=r.choice([None, 2]))
    return r.choice([
        {"exit": 2, "stderr": reason}, {"exit": 2}, {"exit": 2, "stdout": "text", "stderr": reason}, {"exit": 1, "stderr": reason}, {"exit": 3},
        {"stdout": text}, {"stdout": text}, {"stdout": text}, {"stdout": text + "\n"}, {"stdout": "\ufeff" + text}, {"stdout": text.replace("\n", "\r\n")},
        {"exit": 1, "stdout": text}, {"exit": 2, "stdout": text}, {"stdout": "checking\n" + text}, {"stdout": text + "\ndone"}, {"stdout": text[:-1]},
        {}, {"stdout": "{}"}, {"stdout": "fine"}, {"stdout": "[]"}, {"stdout": "x" * 60000}, {"stderr": "noise"}, {"stdout": text, "stderr": "noise"}])


def matcher(r, agent):
    """A matcher as its agent reads it; None: the guard has none."""
    names = sorted(set(SHAPE[agent][2].values()))
    one, two = r.choice(names), r.choice(names)
    return r.choice([None, None, one, one, one + "|" + two, "^" + one + "$" if agent != "qoder" else one, one[:3] + ".*", ".*", one.upper(), "(" + one + ")"])


def configuration(r, agent):
    """The hook file with one to three guards, and what they do."""
    name, event, _, _ = SHAPE[agent]
    entries, plan = [], {}
    for n in range(r.randint(1, 3)):
        label, m = "g%d" % n, matcher(r, agent)
        plan[label] = answer(r, agent)
        run = {"type": "command", "bash" if agent == "copilot" else "command": "{HOOKREC} " + label}
        with_matcher = {} if m is None else {"matcher": m}
        entries.append({**run, **with_matcher} if agent in ("copilot", "cursor") else {**with_matcher, "hooks": [run]})
    return name, {**({"version": 1} if agent in ("copilot", "cursor") else {}), "hooks": {event: entries}}, plan


def steps(r, way):
    kinds = [k for k in SHAPE[way[0]][2] if all(k in SHAPE[a][2] for a in way) and not (k == "edit" and "codex" in way)]
    for n in range(r.randint(1, 3)):
        kind = r.choice(kinds)
        if kind == "shell":
            yield {"tool": "shell", "command": r.choice(["touch made%d" % n, "echo 'ü \"q\"'", "mv a.txt moved", "cat keys.txt", "(cd sub && touch in%d)" % n])}
        elif kind == "read":
            yield {"tool": "read", "path": r.choice(list(FILES))}
        elif kind == "write":
            yield {"tool": "write", "path": r.choice(["new%d.txt" % n, "deep/er/n%d.md" % n]), "content": r.choice(["new\n", "ü\tx\n"])}
        elif kind == "edit":  # which some clients refuse for a file that wasn't read
            yield {"tool": "read", "path": "a.txt"}
            yield {"tool": "edit", "path": "a.txt", "old": "two", "new": r.choice(["TWO", "x\ny"])}
        else:
            yield {"tool": "mcp", "server": "hb", "name": "echo", "input": {"text": r.choice(["hey", "ü\n\"x\"", ""])}}


def scenario(way, seed):
    r = random.Random("%s/%s/%d" % (*way, seed))
    name, text, plan = configuration(r, way[0])
    return {"about": "", "hooks": way[0], "host": way[1], "files": {**FILES, name: text}, "plan": plan,
            "steps": list(steps(r, way)), "holds": {}, "expect": "same"}


def law(native, bridged):
    """Where hookbridge is weaker."""
    for k, v in native.items():
        if k.endswith(" denied") and v and not bridged.get(k) and bridged.get(k.replace("denied", "ran")):
            yield "%s natively, but it ran" % k
        if k.endswith(" runs") and k not in bridged:
            yield "%s natively, but not through hookbridge" % k


def one(way, seed, args, bridge):
    s = scenario(way, seed)
    try:
        out = ca.sessions(s, args, bridge)
    except (RuntimeError, ValueError) as e:
        return s, ["failed: %s" % e], [], []
    w = ca.Way(*way)
    native, bridged = (ca.effects(w, s, c, o) for c, o in zip(way, out))
    keys = [k for k in {**native, **bridged} if (k.startswith("step ") or k.endswith(" runs")) and native.get(k) != bridged.get(k)]
    other = ["%s: %s / %s" % (k, json.dumps(native.get(k), ensure_ascii=False)[:120], json.dumps(bridged.get(k), ensure_ascii=False)[:120]) for k in keys]
    return s, list(law(native, bridged)), other, sorted({d["code"] for a in out[2] for d in a["diagnostics"]})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    harness.add_arguments(parser)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60, help="scenarios in all")
    parser.add_argument("--hooks", choices=SHAPE, help="only guards of this agent")
    parser.add_argument("--host", choices=SHAPE, help="only in this agent")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="scenarios at a time")
    parser.add_argument("--show", action="store_true", help="print each scenario that differs")
    args = parser.parse_args()
    args.alone = False
    ways = [(a, b) for a in SHAPE for b in SHAPE if a != b and {a, b} != {"claude", "cursor"} and args.hooks in (None, a) and args.host in (None, b)]
    tasks = [(ways[n % len(ways)], args.seed + n // len(ways)) for n in range(args.count)]
    weaker = same = 0
    with tempfile.TemporaryDirectory(prefix="guards-random-bin-") as folder:
        bridge = os.path.join(folder, "hookbridge")
        os.symlink(harness.built(args.bridge), bridge)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for (way, seed), (s, broken, other, codes) in zip(tasks, pool.map(lambda t: one(*t, args, bridge), tasks)):
                weaker, same = weaker + bool(broken), same + (not broken and not other)
                print("%-6s %s in %s, seed %d  [%s]" % ("WEAKER" if broken else "ok" if not other else "other", *way, seed, " ".join(codes)), flush=True)
                for line in broken + other:
                    print("       " + line)
                if args.show and (broken or other):
                    print("       " + json.dumps({k: s[k] for k in ("files", "plan", "steps")}, ensure_ascii=False))
    print("%d scenarios: %d the same, %d differ otherwise, %d weaker" % (len(tasks), same, len(tasks) - same - weaker, weaker))
    return 1 if weaker else 0


if __name__ == "__main__":
    sys.exit(main())
