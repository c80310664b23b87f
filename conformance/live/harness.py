"""What the programs of this folder share: the scenarios, the clients' folder, and hookbridge itself."""
import atexit
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import clients

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def entries(file):
    """The scenarios of a file, by name: an array of them, or a single one."""
    found = json.loads(pathlib.Path(file).read_text())
    found = found if isinstance(found, list) else [{"name": pathlib.Path(file).stem, **found}]
    return {s["name"]: {k: v for k, v in s.items() if k != "name"} for s in found}


def scenarios(hooks, host):
    """The scenarios of an agent's hooks in another agent, by name."""
    file = HERE / "scenarios" / ("%s-in-%s.json" % (hooks, host))
    return entries(file) if file.exists() else {}


def add_arguments(parser):
    """The arguments of every program that plays something."""
    parser.add_argument("--bridge", type=pathlib.Path, metavar="BINARY", help="the hookbridge to try (default: built from this checkout)")
    parser.add_argument("--clients", default=clients.DIR, metavar="DIR", help="where the clients are (default %(default)s)")


def built(bridge):
    """The hookbridge to try: a file that isn't called so, or a user's entry would have its path in place of the name that the
    comparison looks for. bin/hookbridge next to it is for a PATH."""
    folder = tempfile.mkdtemp(prefix="hookbridge-tried-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    binary, named = pathlib.Path(folder, "tried"), pathlib.Path(folder, "bin", "hookbridge")
    named.parent.mkdir()
    named.symlink_to(binary)
    if bridge:
        shutil.copy(bridge, binary)
        return binary
    print("building hookbridge ..", flush=True)
    done = subprocess.run(["go", "build", "-o", str(binary), "./cmd/hookbridge"], cwd=ROOT, env={**os.environ, "CGO_ENABLED": "0"})
    if done.returncode:
        raise SystemExit("hookbridge can't be built")
    return binary


def live(names, scenario, folder, args):
    """What the clients made of a scenario: one output, or a list for several clients."""
    file = pathlib.Path(folder, "scenario.json")
    file.write_text(json.dumps(scenario))
    argv = [str(HERE / "live"), names, str(file), "--jobs", "1", "--clients", str(args.clients), *getattr(args, "more", [])]
    done = subprocess.run(argv, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError("the harness failed: " + done.stderr.strip().split("\n")[-1])
    return json.loads(done.stdout)
