"use strict";
/* What the pages share: asking the server, following it, words, and making elements from text that is never read as markup. */
const Api = {
  async get(path, kind = "json") {
    const reply = await fetch(path, { cache: "no-store" });
    if (!reply.ok) throw new Error(await Api.problem(reply));
    return reply[kind]();
  },

  async post(path) {
    const reply = await fetch(path, { method: "POST" });
    if (!reply.ok) throw new Error(await Api.problem(reply));
    return reply.json();
  },

  async problem(reply) {
    try {
      return (await reply.json()).error;
    } catch {
      return "server error: HTTP status " + reply.status;
    }
  },

  /**
   * Follows a stream; `received` gets the data of each event of this name. Browsers reconnect when it ends, unless `ended` returns
   * true: then nothing more will come, and the end of the server is no fault.
   */
  follow(path, name, received, ended = () => false) {
    const source = new EventSource(path);
    source.addEventListener(name, event => received(JSON.parse(event.data)));
    source.addEventListener("open", () => Api.link("live", "live"));
    source.addEventListener("error", () => {
      if (ended()) {
        source.close();
        Api.link("ended", "run ended");
      } else Api.link("gone", "disconnected, reconnecting");
    });
    return source;
  },

  link(kind, words) {
    const link = document.getElementById("link");
    link.className = "link " + kind;
    link.textContent = words;
  }
};

/** Calls `work` soon after the first request, and at most once per interval in milliseconds. */
function throttled(work, millis) {
  let last = 0;
  let timer = null;
  const go = async () => {
    timer = null;
    try {
      await work();
    } catch (error) {
      // Where the server is gone the link says so, and the next event tries again.
      if (!(error instanceof TypeError && error.message.includes("fetch"))) console.error(error);
    }
    last = performance.now();
  };
  return () => {
    if (timer === null) timer = setTimeout(go, Math.max(0, last + millis - performance.now()));
  };
}

const element = id => document.getElementById(id);

/** An element with text or other elements in it. */
function make(tag, attributes = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...content.filter(each => each !== null));
  return made;
}

const count = number => number.toLocaleString("en");
const plural = (number, word) => count(number) + " " + word + (number === 1 ? "" : "s");
/** Node-hours as in the report: four decimals where one is too coarse. */
const nodeHours = hours => hours.toFixed(hours >= 0.1 || hours === 0 ? 1 : 4);
const time = seconds => Clock.length(Math.max(0, seconds));

/** The states of tasks: letter, name, glyph where there is room, and whether their boxes are hollow. Glyphs and shapes tell them apart where colours do not. */
const STATES = {
  d: { name: "done", glyph: "✓" }, r: { name: "running", glyph: "▶" }, y: { name: "ready", glyph: "", hollow: true },
  w: { name: "waiting", glyph: "", hollow: true }, f: { name: "failed", glyph: "✕" }, s: { name: "skipped", glyph: "–", hollow: true }
};
