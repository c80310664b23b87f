// Runs the hook callbacks of one module. hookbridge starts this with node -e; a
// JSON line comes in on stdin, marked lines of JSON go out on stdout:
//
//   in   {"module": FILE, "mark": TEXT, "describe": true}
//        {"module": FILE, "mark": TEXT, "event": NAME, "limit": SECONDS or 0,
//         "tool": matchers are tried on a tool's name,
//         "views": [{"targets": [NAME...] or null, "input": {...}, "id": TEXT or null}]}
//   out  MARK{"limit": SECONDS}       counted from the start of node, the callbacks that
//                                     match are over by then
//        MARK{"limit": SECONDS, "part": {"n": N, ...}}
//                                     the answer of the Nth callback that matches, and by
//                                     when those are over that are left
//        MARK{"groups": [...]}        the answer to describe
//        MARK{"results": [...]}       all have answered; what is no callback
//        MARK{"failed": {...}}        the module cannot be used, or was ended
//
// Whatever else is printed goes to stderr or is not marked.
"use strict";
const fs = require("node:fs");
const { pathToFileURL, fileURLToPath } = require("node:url");

const DEFAULT_TIMEOUT = 600; // seconds, as the SDK has it (package 1.1.52)
const MAX_TIMEOUT = 2147483; // a timer takes no more
const FLUSH = 1000; // ms
const QUIET = 4; // turns: a stream that has just been made starts to write in the next one
const STRIP = "--experimental-strip-types"; // of node 22.6; later ones do it unasked

const text = fs.readFileSync(0, "utf8");
const req = JSON.parse(text);

let answered = false;

function say(answer) {
  answered ||= answer.limit === undefined;
  const line = Buffer.from("\n" + req.mark + JSON.stringify(answer) + "\n");
  for (let n = 0; n < line.length; ) {
    try {
      n += fs.writeSync(1, line, n);
    } catch (err) {
      if (err.code !== "EAGAIN") throw err;
    }
  }
}

function fail(stage, err, place) {
  say({ failed: { stage, ...told(err), ...place } });
  process.exit(0);
}

// told makes of whatever was thrown a message, a stack and a place.
function told(err) {
  if (typeof err === "string") return { message: err, stack: err };
  const message = String(err?.message ?? err);
  const stack = typeof err?.stack === "string" ? err.stack : message;
  const at = /(?<![\w:/\\])(?:file:\/\/[^\s)]+|\/[^\s():]+|[A-Za-z]:\\[^\s():]+):\d+:\d+/.exec(stack);
  return { message: `${err?.name ?? "Error"}: ${message}`, stack, ...(at ? placed(at[0]) : {}) };
}

function placed(at) {
  const [, file, line, column] = /^(.*):(\d+):(\d+)$/.exec(at);
  return { file: file.startsWith("file:") ? fileURLToPath(file) : file, line: Number(line), column: Number(column) };
}

// loadPlace finds where a module cannot be read: node tells it of a syntax error
// only when it checks the file by itself, and of a missing import by name.
function loadPlace(err) {
  if (err?.name === "SyntaxError") {
    const { stderr } = require("node:child_process").spawnSync(process.execPath, ["--check", req.module], { encoding: "utf8", timeout: 10000 });
    const [head, , caret] = String(stderr).split("\n");
    const at = /^(.*):(\d+)$/.exec(head ?? "");
    return at ? { file: at[1], line: Number(at[2]), column: Math.max((caret ?? "").search(/\S/), 0) + 1 } : { file: req.module };
  }
  const missing = /Cannot find (?:module|package) '([^']+)'/.exec(String(err?.message));
  if (missing && fs.existsSync(req.module)) {
    const name = missing[1].split(/[\\/]/).pop();
    const before = fs.readFileSync(req.module, "utf8").split(name)[0].split("\n");
    return { file: req.module, line: before.length, column: before.pop().length + 1 };
  }
  return {};
}

// needTypes makes sure that this node can take the types off, or starts one that
// does.
function needTypes() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (process.features.typescript || process.execArgv.includes(STRIP) || !/\.[cm]?ts$/.test(req.module)) return;
  if (major < 22 || (major === 22 && minor < 6)) {
    fail("types", `node ${process.versions.node} cannot run TypeScript: use node 22.18 or newer, or compile the module to JavaScript`, { file: req.module });
  }
  const run = require("node:child_process").spawnSync(
    process.execPath, [STRIP, "--no-warnings", "-e", process._eval],
    { input: text, stdio: ["pipe", "inherit", "inherit"] });
  process.exit(run.status ?? 1);
}

// isHooks tells an object of events from an array or a promise of one.
const isHooks = (h) => typeof h === "object" && h !== null && !Array.isArray(h) && typeof h.then !== "function";

// hooksOf finds the hooks among what a module exports: as `hooks`, as `default`,
// or in an object of options.
function hooksOf(module) {
  const places = [module, module.default, module.options, module.default?.options, module.default?.default];
  for (const p of places) if (isHooks(p?.hooks)) return p.hooks;
  const d = module.default;
  if (isHooks(d) && Object.values(d).some(Array.isArray)) return d;
  fail("exports", `the module exports no hooks: want "hooks", "default", or options with "hooks"; it has ${Object.keys(module).join(", ") || "nothing"}`, { file: req.module });
}

// groupsOf lists the matcher groups of an event; what is none of them is
// reported, and the rest counts.
function groupsOf(hooks, event) {
  const groups = [];
  const odd = (path, message) => groups.push({ path, odd: message });
  const list = hooks[event];
  if (list === undefined) return groups;
  if (!Array.isArray(list)) return odd(`/${event}`, "is no array of groups"), groups;
  list.forEach((g, i) => {
    const path = `/${event}/${i}`;
    if (!Array.isArray(g?.hooks)) return odd(path, "has no array of hooks");
    if (g.matcher != null && typeof g.matcher !== "string") odd(`${path}/matcher`, "is no string; the group always matches");
    g.hooks.forEach((f, j) => typeof f === "function" || odd(`${path}/hooks/${j}`, "is no function"));
    const timeout = g.timeout > 0 ? Math.min(g.timeout, MAX_TIMEOUT) : DEFAULT_TIMEOUT;
    groups.push({ path, matcher: typeof g.matcher === "string" ? g.matcher : undefined, timeout, declared: g.timeout > 0, hooks: g.hooks });
  });
  return groups;
}

// matches reads a matcher as the SDK's CLI does: on the name of a tool an
// expression that is searched for, on other values a word, a list, or one
// (observed 1.1.52).
function matches(matcher, targets) {
  const m = (matcher ?? "").trim();
  if (m === "" || m === "*" || !targets) return true;
  if (!req.tool && !/[\\^$.*+?()[\]{}]/.test(m)) return m.split("|").some((w) => targets.includes(w.trim()));
  try {
    const re = new RegExp(m);
    return targets.some((t) => re.test(t));
  } catch {
    return targets.includes(m);
  }
}

// over tells by when the callbacks are over that are left, and the answer of one.
function over(jobs, part) {
  const left = jobs.filter((j) => !j.over).map((j) => j.limit);
  say({ limit: process.uptime() + Math.max(0, ...left), part });
}

// call gives one callback its turn. Each has one of its own, as with the SDK,
// where each is asked for by itself: what one answers is out before the next can
// keep the process busy for ever, or end it.
async function call(job, n, jobs) {
  for (let i = 0; i < n; i++) await new Promise(setImmediate);
  const result = await answerOf(job, job.limit);
  job.over = true;
  over(jobs, { n, ...result });
  return result;
}

async function answerOf(job, limit) {
  const abort = new AbortController();
  let timer;
  const late = new Promise((done) => {
    timer = setTimeout(() => (abort.abort(), done({ timeout: limit })), limit * 1000);
  });
  const view = req.views[job.view];
  const run = async () => {
    const value = await job.fn(structuredClone(view.input), view.id ?? undefined, { signal: abort.signal });
    return { value: JSON.parse(JSON.stringify(value ?? null) ?? "null") };
  };
  const result = await Promise.race([late, run().catch((err) => ({ error: told(err) }))]);
  clearTimeout(timer);
  if (result.error) process.stderr.write(`hookbridge: ${req.module} ${job.path}: ${result.error.stack}\n`);
  return { path: job.path, view: job.view, ...result };
}

// written waits until what the callbacks have given to files and streams is written:
// in the SDK the process lives on, here it ends. A reader that takes nothing is not
// waited for.
async function written() {
  const end = Date.now() + FLUSH;
  const writes = (name) => /^FSReq|^(Write|Shutdown)Wrap$/.test(name);
  for (let quiet = 0; quiet < QUIET && Date.now() < end; quiet++) {
    await new Promise(setImmediate);
    if (process.getActiveResourcesInfo?.().some(writes)) quiet = 0;
  }
}

async function main() {
  needTypes();
  process.stdout.write = process.stderr.write.bind(process.stderr);
  for (const name of ["unhandledRejection", "uncaughtException"]) {
    process.on(name, (err) => process.stderr.write(`hookbridge: ${req.module}: ${told(err).stack}\n`));
  }
  let loaded = false; // nothing is left to wake it, or it has ended the process
  process.on("exit", (status) => {
    if (answered) return;
    const message = loaded ? `the callbacks ended the process with status ${status}` : "the module ended, or waits for ever, before it was loaded";
    say({ failed: { stage: loaded ? "run" : "load", message, file: req.module } });
  });
  const module = await import(pathToFileURL(req.module)).catch((err) => fail("load", err, loadPlace(err)));
  loaded = true;
  const hooks = hooksOf(module);
  if (req.describe) {
    const groups = Object.keys(hooks).flatMap((event) => groupsOf(hooks, event).map((g) => ({ event, ...g, hooks: g.hooks?.length })));
    say({ groups });
    process.exit(0);
  }
  const jobs = [], odd = [];
  for (const g of groupsOf(hooks, req.event)) {
    if (g.odd) odd.push({ path: g.path, odd: g.odd });
    const view = g.odd ? -1 : req.views.findIndex((v) => matches(g.matcher, v.targets));
    if (view < 0) continue;
    const limit = req.limit > 0 ? Math.min(g.timeout, req.limit) : g.timeout;
    g.hooks.forEach((fn, j) => typeof fn === "function" && jobs.push({ path: `${g.path}/hooks/${j}`, view, fn, limit }));
  }
  over(jobs);
  const results = await Promise.all(jobs.map(call));
  const stays = results.some((r) => r.value?.async === true);
  say({ results: odd, stays });
  if (stays) return;
  await written();
  // What a callback that was given up has started ends with it; the answer is written.
  if (results.some((r) => r.timeout) && process.platform !== "win32") process.kill(0, "SIGKILL");
  process.exit(0);
}

main();
