"use strict";
// The search: every word of the query must be in a section's title, its page's title or its text. The texts are loaded
// when the field is used first, as a script, which also works from a folder.
(() => {
  const root = document.documentElement.dataset.root, form = document.getElementById("search");
  const query = document.getElementById("query"), found = document.getElementById("found");
  const hits = document.getElementById("hits"), count = document.getElementById("count");
  const unsaid = new Set("a an and are at be can do does for how i in is it my of on or the to what when which with hook hooks".split(" "));
  const most = 30;
  form.hidden = false;

  let loading;
  function load() {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = root + "search-data.js";
      script.onload = () => resolve(window.searchData.map(e => ({ title: e[0], page: e[1], url: e[2], section: e[3], text: e[4],
        low: [e[0], e[1] + " " + e[3], e[4]].map(s => s.toLowerCase()) })));
      script.onerror = reject;
      document.head.append(script);
    });
    return loading;
  }

  // rank puts what explains in front of what it is known from.
  const rank = { Documentation: 1.5, Guides: 1.4, Commands: 1.4, Codes: 1.2, Comparisons: .7, Facts: .7 };

  // score is 0 where a word is nowhere.
  function score(entry, words) {
    let sum = 0;
    for (const w of words) {
      const start = new RegExp("(^|[^a-z0-9])" + w.replace(/[^a-z0-9]/g, "\\$&"));
      let best = 0;
      entry.low.forEach((text, i) => {
        if (text.includes(w)) best = Math.max(best, [20, 8, 2][i] * (start.test(text) ? 2 : 1) + (text === w ? 40 : 0));
      });
      if (!best) return 0;
      sum += best;
    }
    return sum * (rank[entry.section] ?? 1);
  }

  async function search() {
    const given = query.value.toLowerCase().split(/[^a-z0-9_$.@-]+/).map(w => w.replace(/^[.-]+|[.-]+$/g, "")).filter(Boolean);
    const words = given.some(w => !unsaid.has(w)) ? given.filter(w => !unsaid.has(w)) : given;
    found.hidden = !words.length;
    if (!words.length) return;
    const asked = query.value, entries = await load();
    if (query.value !== asked) return;
    const list = entries.map(e => [score(e, words), e]).filter(([s]) => s).sort((a, b) => b[0] - a[0]);
    count.textContent = list.length ? `${list.length} ${list.length === 1 ? "section" : "sections"}` : "Nothing found";
    hits.replaceChildren(...list.slice(0, most).map(([, e]) => hit(e, words)));
  }

  function hit(e, words) {
    const item = document.createElement("li"), link = document.createElement("a"), title = document.createElement("strong");
    link.href = root + e.url;
    title.textContent = e.title;
    const where = document.createElement("small");
    where.textContent = e.title === e.page ? e.section : `${e.section} · ${e.page}`;
    const near = Math.max(0, e.low[2].indexOf(words[0]) - 40), at = near && e.text.indexOf(" ", near) + 1; // a word's start
    const text = document.createElement("span");
    text.textContent = e.text.slice(at, at + 140);
    link.append(title, where, text);
    item.append(link);
    return item;
  }

  const shut = () => { found.hidden = true; };
  query.addEventListener("focus", load);
  query.addEventListener("input", search);
  form.addEventListener("submit", e => {
    e.preventDefault();
    hits.querySelector("a")?.click();
  });
  form.addEventListener("keydown", e => {
    if (e.key === "Escape") {
      query.focus();
      shut();
    }
    if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
    const all = [query, ...hits.querySelectorAll("a")], to = all.indexOf(document.activeElement) + (e.key === "ArrowDown" ? 1 : -1);
    e.preventDefault();
    all[Math.min(Math.max(to, 0), all.length - 1)].focus();
  });
  document.addEventListener("click", e => { if (!form.contains(e.target)) shut(); });
  document.addEventListener("keydown", e => {
    if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || /INPUT|SELECT|TEXTAREA/.test(document.activeElement.tagName)) return;
    e.preventDefault();
    query.focus();
  });

  // on a narrow window the section's pages begin closed
  const pages = document.querySelector("details.pages");
  if (pages && matchMedia("(max-width: 60rem)").matches) pages.open = false;
})();
