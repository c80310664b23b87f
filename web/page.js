"use strict";
// The page's state is in the fragment of its address, so that a link keeps it:
// #from=claude&to=cursor&text=...&call=... or #view=table&of=claude&under=cursor&event=...
const $ = id => document.getElementById(id);
const ask = (...args) => JSON.parse(hookbridge(...args));
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
  const program = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(
    new Response(program, { headers: { "Content-Type": "application/wasm" } }), go.importObject);
  go.run(instance);
  for (const a of ask("agents")) {
    for (const list of [$("from"), $("to"), $("filter").elements.of, $("filter").elements.under]) {
      list.append(new Option(a.title, a.name));
    }
  }
  $("text").value = example;
  $("from").value = "claude";
  $("to").value = "cursor";
  $("state").hidden = true;
  read();
}

// convert shows the conversion of the text as it is now.
function convert() {
  const c = ask("convert", $("from").value, $("to").value, $("text").value);
  $("result").textContent = c.text;
  const counts = `${c.hooks} ${c.hooks === 1 ? "hook" : "hooks"} read, ${c.entries} ${c.entries === 1 ? "entry" : "entries"} written`;
  $("summary").textContent = c.error || `${counts}, ${c.findings.length} ${c.findings.length === 1 ? "finding" : "findings"}`;
  $("findings").replaceChildren(...c.findings.map(finding));
  lines(new Set(c.findings.filter(f => f.severity !== "note").map(f => f.line)));
  outcomes();
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
  const text = $("text"), before = text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  const end = text.value.indexOf("\n", before);
  text.focus();
  text.setSelectionRange(before, end < 0 ? text.value.length : end);
  text.scrollTop = Math.max(0, (line - 5) * parseFloat(getComputedStyle(text).lineHeight));
}

function lines(marked) {
  const list = $("text").value.split("\n").map((_, i) => element(marked.has(i + 1) ? "b" : "span", `${i + 1}\n`));
  $("lines").replaceChildren(...list);
  $("lines").scrollTop = $("text").scrollTop;
}

// outcomes shows what each agent does with the call, as far as that needs no process.
function outcomes() {
  const call = $("call").value.trim();
  $("called").hidden = !call;
  if (!call) return;
  const list = ask("call", $("from").value, $("text").value, call);
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
    row.append(element("td", a.title), element("td", a.hooks.join("\n") || "none", a.hooks.length ? "all" : "none"), element("td", a.denial));
    table.append(row);
  }
  return table;
}

let rows;
function table() {
  if (!rows) rows = ask("matrix");
  const form = $("filter"), want = Object.fromEntries(new FormData(form)), event = want.event.trim().toLowerCase();
  const fits = rows.filter(r => (!want.of || r.from === want.of) && (!want.under || r.to === want.under) &&
    (!want.support || r.support === want.support) && [r.event, r.native, ...r.sentBy].join(" ").toLowerCase().includes(event));
  $("matrix").tBodies[0].replaceChildren(...fits.map(row));
  $("count").value = `${fits.length} of ${rows.length}`;
}

function row(r) {
  const title = name => [...$("from").options].find(o => o.value === name).text;
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

function show(view) {
  for (const name of ["convert", "table"]) {
    const chosen = name === view, tab = $("tab-" + name);
    tab.setAttribute("aria-selected", chosen);
    tab.tabIndex = chosen ? 0 : -1;
    $(name).hidden = !chosen;
  }
  if (view === "table") table(); else convert();
}

const shown = () => $("table").hidden ? "convert" : "table";

// read takes the state from the address.
function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const id of ["from", "to", "text", "call"]) {
    const value = given.get(id), list = $(id).options;
    if (value === null) continue;
    if (list && ![...list].some(o => o.value === value)) list.add(new Option(value, value)); // a version, or a mistake that is reported
    $(id).value = value;
  }
  if (given.has("text") && !given.has("from")) $("from").value = ask("agentOf", given.get("text")) || "claude";
  for (const field of $("filter").elements) if (field.name) field.value = given.get(field.name) ?? "";
  show(given.get("view") === "table" ? "table" : "convert");
}

// keep writes the state into the address.
function keep() {
  const set = shown() === "table" ? [["view", "table"], ...[...new FormData($("filter"))].filter(([, v]) => v)]
    : ["from", "to", "text", "call"].map(id => [id, $(id).value]).filter(([, v]) => v);
  history.replaceState(null, "", "#" + new URLSearchParams(set));
}

for (const id of ["from", "to", "text", "call"]) $(id).addEventListener("input", () => { convert(); keep(); });
$("text").addEventListener("paste", () => setTimeout(() => {
  const agent = ask("agentOf", $("text").value);
  if (agent && agent !== $("from").value && !ask("convert", $("from").value, $("from").value, $("text").value).hooks) {
    $("from").value = agent;
    convert();
    keep();
  }
}));
$("text").addEventListener("scroll", () => { $("lines").scrollTop = $("text").scrollTop; });
$("swap").addEventListener("click", () => {
  const [from, to, text] = [$("from").value, $("to").value, $("result").textContent];
  $("from").value = to;
  $("to").value = from;
  if (text) $("text").value = text;
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
