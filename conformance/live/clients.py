"""The clients that the harness plays: clients.json has their versions, this installs them from npm into a folder of their own."""
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TABLE = json.loads(pathlib.Path(os.environ.get("HOOKBRIDGE_LIVE_TABLE") or HERE / "clients.json").read_text())
DIR = os.environ.get("HOOKBRIDGE_LIVE_DIR") or os.path.expanduser("~/.cache/hookbridge-live")
ARCH = {"x86_64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine(), "")


def filled(name, text):
    return text.replace("{arch}", ARCH).replace("{version}", TABLE[name]["version"])


def specs(name):
    """The packages of a client, as npm takes them."""
    return [filled(name, spec) for spec in TABLE[name]["packages"]]


def examples(name):
    """The file with the native examples of a client, None if it has none."""
    file = HERE / "examples" / (("claude-cursor" if name in ("claude", "cursor") else name) + ".json")
    return file if file.exists() else None


def ready(folder, name):
    """Whether the client is installed in the version of the table."""
    root = pathlib.Path(folder, name)
    for spec in specs(name):
        package, version = spec[:spec.index("@", 1)], spec.rsplit("@", 1)[1]
        file = root / "node_modules" / package / "package.json"
        found = json.loads(text(file) or "{}").get("version", "")
        if found != version and not (name == "node" and found.startswith(version + ".")):
            return False
    if name == "grok" and text(root / "bin" / "version") != TABLE[name]["version"] or name == "copilot" and not (root / "cache").exists():
        return False
    return (root / filled(name, TABLE[name].get("program", "."))).exists()


def text(file):
    return file.read_text().strip() if file.exists() else ""


def missing(folder, names):
    """The clients to install for these, node first, which many need."""
    needed = {*names, *(["node"] if any(TABLE[n].get("node") for n in names) else [])}
    return [n for n in TABLE if n in needed and not ready(folder, n)]


def install(folder, name):
    """Install a client, or end the program with what npm printed."""
    root = pathlib.Path(folder, name)
    root.mkdir(parents=True, exist_ok=True)
    table = TABLE[name]
    # packages that the registry doesn't have, and that the client does without
    (root / "empty").mkdir(exist_ok=True)
    (root / "empty" / "package.json").write_text('{"name": "empty", "version": "1.0.0"}\n')
    overrides = {package: "file:./empty" for package in table.get("empty", [])}
    (root / "package.json").write_text(json.dumps({"private": True, "overrides": overrides}) + "\n")
    argv = ["npm", "install", "--prefix", str(root), "--no-audit", "--no-fund", "--loglevel=error", "--engine-strict=false"]
    argv += [] if table.get("scripts") else ["--ignore-scripts"]
    argv += [] if table.get("scripts") or table.get("optional") else ["--omit=optional"]
    done = subprocess.run(argv + specs(name), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit("npm can't install %s:\n%s" % (table["title"], done.stderr or done.stdout))
    if name in UNPACK:
        UNPACK[name](pathlib.Path(folder), root)
    if not ready(folder, name):
        raise SystemExit("%s was installed, but isn't complete: see %s" % (table["title"], root))


def unpack_grok(folder, root):
    """The package has the program compressed."""
    script = """const fs = require("fs"); require("stream").pipeline(fs.createReadStream(process.argv[1]),
        require("zlib").createBrotliDecompress(), fs.createWriteStream(process.argv[2], {mode: 0o755}), e => { if (e) throw e })"""
    (root / "bin").mkdir(exist_ok=True)
    packed = root / "node_modules" / specs("grok")[0].rsplit("@", 1)[0] / "bin" / "grok.br"
    run([str(folder / "node/node_modules/node/bin/node"), "-e", script, str(packed), str(root / "bin" / "grok")], os.environ)
    (root / "bin" / "version").write_text(TABLE["grok"]["version"] + "\n")


def unpack_copilot(folder, root):
    """The program unpacks itself at its first start."""
    with tempfile.TemporaryDirectory() as home:
        env = {"PATH": os.environ["PATH"], "HOME": home, "COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false",
               "COPILOT_PKG_CACHE_HOME": str(root.resolve() / "cache")}
        run([str(root / filled("copilot", TABLE["copilot"]["program"])), "--version"], env)


def run(argv, env):
    done = subprocess.run(argv, env=env, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit("%s: %s" % (argv[0], done.stderr or done.stdout))


UNPACK = {"grok": unpack_grok, "copilot": unpack_copilot}


def offer(folder, names, yes):
    """Install what is missing of these clients, after a question unless yes. Nothing that is there already is asked for."""
    absent = missing(folder, names)
    if not absent:
        return
    if not ARCH or sys.platform != "linux":
        raise SystemExit("the clients are pinned for Linux on x86_64 and arm64")
    print("To be installed from npm into %s, each under the license that its package has:" % folder)
    for name in absent:
        print("  %-15s %-9s %4d MB  %s" % (TABLE[name]["title"], TABLE[name]["version"], TABLE[name]["megabytes"], " ".join(specs(name))))
    if not yes:
        if not sys.stdin.isatty():
            raise SystemExit("nothing installed: --yes installs them without a question")
        if input("Install them? [y/N] ").strip().lower() not in ("y", "yes"):
            raise SystemExit("nothing installed")
    for name in absent:
        print("installing %s .." % TABLE[name]["title"], flush=True)
        install(folder, name)
