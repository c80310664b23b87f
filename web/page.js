"use strict";
// The agents and the view are in the fragment of the page's address: #from=claude&to=cursor, or
// #view=table&of=claude&under=cursor&event=... A text is in it only where somebody asked for such a link: &text=...&call=...
const $ = id => document.getElementById(id);

// ask lets the worker compute something; the newest question of a kind is the only one that is answered.
const waiting = new Map(), newest = new Map();
let asked = 0, worker;
function ask(...args) {
  return new Promise(resolve => {
    waiting.set(++asked, { kind: args[0], resolve });
    newest.set(args[0], asked);
    worker.postMessage({ id: asked, args });
  });
}

function answered({ data }) {
  const { kind, resolve } = waiting.get(data.id);
  waiting.delete(data.id);
  if (data.error) {
    $("state").textContent = "The program failed. Please reload the page: " + data.error;
    $("state").hidden = false;
    return;
  }
  if (newest.get(kind) === data.id) resolve(JSON.parse(data.answer));
}

const example = `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          { "type": "command", "command": "\\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/guard.sh", "timeout": 10 }
        ]
      }
    ],
    "Notification": [
      { "hooks": [ { "type": "command", "command": "notify-send Claude" } ] }
    ]
  }
}
`;

function element(name, text, ...classes) {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  e.classList.add(...classes);
  return e;
}

async function start() {
  const packed = atob($("program").textContent), bytes = new Uint8Array(packed.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = packed.charCodeAt(i); // Uint8Array.from takes ten times as long
  const source = new Blob([$("wasm_exec").textContent, $("worker").textContent], { type: "text/javascript" });
  worker = new Worker(URL.createObjectURL(source));
  await new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => data.error ? reject(data.error) : resolve();
    worker.onerror = e => reject(e.message);
    worker.postMessage({ program: bytes }, [bytes.buffer]);
  });
  worker.onmessage = answered;
  for (const a of await ask("agents")) {
    const owners = a.hooks ? [$("from"), $("filter").elements.of] : [];
    for (const list of [...owners, $("to"), $("filter").elements.under]) list.append(new Option(a.title, a.name));
  }
  fill(example);
  $("from").value = "claude";
  $("to").value = "cursor";
  await read();
  $("state").hidden = true;
}

// largest is how long a text may be, in characters.
const largest = 4 << 20;

// part is how much of a longer text the field shows: a browser lays out all that a field has at once, which takes a
// second for a megabyte. before and after are what it doesn't show.
const part = 1 << 16;
let before = "", after = "";

const whole = () => before + $("text").value + after;

function linesIn(text) {
  let n = 1;
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) n++;
  return n;
}

// fill shows a text, or the part of a long one that has a place.
function fill(text, at = 0) {
  const cut = i => {
    if (text.length <= part || i <= 0) return 0;
    const end = text.indexOf("\n", i);
    return end < 0 || end - i > part ? Math.min(i, text.length) : end + 1;
  };
  const from = cut(at - part / 2), to = text.length <= part ? text.length : cut(from + part);
  before = text.slice(0, from);
  after = text.slice(to);
  $("text").value = text.slice(from, to);
  showPart();
}

// showPart numbers the lines of the source, and says which they are. Only marked numbers are elements of their own.
let marked = new Set();
function showPart() {
  const first = linesIn(before), last = first + linesIn($("text").value) - 1, parts = [];
  let plain = "";
  for (let i = first; i <= last; i++) {
    if (marked.has(i)) {
      parts.push(plain, element("b", `${i}\n`));
      plain = "";
    } else {
      plain += `${i}\n`;
    }
  }
  $("lines").replaceChildren(...parts, plain);
  $("lines").scrollTop = $("text").scrollTop;
  $("part").hidden = !before && !after;
  $("part").firstElementChild.textContent = `Lines ${first} to ${last} of ${last + linesIn(after) - 1}`;
  $("earlier").disabled = !before;
  $("later").disabled = !after;
}

function mark(lines) {
  marked = new Set(lines);
  showPart();
}

// present puts a text into an element in pieces, of which the browser lays out those that are seen.
function present(id, text) {
  const lines = text.split(/(?<=\n)/), pieces = [];
  for (let i = 0; i < lines.length; i += 200) pieces.push(element("span", lines.slice(i, i + 200).join("")));
  $(id).replaceChildren(...pieces);
}

// busy marks the result as that of another text, until the one of this text is there.
function busy(is) {
  $("result").classList.toggle("old", is);
  $("result").setAttribute("aria-busy", is);
  for (const id of ["copy", "download"]) $(id).disabled = is || !$("result").textContent;
  $("link").disabled = is;
}

// convert shows the conversion of the text as it is now.
async function convert() {
  const text = whole();
  busy(true);
  $("summary").textContent = "Converting…";
  if (text.length > largest) {
    const megabytes = largest >> 20;
    $("summary").textContent = `This page converts files of up to ${megabytes} MB. For larger ones use hookbridge convert.`;
    $("findings").replaceChildren();
    newest.set("convert", 0); // what was asked before isn't shown any more
    return;
  }
  mark([]);
  const c = await ask("convert", $("from").value, $("to").value, text);
  present("result", c.text);
  const counts = `${c.hooks} ${c.hooks === 1 ? "hook" : "hooks"} read, ${c.entries} ${c.entries === 1 ? "entry" : "entries"} written`;
  $("summary").textContent = c.error || `${counts}, ${c.found} ${c.found === 1 ? "finding" : "findings"}`;
  $("findings").replaceChildren(...c.findings.map(finding));
  if (c.found > c.findings.length) $("findings").append(element("li", `and ${c.found - c.findings.length} more`));
  $("place").textContent = c.file;
  $("installs").textContent = `hookbridge install --host ${$("to").value} --hooks ${$("from").value}`;
  $("needs").hidden = !c.calls;
  busy(false);
  mark(c.findings.filter(f => f.severity !== "note").map(f => f.line));
  await Promise.all([outcomes(), other()]);
}

// other asks whether the text is that of another agent.
async function other() {
  const agent = await ask("betterThan", $("from").value, whole()), list = [...$("from").options];
  $("other").hidden = !agent;
  if (!agent) return;
  $("other").firstElementChild.textContent = `This looks like ${list.find(o => o.value === agent).text}.`;
  $("switch").value = agent;
}

// soon converts once typing pauses.
let pause;
function soon() {
  if ($("text").value.length > 2 * part) fill(whole(), before.length + $("text").selectionStart);
  clearTimeout(pause);
  pause = setTimeout(() => { convert(); keep(); }, 250);
}

function finding(f) {
  const item = element("li", undefined, f.severity);
  item.append(element("strong", `${f.severity} ${f.code}`), " ");
  if (f.line) {
    const go = element("button", `line ${f.line}`);
    go.addEventListener("click", () => select(f.line));
    item.append(go, " ");
  }
  item.append(f.message);
  if (f.fix) item.append(element("span", f.fix, "fix"));
  return item;
}

// select marks a line of the source and shows it.
function select(line) {
  const text = whole(), field = $("text");
  let at = 0;
  for (let i = 1; i < line; i++) at = text.indexOf("\n", at) + 1;
  if (at < before.length || at >= text.length - after.length) fill(text, at);
  const start = at - before.length, end = field.value.indexOf("\n", start);
  field.focus();
  field.setSelectionRange(start, end < 0 ? field.value.length : end);
  field.scrollTop = Math.max(0, (line - linesIn(before) - 4) * parseFloat(getComputedStyle(field).lineHeight));
}

// outcomes shows what each agent does with the call, as far as that needs no process.
async function outcomes() {
  const call = $("call").value.trim();
  $("called").hidden = !call;
  if (!call) return;
  const list = await ask("call", $("from").value, whole(), call);
  $("outcomes").replaceChildren(...(list.error ? [element("p", list.error, "none")] : [outcomeTable(list.agents)]));
}

function outcomeTable(agents) {
  const table = element("table"), head = element("tr");
  for (const name of ["agent", "hooks that run", "if a hook denies or asks"]) {
    const cell = element("th", name);
    cell.scope = "col";
    head.append(cell);
  }
  table.append(head);
  for (const a of agents) {
    const row = element("tr");
    const what = element("td", a.denial);
    if (a.left.length) what.append(element("small", `HB212: its tool doesn't take ${a.left.join(", ")}; hooks don't see that`));
    row.append(element("td", a.title), element("td", a.hooks.join("\n") || "none", a.hooks.length ? "all" : "none"), what);
    table.append(row);
  }
  return table;
}

let rows;
async function table() {
  if (!rows) rows = await ask("matrix");
  const form = $("filter"), want = Object.fromEntries(new FormData(form)), event = want.event.trim().toLowerCase();
  const fits = rows.filter(r => (!want.of || r.from === want.of) && (!want.under || r.to === want.under) &&
    (!want.support || r.support === want.support) && [r.event, r.native, ...r.sentBy].join(" ").toLowerCase().includes(event));
  $("matrix").tBodies[0].replaceChildren(...fits.map(row));
  $("count").value = `${fits.length} of ${rows.length}`;
}

function row(r) {
  const title = name => [...$("to").options].find(o => o.value === name).text;
  const cells = [element("td", r.support, r.support), element("td", `${title(r.from)} → ${title(r.to)}`), element("td", r.native)];
  cells[2].append(element("small", r.event));
  for (const [what, list] of [["sent by", r.sentBy], ["supported", r.does], ["not supported", r.lost.concat(r.less)]]) {
    const cell = element("td", list.join(", "));
    cell.dataset.is = what;
    cells.push(cell);
  }
  const line = element("tr");
  line.title = r.sources.join("; ");
  line.append(...cells);
  return line;
}

async function show(view) {
  for (const name of ["convert", "table"]) {
    const chosen = name === view, tab = $("tab-" + name);
    tab.setAttribute("aria-selected", chosen);
    tab.tabIndex = chosen ? 0 : -1;
    $(name).hidden = !chosen;
  }
  await (view === "table" ? table() : convert());
}

const shown = () => $("table").hidden ? "convert" : "table";

// read takes the state from the address.
async function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const id of ["from", "to", "text", "call"]) {
    const value = given.get(id), list = $(id).options;
    if (value === null) continue;
    if (list && ![...list].some(o => o.value === value)) list.add(new Option(value, value)); // a version, or a mistake that is reported
    if (id === "text") fill(value);
    else $(id).value = value;
  }
  if (given.has("text") && !given.has("from")) $("from").value = await ask("agentOf", given.get("text")) || "claude";
  for (const field of $("filter").elements) if (field.name) field.value = given.get(field.name) ?? "";
  await show(given.get("view") === "table" ? "table" : "convert");
}

// address is the page's, with those fields of the conversion that are named.
function address(...fields) {
  const set = shown() === "table" ? [["view", "table"], ...[...new FormData($("filter"))].filter(([, v]) => v)]
    : fields.map(id => [id, id === "text" ? whole() : $(id).value]).filter(([, v]) => v);
  return "#" + new URLSearchParams(set);
}

// keep writes the state into the address, but for what somebody typed or pasted.
const keep = () => history.replaceState(null, "", address("from", "to"));

// put shows the text of a file or of the clipboard, and takes the agent that it is written for.
async function put(text) {
  fill(text);
  const agent = await ask("agentOf", text);
  if (agent) $("from").value = agent;
  await convert();
  keep();
}

async function say(button, done) {
  const label = button.textContent;
  try {
    await done();
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed here";
  }
  setTimeout(() => { button.textContent = label; }, 1500);
}

for (const id of ["from", "to"]) $(id).addEventListener("input", () => { convert(); keep(); });
for (const id of ["text", "call"]) $(id).addEventListener("input", soon);
$("text").addEventListener("paste", e => {
  const text = e.clipboardData.getData("text/plain"), field = $("text");
  const [from, to] = [field.selectionStart, field.selectionEnd];
  const all = from === 0 && to === field.value.length;
  if (!all && text.length <= part) return;
  e.preventDefault();
  if (all) return put(text);
  fill(before + field.value.slice(0, from) + text + field.value.slice(to) + after, before.length + from);
  soon();
});
$("switch").addEventListener("click", () => {
  $("from").value = $("switch").value;
  convert();
  keep();
});
$("open").addEventListener("click", () => $("file").click());
$("file").addEventListener("change", async () => {
  if ($("file").files.length) await put(await $("file").files[0].text());
  $("file").value = "";
});
for (const kind of ["dragover", "drop"]) {
  $("source").addEventListener(kind, async e => {
    if (![...e.dataTransfer.types].includes("Files")) return;
    e.preventDefault();
    if (kind === "drop") await put(await e.dataTransfer.files[0].text());
  });
}
$("copy").addEventListener("click", () => say($("copy"), () => navigator.clipboard.writeText($("result").textContent)));
$("link").addEventListener("click", () => say($("link"), () => navigator.clipboard.writeText(
  location.href.split("#")[0] + address("from", "to", "text", "call"))));
$("download").addEventListener("click", () => {
  const text = $("result").textContent, a = element("a");
  a.href = URL.createObjectURL(new Blob([text]));
  a.download = $("place").textContent.split("/").pop();
  a.click();
  URL.revokeObjectURL(a.href);
});
$("earlier").addEventListener("click", () => fill(whole(), before.length - part / 2));
$("later").addEventListener("click", () => fill(whole(), whole().length - after.length + part / 2));
$("text").addEventListener("scroll", () => { $("lines").scrollTop = $("text").scrollTop; });
$("swap").addEventListener("click", () => {
  const [from, to, text] = [$("from").value, $("to").value, $("result").textContent];
  $("from").value = to;
  $("to").value = from;
  if (text) fill(text);
  convert();
  keep();
});
for (const name of ["convert", "table"]) {
  $("tab-" + name).addEventListener("click", () => { show(name); keep(); });
  $("tab-" + name).addEventListener("keydown", e => {
    if (e.key !== "ArrowLeft" && e.key !== "ArrowRight") return;
    const other = name === "convert" ? "table" : "convert";
    show(other);
    keep();
    $("tab-" + other).focus();
  });
}
$("filter").addEventListener("input", () => { table(); keep(); });
for (const form of [$("filter"), $("choice")]) form.addEventListener("submit", e => e.preventDefault());
addEventListener("hashchange", read);
addEventListener("DOMContentLoaded", () => start().catch(e => { $("state").textContent = "The page can't start: " + e; }));
