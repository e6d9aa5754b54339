"use strict";
/* Helpers of the dashboard: requests, event streams, formatting, and elements whose content is never parsed as markup. */
const Api = {
  async get(path, format = "json") {
    const response = await fetch(path, { cache: "no-store" });
    if (!response.ok) throw new Error(await Api.errorMessage(response));
    return response[format]();
  },

  async post(path) {
    const response = await fetch(path, { method: "POST" });
    if (!response.ok) throw new Error(await Api.errorMessage(response));
    return response.json();
  },

  async errorMessage(response) {
    try {
      return (await response.json()).error;
    } catch {
      return "server error: HTTP status " + response.status;
    }
  },

  /**
   * Follows a stream and calls `onData` with the data of each event of this name. The browser reconnects when the stream ends, unless
   * `hasEnded` returns true: then no more events will arrive, and a stopped server is no error.
   */
  follow(path, name, onData, hasEnded = () => false) {
    const source = new EventSource(path);
    source.addEventListener(name, event => onData(JSON.parse(event.data)));
    source.addEventListener("open", () => Api.showConnection("live", "live"));
    source.addEventListener("error", () => {
      if (hasEnded()) {
        source.close();
        Api.showConnection("ended", "run ended");
      } else Api.showConnection("disconnected", "disconnected, reconnecting");
    });
    return source;
  },

  /** Shows the state of the connection to the server: live, ended or disconnected. */
  showConnection(state, text) {
    const connection = document.getElementById("connection");
    connection.className = "connection " + state;
    connection.textContent = text;
  }
};

/** A function that calls `action` soon, and at most once per interval in milliseconds. */
function throttled(action, millis) {
  let last = 0;
  let timer = null;
  const run = async () => {
    timer = null;
    try {
      await action();
    } catch (error) {
      // The page shows a lost connection, and the next event repeats the action.
      if (!(error instanceof TypeError && error.message.includes("fetch"))) console.error(error);
    }
    last = performance.now();
  };
  return () => {
    if (timer === null) timer = setTimeout(run, Math.max(0, last + millis - performance.now()));
  };
}

const element = id => document.getElementById(id);

/** A new element with attributes and content: texts and elements. It skips attributes without a value and content that is null. */
function make(tag, attributes = {}, ...content) {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) created.setAttribute(name, value);
  }
  created.append(...content.filter(each => each !== null));
  return created;
}

const count = number => number.toLocaleString("en");
const plural = (number, word) => count(number) + " " + word + (number === 1 ? "" : "s");
/** Node-hours as in reports: one decimal, or four for values below 0.1. */
const nodeHours = hours => hours.toFixed(hours >= 0.1 || hours === 0 ? 1 : 4);
const time = seconds => Clock.duration(Math.max(0, seconds));

/** Task states by letter: name, glyph, and whether the box is hollow. Glyphs and shapes distinguish the states without colours. */
const STATES = {
  d: { name: "done", glyph: "✓" }, r: { name: "running", glyph: "▶" }, y: { name: "ready", glyph: "", hollow: true },
  w: { name: "waiting", glyph: "", hollow: true }, f: { name: "failed", glyph: "✕" }, s: { name: "skipped", glyph: "–", hollow: true }
};
