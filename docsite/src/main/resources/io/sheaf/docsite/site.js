"use strict";
(() => {
  const top = document.currentScript.dataset.top;
  const MOST = 25;
  const root = document.documentElement;

  // Light or dark: as the system has it, until the button is used; then as last chosen, where the browser can keep it.
  const kept = (value) => {
    try {
      if (value) localStorage.setItem("sheaf-theme", value);
      return localStorage.getItem("sheaf-theme");
    } catch {
      return null;
    }
  };
  const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const theme = document.getElementById("theme");
  const label = () => { theme.textContent = dark() ? "Light" : "Dark"; };
  const last = kept();
  if (last === "dark" || last === "light") root.dataset.theme = last;
  theme.hidden = false;
  theme.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; kept(root.dataset.theme); label(); });
  label();

  const form = document.getElementById("search");
  const query = document.getElementById("query");
  const found = document.getElementById("found");
  form.hidden = false;

  // The text of all pages is loaded when it is first needed.
  let loading = null;
  const pages = () => loading ||= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = top + "site/pages.js";
    script.onload = () => done(window.sheafPages);
    script.onerror = failed;
    document.head.append(script);
  });

  const search = (all, words) => {
    const hits = [];
    for (const [page, title, ...sections] of all) {
      for (const [id, heading, text] of sections) {
        const where = [[title.toLowerCase(), 6], [heading.toLowerCase(), 9], [text.toLowerCase(), 1]];
        let score = 0;
        for (const word of words) {
          const best = Math.max(...where.map(([in_, worth]) => in_.includes(word) ? worth : 0));
          if (best === 0) { score = 0; break; }
          score += best;
        }
        if (score > 0) hits.push({ score, page, title, id, heading, text });
      }
    }
    return hits.sort((a, b) => b.score - a.score).slice(0, MOST);
  };

  // Text around the first word, with all words marked; built from text nodes, so that nothing in it is markup.
  const excerpt = (text, words) => {
    const small = document.createElement("small");
    const first = Math.max(0, Math.min(...words.map((w) => { const at = text.toLowerCase().indexOf(w); return at < 0 ? text.length : at; })) - 40);
    let rest = text.slice(first, first + 160);
    if (first > 0) small.append("…");
    while (rest) {
      const low = rest.toLowerCase();
      let at = -1, length = 0;
      for (const w of words) { const i = low.indexOf(w); if (i >= 0 && (at < 0 || i < at)) { at = i; length = w.length; } }
      if (at < 0) { small.append(rest); break; }
      const mark = document.createElement("mark");
      mark.textContent = rest.slice(at, at + length);
      small.append(rest.slice(0, at), mark);
      rest = rest.slice(at + length);
    }
    return small;
  };

  const show = (hits, words) => {
    found.replaceChildren(...hits.map((hit) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = top + hit.page + "#" + hit.id;
      link.append(hit.heading === hit.title ? hit.title : hit.title + " › " + hit.heading, excerpt(hit.text, words));
      item.append(link);
      return item;
    }));
    if (hits.length === 0) {
      const item = document.createElement("li");
      const none = document.createElement("span");
      none.textContent = "Nothing found.";
      item.append(none);
      found.append(item);
    }
    found.hidden = false;
  };

  const look = async () => {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) { found.hidden = true; return; }
    show(search(await pages(), words), words);
  };

  query.addEventListener("focus", () => { pages(); });
  query.addEventListener("input", look);
  form.addEventListener("submit", (event) => { event.preventDefault(); const link = found.querySelector("a"); if (link) link.click(); });
  form.addEventListener("keydown", (event) => {
    const links = [query, ...found.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    if (event.key === "ArrowDown" && at + 1 < links.length) { links[at + 1].focus(); event.preventDefault(); }
    if (event.key === "ArrowUp" && at > 0) { links[at - 1].focus(); event.preventDefault(); }
    if (event.key === "Escape") { found.hidden = true; query.focus(); }
  });
  document.addEventListener("click", (event) => { if (!form.contains(event.target) || event.target.closest("#found a")) found.hidden = true; });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) { query.focus(); event.preventDefault(); }
  });
})();
