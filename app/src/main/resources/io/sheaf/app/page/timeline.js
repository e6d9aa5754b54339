"use strict";
/*
 * Shared parts of charts over time: visible period, clocks, colours, canvases and axes.
 *
 * Charts of a page share one TimeWindow, which the user pans and zooms in any of them. Times are seconds; a clock formats them.
 * Colours are custom properties of the page's style sheet, which defines the light and the dark theme.
 */

/** The visible period of all charts of a page, with the instant at which the user points. Lengths are at least `minSpan` seconds. */
class TimeWindow {
  constructor(first, last, minSpan = 10) {
    this.first = first;
    this.last = Math.max(last, first + minSpan);
    this.minSpan = minSpan;
    this.from = this.first;
    this.to = this.last;
    this.cursor = null;
    this.listeners = [];
  }

  get span() { return this.to - this.from; }

  onChange(listener) { this.listeners.push(listener); }

  /** Shows a period, shifted and shortened to fit between the first and the last instant. */
  set(from, to) {
    const span = Math.min(Math.max(to - from, this.minSpan), this.last - this.first);
    this.from = Math.min(Math.max(from, this.first), this.last - span);
    this.to = this.from + span;
    this.changed();
  }

  pan(by) { this.set(this.from + by, this.to + by); }

  /** Multiplies the length of the period by a factor. The instant `at` keeps its place on the screen. */
  zoom(factor, at = (this.from + this.to) / 2) {
    const span = Math.min(Math.max(this.span * factor, this.minSpan), this.last - this.first);
    const share = (at - this.from) / this.span;
    this.set(at - share * span, at + (1 - share) * span);
  }

  showAll() { this.set(this.first, this.last); }

  /** Connects the buttons of `root` that zoom and that show the whole period. */
  connect(root) {
    for (const button of root.querySelectorAll("[data-zoom]")) {
      button.addEventListener("click", () => this.zoom(Number(button.dataset.zoom)));
    }
    root.querySelector("[data-show-all]").addEventListener("click", () => this.showAll());
  }

  /** Sets the instant at which the user points in any of the charts; null for none. */
  setCursor(at) {
    if (at !== this.cursor) {
      this.cursor = at;
      this.changed();
    }
  }

  changed() { for (const listener of this.listeners) listener(); }
}

/** Formats times of a log: as dates (UTC) if the Unix time of its start is known, else as days and hours since its start. */
class Clock {
  static MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  static STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200,
    86400, 172800, 345600, 604800, 1209600, 2592000, 5184000, 7776000, 15552000, 31536000, 63072000, 157680000];

  constructor(epoch) { this.epoch = epoch; }

  /** The title of a time axis. */
  get title() { return this.epoch > 0 ? "date and time (UTC)" : "time since the first job"; }

  /** The length of time between two ticks of an axis with up to `max` ticks. */
  static tickStep(from, to, max) { return Clock.STEPS.find(s => (to - from) / s <= max) ?? (to - from) / max; }

  /** Up to `max` ticks of an axis: {at, label}. */
  ticks(from, to, max) {
    const step = Clock.tickStep(from, to, max);
    const zero = this.epoch % 86400;
    const ticks = [];
    for (let k = Math.ceil((from + zero) / step); k * step - zero <= to; k++) {
      ticks.push({ at: k * step - zero, label: this.label(k * step - zero, step) });
    }
    return ticks;
  }

  label(at, step) {
    const day = Math.floor((at + this.epoch % 86400) / 86400);
    const rest = at + this.epoch % 86400 - day * 86400;
    if (step >= 86400 || rest === 0) return this.day(at);
    return Clock.time(rest, step < 60);
  }

  day(at) {
    if (this.epoch <= 0) return "day " + Math.floor(at / 86400);
    const date = new Date((this.epoch + at) * 1000);
    return date.getUTCDate() + " " + Clock.MONTHS[date.getUTCMonth()] + " " + date.getUTCFullYear();
  }

  /** An instant with date and seconds. */
  instant(at) {
    const zero = this.epoch % 86400;
    return this.day(at) + " " + Clock.time(at + zero - Math.floor((at + zero) / 86400) * 86400, true);
  }

  /** A time of day: hh:mm, or hh:mm:ss. */
  static time(secondOfDay, withSeconds) {
    const two = n => String(Math.floor(n)).padStart(2, "0");
    return two(secondOfDay / 3600) + ":" + two(secondOfDay % 3600 / 60) + (withSeconds ? ":" + two(secondOfDay % 60) : "");
  }

  /** A length of time as text: 12.3 d, 4.5 h, 10 min, 7 s. */
  static duration(seconds) {
    const short = (n, unit) => n.toFixed(n < 10 && n % 1 >= 0.05 ? 1 : 0) + " " + unit;
    if (seconds >= 2 * 86400) return short(seconds / 86400, "d");
    if (seconds >= 3600) return short(seconds / 3600, "h");
    if (seconds >= 60) return short(seconds / 60, "min");
    return short(seconds, "s");
  }
}

/** Formats times since the start of a run: 0:00, 1:30, 2 d 4:00. */
class Elapsed {
  epoch = 0;
  title = "time since the start (h:mm:ss)";

  ticks(from, to, max) {
    const step = Clock.tickStep(from, to, max);
    const ticks = [];
    for (let k = Math.ceil(from / step); k * step <= to; k++) {
      ticks.push({ at: k * step, label: step >= 86400 ? k * step / 86400 + " d" : Elapsed.text(k * step, step < 60) });
    }
    return ticks;
  }

  /** An instant with seconds. */
  instant(at) { return "after " + Elapsed.text(at, true); }

  static text(at, withSeconds) {
    const days = Math.floor(at / 86400);
    const time = Clock.time(at - 86400 * days, withSeconds).replace(/^0(?=\d)/, "");
    return days > 0 ? days + " d " + time : time;
  }
}

/** The colours of the page, read from the style sheet once per theme. */
const Theme = {
  cache: new Map(),
  listeners: [],
  version: 0,
  colour(name) {
    if (!Theme.cache.has(name)) {
      Theme.cache.set(name, getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim());
    }
    return Theme.cache.get(name);
  },
  /** [r, g, b] of a colour given as #rrggbb. */
  rgb(name) {
    const hex = Theme.colour(name);
    return [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
  },
  /** Makes a button select the next theme: system, light, dark. */
  connect(button) {
    const themes = ["system", "light", "dark"];
    const root = document.documentElement.dataset;
    button.addEventListener("click", () => {
      const next = themes[(themes.indexOf(root.theme ?? "system") + 1) % themes.length];
      if (next === "system") delete root.theme;
      else root.theme = next;
      button.textContent = "Theme: " + next;
      Theme.changed();
    });
  },
  changed() {
    Theme.cache.clear();
    Theme.version++;
    for (const listener of Theme.listeners) listener();
  }
};
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", Theme.changed);

const thousands = number => number.toLocaleString("en");

/** Adds an entry to a legend and returns its text node, which the caller may change. `swatch` is a CSS class, or empty. */
function addLegendEntry(legend, swatch, text) {
  const span = legend.appendChild(document.createElement("span"));
  if (swatch) span.appendChild(document.createElement("i")).className = "swatch " + swatch;
  return span.appendChild(document.createTextNode(text));
}

/** A function that returns the next number of a data element: seven bits per byte, lowest bits first. */
function numberReader(script) {
  const text = atob(script.textContent.trim());
  let at = 0;
  return () => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = text.charCodeAt(at++);
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  };
}

/** A pattern of stripes for queued jobs; `down` reverses the direction to distinguish two kinds. */
function hatching(context, colour, down = false) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const pen = tile.getContext("2d");
  pen.strokeStyle = Theme.colour(colour);
  pen.lineWidth = 1.2;
  for (const x of [-6, 0, 6]) {
    pen.moveTo(x, down ? 0 : 6);
    pen.lineTo(x + 6, down ? 6 : 0);
  }
  pen.stroke();
  return context.createPattern(tile, "repeat");
}

/** A canvas that calls `draw(context, width, height)` after changes of size or theme and after `refresh()`, at most once per frame. */
class Surface {
  constructor(canvas, draw) {
    this.canvas = canvas;
    this.draw = draw;
    this.pending = false;
    new ResizeObserver(() => this.refresh()).observe(canvas);
    Theme.listeners.push(() => this.refresh());
    this.refresh();
  }

  get width() { return this.canvas.clientWidth; }
  get height() { return this.canvas.clientHeight; }

  refresh() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      const scale = devicePixelRatio || 1;
      const width = Math.round(this.width * scale);
      const height = Math.round(this.height * scale);
      if (width === 0 || height === 0) return;
      if (this.canvas.width !== width || this.canvas.height !== height) {
        this.canvas.width = width;
        this.canvas.height = height;
      }
      const context = this.canvas.getContext("2d");
      context.setTransform(scale, 0, 0, scale, 0, 0);
      context.clearRect(0, 0, this.width, this.height);
      context.font = "12px system-ui, sans-serif";
      this.draw(context, this.width, this.height);
    });
  }
}

/** A cached layer of a chart: all content that does not follow the pointer. */
class CachedLayer {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.key = "";
  }

  /** Draws the layer. It calls `render(context)` first if `state`, the size or the theme has changed. */
  draw(context, width, height, state, render) {
    const scale = devicePixelRatio || 1;
    const key = [state, width, height, scale, Theme.version].join(" ");
    if (key !== this.key) {
      this.key = key;
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
      const layer = this.canvas.getContext("2d");
      layer.setTransform(scale, 0, 0, scale, 0, 0);
      layer.font = context.font;
      render(layer);
    }
    context.drawImage(this.canvas, 0, 0, width, height);
  }
}

/** The plot area of a surface, right of the row labels and above the time axis, and the drawing of its axes. */
const Plot = {
  LEFT: 58,
  RIGHT: 8,
  TOP: 8,
  BOTTOM: 36,

  drawTimes(context, width, height, view, clock) {
    const right = width - Plot.RIGHT;
    const scale = (right - Plot.LEFT) / view.span;
    context.textAlign = "center";
    context.textBaseline = "top";
    for (const tick of clock.ticks(view.from, view.to, Math.max(2, Math.floor((right - Plot.LEFT) / 95)))) {
      const x = Plot.LEFT + (tick.at - view.from) * scale;
      context.fillStyle = Theme.colour("line");
      context.fillRect(Math.round(x), Plot.TOP, 1, height - Plot.BOTTOM - Plot.TOP + 4);
      context.fillStyle = Theme.colour("quiet");
      if (x > Plot.LEFT + 18 && x < right - 28) context.fillText(tick.label, x, height - Plot.BOTTOM + 7);
    }
  },

  /** Draws lines and labels for values from 0 to `max`. */
  drawValues(context, width, height, max) {
    const step = Plot.roundStep(max / 3);
    const plotHeight = height - Plot.BOTTOM - Plot.TOP;
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (let value = 0; value <= max + 1e-9; value += step) {
      const y = height - Plot.BOTTOM - value / max * plotHeight;
      context.fillStyle = Theme.colour("line");
      context.fillRect(Plot.LEFT, Math.round(y), width - Plot.LEFT - Plot.RIGHT, 1);
      context.fillStyle = Theme.colour("quiet");
      context.fillText(value.toLocaleString("en"), Plot.LEFT - 7, y);
    }
  },

  /** Draws the titles of the axes: time below, values at the left edge. */
  drawTitles(context, width, height, clock, valueTitle) {
    context.fillStyle = Theme.colour("quiet");
    context.textAlign = "center";
    context.textBaseline = "bottom";
    context.fillText(clock.title, (Plot.LEFT + width - Plot.RIGHT) / 2, height - 1);
    context.save();
    context.translate(11, (Plot.TOP + height - Plot.BOTTOM) / 2);
    context.rotate(-Math.PI / 2);
    context.textBaseline = "middle";
    context.fillText(valueTitle, 0, 0);
    context.restore();
  },

  /** The smallest round number that is at least `min` and at least 1. */
  roundStep(min) {
    const power = Math.pow(10, Math.floor(Math.log10(Math.max(1, min))));
    return [1, 2, 5, 10].map(n => n * power).find(n => n >= min) ?? 10 * power;
  },

  /** Draws a line at the instant of the pointer. */
  drawCursor(context, height, width, view) {
    if (view.cursor === null || view.cursor < view.from || view.cursor > view.to) return;
    const x = Plot.LEFT + (view.cursor - view.from) / view.span * (width - Plot.LEFT - Plot.RIGHT);
    context.fillStyle = Theme.colour("quiet");
    context.fillRect(Math.round(x), Plot.TOP, 1, height - Plot.BOTTOM - Plot.TOP);
  }
};

/**
 * Pans and zooms a time window by mouse, touch and keys on a surface; returns a function from x to time. A chart may handle pointer moves
 * (`onPoint`: x, y) and further keys (`onKey`: event; returns true if it handled the key).
 */
function connectPanAndZoom(surface, view, { onPoint = () => {}, onKey = () => false } = {}) {
  const canvas = surface.canvas;
  const plotWidth = () => surface.width - Plot.LEFT - Plot.RIGHT;
  const timeAt = x => view.from + (x - Plot.LEFT) / plotWidth() * view.span;
  const pointers = new Map();

  canvas.addEventListener("pointerdown", event => {
    pointers.set(event.pointerId, event.offsetX);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", event => {
    const before = pointers.get(event.pointerId);
    if (before !== undefined && pointers.size === 2) {
      const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
      const apart = Math.abs(event.offsetX - other);
      if (apart > 8) view.zoom(Math.abs(before - other) / apart, timeAt((other + event.offsetX) / 2));
    } else if (before !== undefined) {
      view.pan((before - event.offsetX) / plotWidth() * view.span);
    }
    if (before !== undefined) pointers.set(event.pointerId, event.offsetX);
    view.setCursor(event.offsetX >= Plot.LEFT ? timeAt(event.offsetX) : null);
    if (pointers.size === 0) onPoint(event.offsetX, event.offsetY);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, event => pointers.delete(event.pointerId));
  }
  canvas.addEventListener("pointerleave", () => view.setCursor(null));
  canvas.addEventListener("wheel", event => {
    if (event.deltaX !== 0 && Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      view.pan(event.deltaX / plotWidth() * view.span);
    } else if (event.ctrlKey || event.metaKey || document.activeElement === canvas) {
      event.preventDefault();
      view.zoom(Math.exp(event.deltaY * 0.002), timeAt(event.offsetX));
    }
  }, { passive: false });
  canvas.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (moveByKey(view, event) || onKey(event)) event.preventDefault();
  });
  return timeAt;
}

/** Pans or zooms a time window by a key; returns true if it handled the key. */
function moveByKey(view, event) {
  const step = event.shiftKey ? 0.75 : 0.15;
  switch (event.key) {
    case "ArrowLeft": view.pan(-step * view.span); return true;
    case "ArrowRight": view.pan(step * view.span); return true;
    case "PageUp": view.pan(-view.span); return true;
    case "PageDown": view.pan(view.span); return true;
    case "+": case "=": view.zoom(0.7); return true;
    case "-": case "_": view.zoom(1 / 0.7); return true;
    case "0": case "Home": view.showAll(); return true;
    default: return false;
  }
}
