"use strict";
const fs = require("node:fs");
const path = require("node:path");

// program is the path of the executable that the package for this system holds.
function program() {
  const name = "@SCOPE@/" + process.platform + "-" + process.arch;
  const file = process.platform === "win32" ? "hookbridge.exe" : "hookbridge";
  try {
    return path.join(path.dirname(require.resolve(name + "/package.json")), file);
  } catch {
    console.error("hookbridge: the package " + name + " is not installed. There are packages for linux, darwin and win32 on x64 and arm64;\n" +
      "npm leaves them out with --omit=optional. Elsewhere: build it from @URL@");
    process.exit(127); // as a shell says that a program is missing
  }
}

// replace puts the program in the place of the script that starts it. Windows
// needs the script: npm's command files there call node.
function replace() {
  if (process.platform === "win32") return;
  const script = path.join(__dirname, "bin", "hookbridge");
  const fresh = script + ".new";
  try {
    fs.copyFileSync(program(), fresh);
    fs.chmodSync(fresh, 0o755);
    fs.renameSync(fresh, script);
  } catch (e) {
    fs.rmSync(fresh, { force: true });
    console.error("hookbridge: the start script stays in place: " + e.message);
  }
}

module.exports = { program };
if (require.main === module) replace();
