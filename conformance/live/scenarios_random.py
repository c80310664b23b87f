"""Scenarios at random for generate.py: the same seed gives the same scenario."""
import json
import random

FILES = {"a.txt": "one\ntwo\nthree\n", "sub/b c.md": "hello\n", "src/x.ts": "let a = 1;\n"}


def scenario_of(direction, seed):
    r = random.Random("%s/%d" % (direction, seed))
    return (ClaudeHooks if direction == "claude-under-cursor" else CursorHooks)(r).scenario()


class Maker:
    def __init__(self, r):
        self.r, self.plan, self.labels = r, {}, 0

    def maybe(self, p):
        return self.r.random() < p

    def label(self, does):
        self.labels += 1
        name = "h%d" % self.labels
        self.plan[name] = does
        return name

    # -- steps -----------------------------------------------------------------------------------------

    def steps(self):
        r, steps = self.r, []
        for n in range(r.randint(1, 4)):
            kind = r.choice(["shell", "shell", "shell", "mcp", "read", "write", "edit", "fail", "mcpfail"])
            if kind == "shell":
                steps.append({"tool": "shell", "command": r.choice([
                    "touch made%d" % n, "echo hi", "printf 'a\\nb\\n'", "echo out; echo err >&2", "git status --short; echo x", "cat a.txt",
                    "echo 'ü \"q\" $HOME' > u%d" % n,
                    "true", "(cd sub && touch in%d)" % n, "rm -f a.txt", "echo '%s'" % ("long-" * 50)])})
            elif kind == "fail":
                steps.append({"tool": "shell", "command": r.choice(["exit 3", "echo bad; exit 1", "false", "ls /no-such-place 2>/dev/null",
                        "echo e >&2; exit 2"])})
            elif kind == "mcp":
                steps.append({"tool": "mcp", "server": "hb", "name": "echo", "input": r.choice([{"text": "hey"}, {"text": "ü\n\"x\""}, {"text": ""}, {}])})
            elif kind == "mcpfail":
                steps.append({"tool": "mcp", "server": "hb", "name": "fail", "input": {"text": "x"}})
            elif kind == "read":
                steps.append({"tool": "read", "path": r.choice(list(FILES))})
            elif kind == "write":
                steps.append({"tool": "write", "path": r.choice(["new%d.txt" % n, "src/new%d.ts" % n, "deep/er/n%d.md" % n]),
                        "content": r.choice(["new\n", "no end", "", "ü\tx\n"])})
            else:
                path = r.choice(list(FILES))
                old = {"a.txt": "two", "sub/b c.md": "hello", "src/x.ts": "let a"}[path]
                steps += [{"tool": "read", "path": path}, {"tool": "edit", "path": path, "old": old, "new": r.choice(["TWO", "x\ny"])}]
        return steps

    # -- words -----------------------------------------------------------------------------------------

    def text(self):
        return self.r.choice(["no", "please do it so", "grüße 漢字 🎉", "two\nlines", "  padded  ", "\u001b[31mred\u001b[0m", "quote \" and \\ back",
                "<b>&amp;</b>",
                              "x" * 300, "{\"not\": \"json\"}", "a\n\nb", "%s $HOME `id`"])

    def odd(self):
        return self.r.choice([None, 1, True, [], {}, ["a"], "", " "])

    def framed(self, answer):
        """What a hook prints: its answer, and how real hooks spoil it."""
        text = json.dumps(answer, ensure_ascii=self.maybe(.5), indent=self.r.choice([None, None, 2]))
        return self.r.choices([answer, text + "\n", "\ufeff" + text, "\n  " + text + " \n\n", "log line\n" + text, text + "\nbye", text + "\n" + text,
                "[%s]" % text,
                               text[:-1], text + "}", text + "\n{}", "{}\n" + text, "\u001b[32mok\u001b[0m\n" + text, "```json\n" + text + "\n```"],
                              [40, 12, 3, 3, 3, 3, 2, 1, 2, 1, 2, 2, 1, 1])[0]

    def does(self, event, exits=(0, 1, 2, 3)):
        """What the recorder does at a call of the hook."""
        r, out = self.r, {}
        shape = r.choices(["json", "plain", "nothing", "json+exit"], [60, 12, 12, 16])[0]
        if shape.startswith("json"):
            out["stdout"] = self.framed(self.answer(event))
        elif shape == "plain":
            out["stdout"] = r.choice(["all fine\n", "  ", "null", "true", "\"text\"", "[]", "0", "{", "}", "{oops}", "done {\"a\":1}", "context from a hook"])
        if shape == "json+exit" or shape in ("plain", "nothing") and self.maybe(.6):
            out["exit"] = r.choice(exits[1:])
        if self.maybe(.3) or out.get("exit") and self.maybe(.6):
            out["stderr"] = r.choice(["why not\n", "two\nlines\n", "grüße", "   ", "Traceback:\n  x"])
        return out


class ClaudeHooks(Maker):
    EVENTS = ["PreToolUse"] * 9 + ["PostToolUse"] * 4 + ["PostToolUseFailure"] * 2 + ["Stop"] * 2 + ["SessionStart"]
    MATCHERS = ["*", "", None, "Bash", "Write|Edit", "Edit|Write|MultiEdit", "Read", "Write", "Edit", "mcp__hb__echo", "mcp__hb__.*", "mcp__.*",
            "mcp__hb", "mcp__*", "Ba", "bash",
                "^Ba", "B.*", "(Bash|Edit)", "^(Bash|Write)$", "^(?!Bash)", "Bash, Write", " Bash ", "Bash|", "|Bash", ".*", "[", "Bash(echo *)",
                "Bash.*|Edit", "(?i)bash", "Shell", "MCP:echo",
                "Edit|Read", "NotebookEdit|Edit", "^Edit$", "^mcp__hb__(echo|fail)$", "\\bBash\\b", "mcp__other__echo", "Task|Bash", "[BW].*",
                "mcp__.*__echo|Bash", "Glob|Grep", ".+"]
    IFS = ["Bash(echo *)", "Bash(touch:*)", "Bash(rm *)", "Bash", "Write(*.ts)", "Edit(src/**)", "Read(a.txt)", "Write(src/**)", "*", "",
            "mcp__hb__echo", "Bash(git *)", "Bash(*)",
           "Edit(*.txt)", "Read(sub/**)", "Bash(exit 3)", "Bash(npm test)", "Bash(cd *)", "Read(./a.txt)", "Read(/a.txt)", "Edit", "mcp__hb", "Write(/deep/**)"]

    # Cursor does not say whether a write is an edit; a guard on either is asked about both. So that this does not
    # hide the rest, scenarios that change files have matchers and conditions that take both or neither.
    UNEVEN = ["Read|Write", "Write", "Edit", "^(Bash|Write)$", "Bash, Write", "Bash.*|Edit", "Edit|Read", "NotebookEdit|Edit", "^Edit$",
            "(Bash|Edit)", "[BW].*"]
    UNEVEN_IF = ["Write(*.ts)", "Edit(src/**)", "Write(src/**)", "Edit(*.txt)", "Edit", "Write(/deep/**)"]

    def scenario(self):
        r = self.r
        kind = r.choices(["tools", "prompt", "stop"], [75, 12, 13])[0]
        out = {"about": "generated", "files": dict(FILES), "home": {}, "prompt": "go"}
        if kind != "prompt":
            out["steps"] = self.steps()
            if any(s["tool"] in ("write", "edit") for s in out["steps"]):
                self.MATCHERS = [m for m in self.MATCHERS if m not in self.UNEVEN]
                self.IFS = [i for i in self.IFS if i not in self.UNEVEN_IF]
        if kind == "prompt":
            groups = {"UserPromptSubmit": [self.group("UserPromptSubmit") for _ in range(r.randint(1, 2))]}
            out["steps"] = [{"hook": "beforeSubmitPrompt", "args": {"prompt": "go"}}]
        else:
            groups = {}
            events = ["Stop"] * r.randint(1, 3) if kind == "stop" else [r.choice(self.EVENTS) for _ in range(r.randint(1, 4))]
            for e in events:
                groups.setdefault(e, []).append(self.group(e))
            if "Stop" in groups:
                out["steps"] += [s for _ in range(r.randint(1, 2)) for s in ({"say": "done"}, {"tool": "shell", "command": "echo again"})]
        places = [".claude/settings.json", ".claude/settings.local.json", "~"]
        for e, gs in groups.items():
            for g in gs:
                place = r.choices(places, [8, 1, 1])[0]
                files, path = (out["home"], ".claude/settings.json") if place == "~" else (out["files"], place)
                files.setdefault(path, {"hooks": {}})["hooks"].setdefault(e, []).append(g)
        out["plan"] = self.plan
        self.stagger(groups)
        if self.maybe(.15):
            out["flags"] = r.choice([["--ask", "relay"], ["--fail-closed"], ["--ask", "relay", "--fail-closed"]])
        if not out["home"]:
            del out["home"]
        return out

    def stagger(self, groups):
        """Hooks of one event end in the order in which they stand: Claude Code takes what ended last, or first."""
        for gs in groups.values():
            hooks = [h for g in gs for h in g["hooks"]]
            for n, h in enumerate(hooks[1:], 1):
                label = h["_label"]
                for does in self.plan[label].get("by_call", [self.plan[label]]):
                    does["sleep"] = .4 * n
            for h in hooks:
                h.pop("_label", None)

    def group(self, event):
        r, group = self.r, {}
        tool = event in ("PreToolUse", "PostToolUse", "PostToolUseFailure")
        if tool or self.maybe(.2):
            m = r.choice(self.MATCHERS[:12] if self.maybe(.5) else self.MATCHERS) if tool else r.choice(["", "*", "startup", "resume", "startup|resume", "x"])
            if m is not None:
                group["matcher"] = m
        group["hooks"] = [self.hook(event, tool) for _ in range(r.choices([1, 2], [80, 20])[0])]
        return group

    def hook(self, event, tool):
        r = self.r
        if event == "Stop":
            does = {"by_call": [self.does(event) for _ in range(r.randint(1, 2))] + [{}]}
        elif self.maybe(.2) and event not in ("UserPromptSubmit", "beforeSubmitPrompt"):  # which are asked twice
            does = {"by_call": [self.does(event), self.does(event)]}
        else:
            does = self.does(event)
        label = self.label(does)
        command = "{HOOKREC} " + label
        hook = {"type": "command"}
        form = r.choices(["plain", "exec", "cd", "pipe", "quoted", "semicolon"], [70, 6 * ("exit" not in str(does)), 6, 6, 6, 6])[0]
        if form == "exec":
            hook.update(command="/bin/sh", args=["-c", "cd \"$1\" && exec " + command, "sh", "${CLAUDE_PROJECT_DIR}"])
        elif form == "cd":
            hook["command"] = 'cd "$CLAUDE_PROJECT_DIR"/sub && ' + command
        elif form == "pipe":
            hook["command"] = "cat | " + command + " | cat"
        elif form == "quoted":
            hook["command"] = "bash -c '" + command + "; s=$?; test -n \"$CLAUDE_PROJECT_DIR\" && exit $s'"
        elif form == "semicolon":
            hook["command"] = command + " && exit 0 || exit $?"
        else:
            hook["command"] = command
        if self.maybe(.3):
            hook["timeout"] = r.choice([20, 30, 25.5, 600])
        if tool and self.maybe(.15):
            hook["if"] = r.choice(self.IFS)
        for name, value, p in (("once", True, .05), ("statusMessage", "working", .05), ("async", True, .04), ("shell", "bash", .04), ("onFailure",
                "block", .06),
                               ("onFailure", "continue", .03), ("failClosed", True, .03), ("x-own", {"a": 1}, .03)):
            if self.maybe(p):
                hook[name] = value
        hook["_label"] = label
        return hook

    def answer(self, event):
        r, out, own = self.r, {}, {"hookEventName": event}
        if self.maybe(.06):
            own["hookEventName"] = r.choice(["", "PreToolUse", "preToolUse", None, "Stop"])
        if self.maybe(.04):
            del own["hookEventName"]
        if event == "PreToolUse":
            if self.maybe(.65):
                own["permissionDecision"] = r.choices(["deny", "allow", "ask", "defer", "block", "Deny", self.odd()], [10, 8, 5, 1, 1, 1, 1])[0]
                if self.maybe(.75):
                    own["permissionDecisionReason"] = self.text() if self.maybe(.9) else self.odd()
            if self.maybe(.2):
                own["updatedInput"] = self.input()
        if event in ("PostToolUse",) and self.maybe(.15):
            own["updatedToolOutput"] = r.choice(["replaced", {"stdout": "replaced", "stderr": "", "interrupted": False, "isImage": False},
                    {"stdout": "x"}, [{"type": "text", "text": "blocks"}], 5])
        if event in ("PostToolUse",) and self.maybe(.1):
            own["updatedMCPToolOutput"] = r.choice(["mcp replaced", [{"type": "text", "text": "blocks"}], {"content": [{"type": "text", "text": "c"}]}])
        if self.maybe(.35):
            own["additionalContext"] = r.choice([self.text(), self.text(), self.text(), "{FILL 9990}", "{FILL 10001}", "", self.odd()])
        if event in ("PostToolUse", "PostToolUseFailure", "Stop", "UserPromptSubmit") and self.maybe(.5) or self.maybe(.08):
            out["decision"] = r.choices(["block", "approve", "allow", "deny", self.odd()], [12, 2, 1, 1, 1])[0]
            if self.maybe(.8):
                out["reason"] = self.text() if self.maybe(.9) else self.odd()
        if len(own) > 1 or self.maybe(.1):
            out["hookSpecificOutput"] = own
        for name, values, p in (("continue", [False, True, "no", None], .07), ("stopReason", ["enough", 3], .06), ("systemMessage", ["for you", 4], .08),
                                ("suppressOutput", [True, "x"], .06), ("x", [1], .05), ("permission", ["deny"], .02), ("async", [True], .01),
                                ("additional_context", ["foreign"], .02)):
            if self.maybe(p):
                out[name] = r.choice(values)
        return out

    def input(self):
        return self.r.choice([{"command": "touch rewritten"}, {"command": "touch rewritten", "description": "d"}, {"command": ""}, {"command": 5}, {},
                {"file_path": "{PROJECT}/a.txt"},
                              {"file_path": "{PROJECT}/other.txt", "content": "other\n"}, {"text": "rewritten"}, {"text": "rewritten", "more": 1},
                              {"command": "echo hi", "timeout": 9000}, "text",
                              {"file_path": "{PROJECT}/a.txt", "old_string": "two", "new_string": "zwei"}, {"command": "touch rw",
                              "run_in_background": False}, None])


class CursorHooks(Maker):
    EVENTS = (["preToolUse"] * 5 + ["beforeShellExecution"] * 5 + ["beforeMCPExecution"] * 3 + ["beforeReadFile"] * 3 + ["postToolUse"] * 4 + ["postToolUseFailure"] * 2
              + ["afterShellExecution", "afterMCPExecution", "afterFileEdit", "afterFileEdit", "sessionStart", "stop", "stop", "sessionEnd"])
    TOOLS = ["*", "", None, None, "Shell", "Write", "Read", "MCP:echo", "MCP:", "MCP:.*", "Shell|Write", "^Shell$", "shell", "^(?!MCP:)",
            "(Shell|MCP:.*)", ".*", "Bash", "Edit", "mcp__hb__echo",
             "Write|Edit|StrReplace", "She", "^(Read|Write)$", "[SW].*", "MCP:(echo|fail)", "Shell, Write", "Delete|Shell"]
    COMMANDS = ["*", "", None, None, "touch", "^echo", "rm|touch", "echo hi$", "\\brm\\b", "git ", "exit \\d", "nothing", "^(?!touch)", "e.*o"]
    CONSTANT = [None, None, None, "*", "Read", "Write", "Stop", "nothing", "^Read$", "a.txt"]

    def scenario(self):
        r = self.r
        kind = r.choices(["tools", "prompt", "stop"], [78, 10, 12])[0]
        out = {"about": "generated", "direction": "cursor-under-claude", "files": dict(FILES), "home": {}, "prompt": "go"}
        if kind == "prompt":
            events = ["beforeSubmitPrompt"] * r.randint(1, 2)
            out["steps"] = [{"hook": "beforeSubmitPrompt", "args": {"prompt": "go"}}]
        else:
            events = ["stop"] * r.randint(1, 3) if kind == "stop" else [r.choice(self.EVENTS) for _ in range(r.randint(1, 4))]
            out["steps"] = self.steps()
            if "stop" in events:
                out["steps"] += [s for _ in range(r.randint(1, 2)) for s in ({"say": "done"}, {"tool": "shell", "command": "echo again"})]
        for e in events:
            for _ in range(r.choices([1, 2], [80, 20])[0]):
                files = out["home"] if self.maybe(.1) else out["files"]
                files.setdefault(".cursor/hooks.json", {"version": 1, "hooks": {}})["hooks"].setdefault(e, []).append(self.hook(e))
        out["plan"] = self.plan
        if not out["home"]:
            del out["home"]
        return out

    def hook(self, event):
        r = self.r
        if event == "stop":
            does = {"by_call": [self.does(event) for _ in range(r.randint(1, 2))] + [{}]}
        elif self.maybe(.2) and event not in ("UserPromptSubmit", "beforeSubmitPrompt"):  # which are asked twice
            does = {"by_call": [self.does(event), self.does(event)]}
        else:
            does = self.does(event)
        command = "{HOOKREC} " + self.label(does)
        hook = {"command": r.choices([command, 'cd "$CURSOR_PROJECT_DIR"/sub && ' + command, "cat | " + command + " | cat",
                "bash -c '" + command + "'", command + " && exit 0 || exit $?"],
                                     [76, 6, 6, 6, 6])[0]}
        matchers = self.TOOLS if event in ("preToolUse", "postToolUse", "postToolUseFailure", "beforeMCPExecution", "afterMCPExecution") else \
            self.COMMANDS if event in ("beforeShellExecution", "afterShellExecution") else self.CONSTANT
        matcher = r.choice(matchers) if self.maybe(.6) else None
        if matcher is not None:
            hook["matcher"] = matcher
        for name, value, p in (("timeout", r.choice([20, 25.5]), .2), ("failClosed", True, .25), ("failClosed", False, .03), ("type", "command", .2),
                ("loop_limit", r.choice([1, 2, 3, None]), .1), ("x", 1, .03)):
            if self.maybe(p):
                hook[name] = value
        return hook

    def answer(self, event):
        r, out = self.r, {}
        gate = event in ("preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile")
        if gate and self.maybe(.75) or self.maybe(.04):
            out["permission"] = r.choices(["deny", "allow", "ask" if event not in ("beforeShellExecution", "beforeMCPExecution") else "allow",
                    "block", "Deny", self.odd()], [10, 8, 4, 1, 1, 1])[0]
        if self.maybe(.45):
            out["user_message"] = self.text() if self.maybe(.9) else self.odd()
        if gate and self.maybe(.05):
            out["agent_message"] = self.text() if self.maybe(.9) else self.odd()
        if (event == "preToolUse") and self.maybe(.25):
            out["updated_input"] = r.choice([{"command": "touch rewritten"}, {"command": ""}, {"command": 5}, {}, {"file_path": "{PROJECT}/a.txt"},
                    {"file_path": "{PROJECT}/other.txt"},
                                             {"text": "rewritten"}, {"more": 1}, {"content": "other"}, "text", {"cwd": "{PROJECT}/sub"},
                                             {"timeout": 20000}, None, []])
        if event in ("postToolUse", "postToolUseFailure", "sessionStart", "beforeSubmitPrompt", "preToolUse") and self.maybe(.4) or self.maybe(.05):
            out[r.choices(["additional_context", "additionalContext"], [4, 1])[0]] = r.choice([self.text(), self.text(), self.text(), "{FILL 9990}",
                    "{FILL 10001}", "", self.odd()])
        if event == "postToolUse" and self.maybe(.2):
            out["updated_mcp_tool_output"] = r.choice(["replaced", {"content": [{"type": "text", "text": "c"}]}, [{"type": "text", "text": "blocks"}],
                    {"a": 1}, None])
        if event in ("stop",) and self.maybe(.8) or self.maybe(.03):
            out["followup_message"] = self.text() if self.maybe(.9) else self.odd()
        if event in ("beforeSubmitPrompt", "sessionStart") and self.maybe(.5) or self.maybe(.05):
            out["continue"] = r.choice([False, False, True, "no", None]) if event != "sessionStart" else True
        if event == "sessionStart" and self.maybe(.5):
            out["env"] = r.choice([{"HB_A": "1"}, {"HB_A": "ü x", "CURSOR_COLOR": "red"}, {"HB_A": 1}, []])
        for name, values, p in (("decision", ["deny", "block"], .05), ("reason", ["old words"], .04), ("userMessage", ["camel"], .04), ("x", [1], .05),
                                ("hookSpecificOutput", [{"hookEventName": "PreToolUse", "permissionDecision": "deny"}], .03)):
            if self.maybe(p):
                out[name] = r.choice(values)
        return out
