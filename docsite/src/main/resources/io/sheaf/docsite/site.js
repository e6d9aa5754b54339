"use strict";
/* The theme button and the full-text search of the documentation site. */
(() => {
  const MAX_RESULTS = 25;
  const top = document.currentScript.dataset.top;
  const root = document.documentElement;

  // The theme is that of the system until the user selects one. The browser stores the selection, if it allows storage.
  const storedTheme = (value) => {
    try {
      if (value) localStorage.setItem("sheaf-theme", value);
      return localStorage.getItem("sheaf-theme");
    } catch {
      return null;
    }
  };
  const isDark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const theme = document.getElementById("theme");
  const updateLabel = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  const stored = storedTheme();
  if (stored === "dark" || stored === "light") root.dataset.theme = stored;
  theme.hidden = false;
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    storedTheme(root.dataset.theme);
    updateLabel();
  });
  updateLabel();

  const form = document.getElementById("search");
  const query = document.getElementById("query");
  const results = document.getElementById("found");
  form.hidden = false;

  // The text of all pages; the first focus of the search field loads it.
  let loading = null;
  const pages = () => loading ||= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = top + "site/pages.js";
    script.onload = () => done(window.sheafPages);
    script.onerror = failed;
    document.head.append(script);
  });

  // The sections that contain all words, best first. Words in headings and titles have a higher weight than words in the text.
  const search = (all, words) => {
    const hits = [];
    for (const [page, title, ...sections] of all) {
      for (const [id, heading, text] of sections) {
        const fields = [[title.toLowerCase(), 6], [heading.toLowerCase(), 9], [text.toLowerCase(), 1]];
        let score = 0;
        for (const word of words) {
          const weight = Math.max(...fields.map(([field, weight]) => field.includes(word) ? weight : 0));
          if (weight === 0) { score = 0; break; }
          score += weight;
        }
        if (score > 0) hits.push({ score, page, title, id, heading, text });
      }
    }
    return hits.sort((a, b) => b.score - a.score).slice(0, MAX_RESULTS);
  };

  // The text around the first match, with all matches marked. It consists of text nodes, so no part of it is parsed as markup.
  const excerpt = (text, words) => {
    const small = document.createElement("small");
    const lowerCase = text.toLowerCase();
    const first = Math.max(0, Math.min(...words.map((word) => lowerCase.includes(word) ? lowerCase.indexOf(word) : text.length)) - 40);
    let rest = text.slice(first, first + 160);
    if (first > 0) small.append("…");
    while (rest) {
      const low = rest.toLowerCase();
      let at = -1, length = 0;
      for (const word of words) {
        const i = low.indexOf(word);
        if (i >= 0 && (at < 0 || i < at)) { at = i; length = word.length; }
      }
      if (at < 0) { small.append(rest); break; }
      const mark = document.createElement("mark");
      mark.textContent = rest.slice(at, at + length);
      small.append(rest.slice(0, at), mark);
      rest = rest.slice(at + length);
    }
    return small;
  };

  const show = (hits, words) => {
    results.replaceChildren(...hits.map((hit) => {
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
      none.textContent = "No results.";
      item.append(none);
      results.append(item);
    }
    results.hidden = false;
  };

  const update = async () => {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) { results.hidden = true; return; }
    show(search(await pages(), words), words);
  };

  query.addEventListener("focus", () => { pages(); });
  query.addEventListener("input", update);
  form.addEventListener("submit", (event) => { event.preventDefault(); results.querySelector("a")?.click(); });
  form.addEventListener("keydown", (event) => {
    const links = [query, ...results.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    if (event.key === "ArrowDown" && at + 1 < links.length) { links[at + 1].focus(); event.preventDefault(); }
    if (event.key === "ArrowUp" && at > 0) { links[at - 1].focus(); event.preventDefault(); }
    if (event.key === "Escape") { results.hidden = true; query.focus(); }
  });
  document.addEventListener("click", (event) => {
    if (!form.contains(event.target) || event.target.closest("#found a")) results.hidden = true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) { query.focus(); event.preventDefault(); }
  });
})();
