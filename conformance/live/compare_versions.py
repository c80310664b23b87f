"""Run hooks for another version or program of an agent in the real client, as `hookbridge convert` writes them, next to hooks
that do the same in the words of the client's own version. `play` calls this.

A scenario (scenarios/versions.json) has `client`, `hooks` and `host` (cursor@2.4, cursor@sdk), `file` (the hook file's path), `native` and `other` (its
content in the words of either version), `plan` and `other_plan` (what the recorder hook answers), and `steps`, `holds` and
`expect` as README.md describes them. `sees` is what the converted hook must get: {label: {field: value, null if absent}}.
"""
import json
import pathlib
import re
import subprocess
import tempfile
import time

import compare
import harness

PAGE = harness.HERE.parent / "LIVE-VERSIONS.md"
HEAD = """# Hooks for another version of the client

Every row is one scenario of `live/scenarios/versions.json`, run twice in the real client: hooks in the format of the client's own version, and hooks that
do the same in the format of another version or program, as `hookbridge convert` writes them. Older clients can't be installed: what they read is from
their documents. *difference* is declared, for the reason given. Date: %(date)s.

%(count)s.

To repeat it, which installs the clients from npm after a question: `conformance/live/play --page LIVE-VERSIONS.md --write`.

"""
TABLE = """| scenario | hooks → client | what it shows | effect of the client's own words | effect through hookbridge | verdict |
|---|---|---|---|---|---|
"""


class Way(compare.Direction):
    """One client on both sides."""

    def __init__(self, client):
        super().__init__((client, client + " through hookbridge"), (client, "through hookbridge"), (), {}, (), "")


def converted(scenario, bridge, log):
    """The other version's hook file as hookbridge converts it, with entries that log."""
    with tempfile.TemporaryDirectory(prefix="versions-") as folder:
        file = pathlib.Path(folder, scenario["file"])
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(scenario["other"]))
        done = subprocess.run([bridge, "convert", "--from", scenario["hooks"], "--to", scenario["host"], "--json", scenario["file"]],
                              cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stderr + done.stdout)
    report = json.loads(done.stdout)
    text = json.dumps(report["output"]).replace("hookbridge run ", bridge + " run --log %s " % log)
    return json.loads(text), sorted({d["code"] for d in report["diagnostics"]})


def session(scenario, args, plan, file):
    """What the client did with a hook file. A loaded machine needs more time."""
    with tempfile.TemporaryDirectory(prefix="versions-") as folder:
        out = {k: scenario[k] for k in compare.LIVE_KEYS if k in scenario}
        out.update({"timeout": 300, "step_timeout": 200, "plan": plan, scenario["client"]: {**scenario.get("with", {}), "files": {**scenario.get("files", {}), scenario["file"]: file}}})
        return harness.live(scenario["client"], out, folder, args)


def own_effects(scenario, out):
    """The effects without what a hook was given."""
    client, way = scenario["client"], Way(scenario["client"])
    way.clients = (client, client)
    found = compare.effects(way, {"events": [], **scenario}, client, out, [])
    return {k: v for k, v in found.items() if not k.startswith("hook ") or k.endswith(" runs")}


def missed(scenario, out):
    """What the converted hook didn't get."""
    wrong = []
    for label, fields in scenario.get("sees", {}).items():
        runs = [r["stdin"] for r in out["hooks"] if r["label"] == label]
        for name, want in fields.items():
            got = [r.get(name) for r in runs[:1]]
            if not got or not compare.fits(want, got[0]):
                wrong.append("%s should see %s as %s, saw %s" % (label, name, compare.shown(want), compare.shown(got[0] if got else None)))
    return wrong


def examine(name, scenario, args):
    file, codes = converted(scenario, str(args.bridge), "/dev/null")
    native = session(scenario, args, scenario.get("plan", {}), scenario["native"])
    other = session(scenario, args, scenario.get("other_plan", scenario.get("plan", {})), file)
    way = Way(scenario["client"])
    both = dict(zip(way.clients, (own_effects(scenario, native), own_effects(scenario, other))))
    wrong = compare.judge(way, {"holds": {}, **scenario}, both) + missed(scenario, other)
    way.clients = (scenario["client"],) * 2
    cells = [compare.tell(way, scenario, scenario["client"], e) for e in both.values()]
    verdict = compare.verdict(scenario, wrong)
    note = "" if scenario["expect"] == "same" else ": " + scenario["expect"]["difference"]
    row = "| %s | %s → %s | %s | %s | %s | %s |" % (name, scenario["hooks"], "%s %s" % (scenario["host"], native["version"]), scenario["about"], cells[0],
                                                     cells[1] + (" (%s)" % ", ".join(codes) if codes else ""), verdict + note)
    return row, verdict, wrong


def load():
    return harness.entries(harness.HERE / "scenarios" / "versions.json")


def play(names, args):
    """Play the scenarios: whether one was wrong, the table, and its rows by scenario."""
    rows, failed = {}, False
    for name, scenario in load().items():
        if names and name not in names:
            continue
        rows[name], verdict, wrong = examine(name, scenario, args)
        failed = failed or verdict == "differs"
        print("%-4s %-28s %s" % ("FAIL" if verdict == "differs" else "ok", name, verdict), *wrong, sep="\n       " if wrong else " ", flush=True)
    return failed, TABLE + "".join(row + "\n" for row in rows.values()), rows


def write(new):
    """Renew the page; rows of scenarios that did not run are kept."""
    rows = {**rows_of(PAGE), **new}
    verdicts = [re.match(r"\w+", row.split(" | ")[-1])[0] for row in rows.values()]
    counts = ", ".join("%d %s" % (verdicts.count(v), v) for v in ("same", "difference", "differs") if v in verdicts)
    PAGE.write_text(HEAD % {"date": time.strftime("%Y-%m-%d"), "count": "%s of %d scenarios" % (counts, len(verdicts))} + TABLE +
                    "\n".join(rows[n] for n in sorted(rows)) + "\n")


def rows_of(file):
    """The rows of a page, by scenario."""
    lines = file.read_text().splitlines() if file.exists() else []
    return {line.split(" | ")[0][2:]: line for line in lines if " → " in line and not line.startswith("| scenario ")}
