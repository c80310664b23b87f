// Writes test262.json: every regular expression without flags that the tests of test262 (https://github.com/tc39/test262)
// create or refuse, the texts that they are run on, and what this JavaScript engine says of each. Run with Node.js 20 or later
// (`node test262.mjs TEST262-FOLDER > test262.json`); the Go tests read the file and need no node.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

const root = process.argv[2];
const folders = ["built-ins/RegExp", "built-ins/String/prototype", "language/literals/regexp", "annexB/built-ins/RegExp",
  "annexB/language/literals/regexp", "staging/sm/RegExp"];
const longestText = 200, mostTexts = 24;
const found = new Map(); // pattern -> texts

function note(pattern, text) {
  if (!pattern.isWellFormed() || pattern.length > 2 * longestText) return;
  if (!found.has(pattern)) found.set(pattern, new Set());
  if (text !== undefined && text.isWellFormed() && text.length <= longestText && found.get(pattern).size < mostTexts) found.get(pattern).add(text);
}

// Inside the context of a test: reports what is created and searched.
const spy = `(function (note) {
  const Native = RegExp, exec = RegExp.prototype.exec, flags = Object.getOwnPropertyDescriptor(RegExp.prototype, "flags").get;
  const source = Object.getOwnPropertyDescriptor(RegExp.prototype, "source").get;
  Native.prototype.exec = function (text) {
    try {
      if (flags.call(this) === "" && typeof text === "string") note(source.call(this), text);
    } catch {}
    return exec.call(this, text);
  };
  globalThis.RegExp = new Proxy(Native, {
    construct(target, args, as) {
      if (typeof args[0] === "string" && (args[1] === undefined || args[1] === "")) note(args[0]);
      return Reflect.construct(target, args, as === globalThis.RegExp ? target : as);
    },
    apply(target, self, args) {
      if (typeof args[0] === "string" && (args[1] === undefined || args[1] === "")) note(args[0]);
      return Reflect.apply(target, self, args);
    },
  });
})`;
const harness = (name) => readFileSync(join(root, "harness", name), "utf8");

for (const folder of folders) {
  for (const name of readdirSync(join(root, "test", folder), { recursive: true })) {
    if (!name.endsWith(".js") || /generated|_FIXTURE/.test(name)) continue;
    const text = readFileSync(join(root, "test", folder, name), "utf8");
    const includes = /^includes: *\[(.*)\]/m.exec(text)?.[1].split(",").map((s) => s.trim()) ?? [];
    for (const m of text.matchAll(/^\/((?:[^\/\\\[\n\r]|\\.|\[(?:[^\]\\\n\r]|\\.)*\])+)\/;/gm)) note(m[1]); // never run: refused
    try {
      const context = vm.createContext({ print() {} });
      vm.runInContext(spy, context)(note);
      for (const file of ["sta.js", "assert.js", ...includes]) vm.runInContext(harness(file), context);
      vm.runInContext(text, context, { timeout: 10_000 });
    } catch {} // a test that fails has been seen all the same
  }
}

const rows = [];
for (const [pattern, texts] of found) {
  const row = { pattern };
  try {
    const re = new RegExp(pattern);
    row.yes = [...texts].filter((t) => re.test(t));
    row.no = [...texts].filter((t) => !re.test(t));
  } catch {
    row.invalid = true;
  }
  rows.push(row);
}
rows.sort((a, b) => (a.pattern < b.pattern ? -1 : 1));
console.log("[\n" + rows.map((r) => JSON.stringify(r)).join(",\n") + "\n]");
