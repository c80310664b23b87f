"""Runs hookbridge and adds to the lines of its log what it read and answered, which the log leaves out."""
import json, os, pathlib, shlex, subprocess, sys, tempfile


def link(bridge, folder):
    """A program with hookbridge's own name, by which it knows its entries."""
    path = pathlib.Path(folder, "hookbridge")
    path.write_text("#!/bin/sh\nexec %s %s %s \"$@\"\n" % tuple(shlex.quote(str(x)) for x in (sys.executable, __file__, bridge.resolve(strict=True))))
    path.chmod(0o755)
    return str(path)


def main(bridge, args):
    if args[:1] != ["run"] or "--log" not in args:
        os.execv(bridge, [bridge, *args])
    stdin, at = sys.stdin.buffer.read(), args.index("--log") + 1
    with tempfile.TemporaryDirectory(prefix="recorded-") as folder:
        own = pathlib.Path(folder, "log")
        done = subprocess.run([bridge, *args[:at], str(own), *args[at + 1:]], input=stdin, capture_output=True)
        for line in own.read_text().splitlines() if own.exists() else []:
            record = {**json.loads(line), "stdin": stdin.decode(errors="replace"), "stdout": done.stdout.decode(errors="replace").rstrip("\n")}
            with open(args[at], "a") as log:
                log.write(json.dumps(record) + "\n")
    sys.stdout.buffer.write(done.stdout)
    sys.stderr.buffer.write(done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
