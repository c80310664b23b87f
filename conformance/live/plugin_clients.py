#!/usr/bin/env python3
"""Install plugins as each client does, with what `hookbridge plugin write` adds, and compare what the real clients do.

  plugin_clients.py [--hosts D,D] [--raw] [--without] [--play BINARY] [--show] PLUGIN...

A PLUGIN is a folder; each file of it goes where the client keeps an installed plugin, below a folder with a blank in its name where the client lets
one choose. Claude Code runs the author's hooks by itself; the others run them by the files that are written. The same acts are played in each, and the
effects compared: what was denied, the reason, the input as run, and the context that reached the model. --raw leaves hookbridge's files out: what the
clients make of the author's plugin as it is. --without leaves hookbridge out of the PATH, and
--play puts another one there.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import harness

STEPS = [
    {"tool": "shell", "command": "sh deploy.sh"},
    {"tool": "shell", "command": "echo quiet"},
    {"tool": "shell", "command": "ls"},
    {"tool": "write", "path": "secret.txt", "content": "A=1\n"},
    {"tool": "write", "path": "notes.txt", "content": "one\n"},
]
# A rule of the hookify plugin is among them.
FILES = {"deploy.sh": "echo deployed\n", "a.txt": "a", ".claude/hookify.deploy.local.md":
         "---\nname: deploy\nenabled: true\nevent: bash\naction: block\npattern: deploy\n---\n\nno deployments\n"}
HOSTS = ("codex", "copilot", "gemini", "qoder", "qwen", "droid", "kimi")


def tree(root):
    """The files of a folder as a scenario has them."""
    out = {}
    for base, dirs, files in os.walk(root):
        dirs[:] = [d for d in dirs if d not in ("tests", "docs", ".git", "assets")]
        for name in files:
            path = os.path.join(base, name)
            with open(path, encoding="utf-8", errors="replace") as f:
                out[os.path.relpath(path, root)] = {"content": f.read(), "mode": "0755" if os.access(path, os.X_OK) else "0644"}
    return out


def below(folder, files):
    return {folder + "/" + name: f for name, f in files.items()}


def registered(args, host, name, version, files):
    """What the user's home has once the client has installed the plugin, and further keys of the scenario."""
    shelf = args.folder + "/" + name
    key = name + "@shelf"
    if host == "claude":
        return below(shelf, files), {"args": ["--plugin-dir", "{HOME}/" + shelf]}
    if host == "codex":
        config = '[plugins."%s"]\nenabled = true\n' % key
        return dict(below(".codex/plugins/cache/shelf/%s/%s" % (name, version), files), **{".codex/config.toml": config}), {}
    if host == "copilot":
        market = {"name": "shelf", "owner": {"name": "x"}, "plugins": [{"name": name, "source": "./" + name}]}
        settings = {"extraKnownMarketplaces": {"shelf": {"source": {"source": "directory", "path": "{HOME}/" + args.folder}}}, "enabledPlugins": {key: True}}
        return dict(below(shelf, files), **{args.folder + "/.claude-plugin/marketplace.json": market, ".copilot/settings.json": settings}), {}
    if host in ("gemini", "qwen"):
        return below(".%s/extensions/%s" % (host, name), files), {}
    if host == "qoder":
        entry = {"scope": "user", "installPath": "{HOME}/" + shelf, "version": version}
        return dict(below(shelf, files), **{".qoder/plugins/installed_plugins_v2.json": {"version": 2, "plugins": {key: [entry]}},
                                           ".qoder/settings.json": {"enabledPlugins": {key: True}}}), {}
    if host == "droid":  # it installs the manifest of Claude Code under a name of its own
        files = {name.replace(".claude-plugin/", ".factory-plugin/"): f for name, f in files.items()}
        entry = {"scope": "user", "installPath": "{HOME}/" + shelf, "version": version, "source": "shelf",
                 "installedAt": "2026-01-01T00:00:00.000Z", "lastUpdated": "2026-01-01T00:00:00.000Z"}
        register = {"schemaVersion": 1, "pluginId": key, "entry": entry}
        market = {"name": "shelf", "entry": {"source": {"source": "url", "url": "file:///none"}, "installLocation": "{HOME}/" + args.folder,
                                             "lastUpdated": "2026-01-01T00:00:00.000Z", "autoUpdate": False}}
        return dict(below(shelf, files), **{
            args.folder + "/.claude-plugin/marketplace.json": {"name": "shelf", "owner": {"name": "x"}, "plugins": [{"name": name, "source": "./" + name}]},
            ".factory/plugins/installed_plugins/guard.json": register, ".factory/plugins/known_marketplaces/shelf.json": market,
            ".factory/settings.json": {"enabledPlugins": {key: True}}}), {}
    entry = {"id": name, "root": "{HOME}/.kimi-code/plugins/managed/" + name, "enabled": True, "source": {"kind": "local"}}
    return dict(below(".kimi-code/plugins/managed/" + name, files), **{".kimi-code/plugins/installed.json": {"version": 1, "plugins": [entry]}}), {}


def play(args, host, name, version, files):
    home, more = registered(args, host, name, version, files)
    scenario = {"prompt": "Go on", "steps": STEPS, "home": home, "files": dict(FILES), "timeout": 150}
    scenario.setdefault(host, {}).update(more)
    with tempfile.TemporaryDirectory() as dir:
        file = os.path.join(dir, "plugin.json")
        with open(file, "w") as f:
            json.dump(scenario, f)
        path = os.environ["PATH"]
        if not args.without:
            path = str(os.path.dirname(os.path.abspath(args.play)) if args.play else args.bridge.parent / "bin") + os.pathsep + path
        done = subprocess.run([str(harness.HERE / "live"), host, file, "--clients", args.clients], capture_output=True, text=True, env=dict(os.environ, PATH=path))
    if args.show:
        print(done.stdout, done.stderr)
    out = json.loads(done.stdout)
    return out[0] if isinstance(out, list) else out


def words(value):
    """The letters of a text, which clients wrap and escape differently."""
    return re.sub(r"\\\\[nt\"]|[^A-Za-z]", "", json.dumps(value))


def effects(out, context):
    """What the plugin brought about, in words that are the same in every client; context are letters of what the session is told."""
    told = "-"
    if context:
        told = "context" if context in words(out.get("session_context")) else "context later" if context in words(out) else "no context"
    said = ["session: " + told]
    for step, s in zip(STEPS, out.get("steps") or []):
        what = step.get("command") or "write " + step["path"]
        word = "denied" if s.get("denied") or s.get("ran") is False else "ran"
        if word == "denied":
            word += " (%s)" % re.sub(r"^\[.*?\]: ", "", re.sub(r"\s+", " ", str(s.get("reason") or s.get("result") or "")).strip()).partition(" This hook comes")[0][:60]
        if step.get("command") == "echo quiet" and "LOUD" in json.dumps(s.get("input_as_run") or "") + json.dumps(s.get("result") or ""):
            word = "rewritten"
        if word == "ran" and ("saw the change" in json.dumps(s.get("result") or "") or s.get("context")):
            word += ", context"
        said.append("%s: %s" % (what, word))
    return said


def written(args, plugin, hosts, dir):
    root = os.path.join(dir, "plugin")
    shutil.copytree(plugin, root)
    if not args.raw:
        subprocess.run([args.bridge, "plugin", "write", "--missing", args.missing, "--host", ",".join(h for h in hosts if h != "claude"), root], check=True, capture_output=True)
    with open(os.path.join(root, ".claude-plugin", "plugin.json")) as f:
        manifest = json.load(f)
    return manifest["name"], manifest.get("version", "1.0.0"), tree(root)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    harness.add_arguments(p)
    p.add_argument("--hosts", default=",".join(HOSTS))
    p.add_argument("--raw", action="store_true")
    p.add_argument("--without", action="store_true")
    p.add_argument("--folder", default="my plugins", help="below the home folder, where the client lets one choose")
    p.add_argument("--play", metavar="BINARY", help="the hookbridge of the PATH, if not the one that writes")
    p.add_argument("--missing", default="closed")
    p.add_argument("--show", action="store_true")
    p.add_argument("plugins", nargs="+", metavar="PLUGIN")
    args = p.parse_args()
    args.bridge = harness.built(args.bridge)
    hosts, bad = args.hosts.split(","), 0
    for plugin in args.plugins:
        with tempfile.TemporaryDirectory() as dir:
            name, version, files = written(args, plugin, hosts, dir)
        alone = play(args, "claude", name, version, files)
        context = words(alone.get("session_context") or "")[:60]
        want = effects(alone, context)
        print("## %s\n\nClaude Code: %s\n" % (name, "; ".join(want)), flush=True)
        for host in hosts:
            got = effects(play(args, host, name, version, files), context)
            differ = [g for g, w in zip(got, want) if g != w]
            bad += bool(differ)
            print("- %s: %s" % (host, "the same" if got == want else "; ".join(differ) or "fewer steps"), flush=True)
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
