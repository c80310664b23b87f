"use strict";
// The form over support.json. What is chosen is in the fragment of the address: #effect=deny&event=prompt-submit&agent=cursor
(() => {
  const form = document.getElementById("ask"), grid = document.getElementById("grid"), list = document.getElementById("list");
  const answer = document.getElementById("answer"), fields = ["effect", "event", "agent", "answer", "words"];
  const says = { yes: "yes", some: "in some cases", no: "no", unknown: "not known" }, most = 300;
  const titles = Object.fromEntries([...support.agents.map(a => [a.name, a.title]), ...support.events.map(e => [e.name, e.says]),
    ...support.effects.map(e => [e.name, e.says])]);
  const rows = {};
  for (const r of support.rows) (rows[r.agent + " " + r.event] ??= []).push(r);

  // lost is what an agent does less for an effect of a row.
  const lost = (row, effect) => row.less.filter(l => l.never || l.effects.includes(effect));

  // judge answers for one agent, event and effect: {is, lines}, each line with its evidence.
  function judge(agent, event, effect) {
    const known = rows[agent.name + " " + event.name];
    if (!known) {
      return agent.tables
        ? { is: "no", lines: [{ native: "", text: `${agent.title} has no such event as of ${agent.version}`, source: "its tables" }] }
        : { is: "unknown", lines: [{ native: "", text: agent.note, source: agent.source }] };
    }
    const lines = known.map(r => {
      const whole = effect.name === "run" || r.effects.includes(effect.name), some = r.some[effect.name];
      const less = whole || some ? lost(r, effect.name) : [];
      const is = whole && !less.length ? "yes" : whole || some ? "some" : agent.tables ? "no" : "unknown";
      const parts = [];
      if (some) parts.push("for " + some.join(", ") + " only");
      for (const l of less) parts.push(`${l.when} ${l.never ? "never raises the event" : "ignores it"} (${l.source})`);
      if (r.since) parts.push("since " + r.since);
      return { is, native: r.native, text: parts.join("; "), source: r.source };
    });
    for (const is of ["yes", "some", "unknown"]) if (lines.some(l => l.is === is)) return { is, lines };
    return { is: "no", lines };
  }

  function element(name, text, ...classes) {
    const e = document.createElement(name);
    if (text !== undefined) e.textContent = text;
    e.classList.add(...classes);
    return e;
  }

  function heading(text, scope) {
    const e = element("th", text);
    e.scope = scope;
    return e;
  }

  const evidence = (agent, found) => found.lines.map(l => [l.native, l.text, l.source].filter(Boolean).join(": ")).join(" | ") +
    (agent.date ? ` (compared on ${agent.date})` : "");

  // chosen are the agents, events and effects that the form leaves.
  function chosen(want) {
    const words = want.words.toLowerCase().split(/\s+/).filter(Boolean);
    const of = (all, name) => all.filter(x => !want[name] || x.name === want[name]);
    return { words, agents: of(support.agents, "agent"), events: of(support.events, "event"), effects: of(support.effects, "effect") };
  }

  // grids has two of the three things; where nothing is chosen, the effect is to block.
  function show() {
    const want = Object.fromEntries(new FormData(form)), left = chosen(want);
    if (!want.effect && !want.event && !want.agent) left.effects = support.effects.filter(e => e.name === "deny");
    const fits = (agent, event, effect) => {
      const found = judge(agent, event, effect);
      if (want.answer && found.is !== want.answer) return null;
      const text = [agent.title, event.name, event.says, effect.says, evidence(agent, found)].join(" ").toLowerCase();
      return left.words.every(w => text.includes(w)) ? found : null;
    };
    const single = ["agents", "events", "effects"].filter(n => left[n].length === 1);
    grid.replaceChildren(...(single.length === 1 || single.length === 2 ? [table(left, single, fits)] : []));
    lines(left, want, single, fits);
  }

  // table shows agents and events for one effect, events and effects for one agent, or agents and effects for one event.
  function table(left, single, fits) {
    const axes = ["agents", "events", "effects"].filter(n => !single.includes(n));
    const down = axes[0] === "agents" && axes.length === 2 ? axes[1] : axes[0], across = axes.find(n => n !== down);
    const pick = (a, b) => {
      const cell = { agents: left.agents[0], events: left.events[0], effects: left.effects[0], [down]: a };
      if (across) cell[across] = b;
      return [cell, fits(cell.agents, cell.events, cell.effects)];
    };
    const heads = across ? left[across] : [{ says: titles[left[single[0]][0].name] }];
    const lively = left[down].map(a => [a, heads.map(b => pick(a, b))])
      .filter(([, cells]) => cells.some(([, f]) => f && (f.is !== "no" && f.is !== "unknown" || single.length === 2)));
    const box = element("div", undefined, "wide"), all = element("table"), first = element("tr");
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", "Answers at a glance");
    first.append(heading(down.replace(/s$/, ""), "col"), ...heads.map(h => heading(h.title ?? h.says, "col")));
    const head = element("thead"), body = element("tbody");
    head.append(first);
    for (const [a, cells] of lively) {
      const line = element("tr");
      line.append(heading(a.title ?? a.says, "row"), ...cells.map(([cell, f]) => cellOf(cell, f)));
      body.append(line);
    }
    all.append(head, body);
    box.append(all);
    return box;
  }

  function cellOf(cell, found) {
    const td = element("td");
    if (!found) return td;
    const link = element("a", { yes: "● yes", some: "◐ some", no: "○ no", unknown: "?" }[found.is], found.is);
    link.href = "#" + new URLSearchParams({ effect: cell.effects.name, event: cell.events.name, agent: cell.agents.name });
    link.title = evidence(cell.agents, found);
    link.setAttribute("aria-label", `${says[found.is]}: ${cell.effects.says}, ${cell.events.says}, ${cell.agents.title}`);
    td.append(link);
    return td;
  }

  // lines lists answers with their evidence, and says the answer in words where there is one only.
  function lines(left, want, single, fits) {
    const all = [];
    for (const agent of left.agents) for (const event of left.events) for (const effect of left.effects) {
      const found = fits(agent, event, effect);
      if (found && (single.length === 3 || want.answer || found.is !== "no" && found.is !== "unknown" || single.length === 2)) all.push({ agent, event, effect, found });
    }
    const only = single.length === 3 && all[0];
    answer.textContent = only ? `${says[only.found.is]}: a hook ${only.found.is === "no" ? "can't" : only.found.is === "unknown" ? "may or may not" : "can"} ` +
        `${only.effect.says} when ${only.event.says}, in ${only.agent.title}.`
      : `${all.length} ${all.length === 1 ? "answer" : "answers"}${all.length > most ? `, the first ${most} below` : ""}`;
    answer.className = "answer " + (only ? only.found.is : "");
    document.getElementById("list-title").hidden = !all.length;
    const box = element("div", undefined, "wide"), shown = element("table"), head = element("tr"), body = element("tbody");
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", "Answers with evidence");
    head.append(...["agent", "a hook can", "when", "answer", "evidence", "compared"].map(h => heading(h, "col")));
    for (const a of all.slice(0, most)) body.append(line(a));
    const top = element("thead");
    top.append(head);
    shown.append(top, body);
    box.append(shown);
    list.replaceChildren(...(all.length ? [box] : []));
  }

  function line({ agent, event, effect, found }) {
    const tr = element("tr"), who = element("td"), proof = element("td"), day = element("td");
    const link = element("a", agent.title);
    link.href = agent.page + (found.lines[0].native ? "#" + event.name : "");
    who.append(link);
    if (agent.version) who.append(element("small", agent.version));
    for (const l of found.lines) {
      const p = element("p");
      if (l.native) p.append(element("code", l.native), " ");
      p.append([l.text, l.source].filter(Boolean).join(". "));
      proof.append(p);
    }
    if (!agent.tables) day.append("from documents only");
    for (const [name, url] of [["facts", agent.facts], [agent.date, agent.live]]) {
      if (!url) continue;
      const to = element("a", name);
      to.href = url;
      day.append(to, " ");
    }
    tr.append(who, element("td", effect.says), element("td", event.says), element("td", says[found.is], found.is), proof, day);
    return tr;
  }

  function read() {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const name of fields) form.elements[name].value = given.get(name) ?? "";
    show();
  }

  function keep() {
    const set = new URLSearchParams([...new FormData(form)].filter(([, v]) => v));
    history.replaceState(null, "", "#" + set);
  }

  form.hidden = false;
  form.addEventListener("input", () => { show(); keep(); });
  form.addEventListener("reset", () => setTimeout(() => { show(); keep(); }));
  form.addEventListener("submit", e => e.preventDefault());
  addEventListener("hashchange", read);
  read();
})();
