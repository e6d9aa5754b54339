"use strict";
/*
 * Charts over time that show the same stretch of it: what they share.
 *
 * A TimeWindow is the stretch; charts draw it and move it as the user does. A Surface is a canvas that is redrawn at
 * most once a frame, sharp on any screen. Times are seconds on any clock; Clock turns them into words. Colours are the page's
 * custom properties, so that light and dark are the style sheet's matter.
 */
class TimeWindow {
  constructor(first, last, least = 10) {
    this.first = first;
    this.last = Math.max(last, first + least);
    this.least = least;
    this.from = this.first;
    this.to = this.last;
    this.cursor = null;
    this.listeners = [];
  }

  get span() { return this.to - this.from; }

  onChange(listener) { this.listeners.push(listener); }

  /** Shows from … to, moved into what there is. */
  set(from, to) {
    const span = Math.min(Math.max(to - from, this.least), this.last - this.first);
    this.from = Math.min(Math.max(from, this.first), this.last - span);
    this.to = this.from + span;
    this.changed();
  }

  pan(by) { this.set(this.from + by, this.to + by); }

  /** Multiplies the length of the stretch by a factor; the instant `at` stays where it is. */
  zoom(factor, at = (this.from + this.to) / 2) {
    const span = Math.min(Math.max(this.span * factor, this.least), this.last - this.first);
    const share = (at - this.from) / this.span;
    this.set(at - share * span, at + (1 - share) * span);
  }

  whole() { this.set(this.first, this.last); }

  /** Connects the buttons in `root` that zoom and show everything. */
  connect(root) {
    for (const button of root.querySelectorAll("[data-zoom]")) {
      button.addEventListener("click", () => this.zoom(Number(button.dataset.zoom)));
    }
    root.querySelector("[data-whole]").addEventListener("click", () => this.whole());
  }

  /** The instant that the user points at, in any of the charts. */
  point(at) {
    if (at !== this.cursor) {
      this.cursor = at;
      this.changed();
    }
  }

  changed() { for (const listener of this.listeners) listener(); }
}

/** Seconds of a log in words: as dates (UTC) if the log's zero is known, else as days and hours since it. */
class Clock {
  static MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  static STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200,
    86400, 172800, 345600, 604800, 1209600, 2592000, 5184000, 7776000, 15552000, 31536000, 63072000, 157680000];

  constructor(epoch) { this.epoch = epoch; }

  /** The title of an axis of such times. */
  get title() { return this.epoch > 0 ? "date and time (UTC)" : "time since the first job"; }

  /** Ticks for an axis, up to a maximum number, each with its label. */
  ticks(from, to, most) {
    const step = Clock.STEPS.find(s => (to - from) / s <= most) ?? (to - from) / most;
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

  /** An instant in full. */
  instant(at) {
    const zero = this.epoch % 86400;
    return this.day(at) + " " + Clock.time(at + zero - Math.floor((at + zero) / 86400) * 86400, true);
  }

  static time(rest, seconds) {
    const two = n => String(Math.floor(n)).padStart(2, "0");
    return two(rest / 3600) + ":" + two(rest % 3600 / 60) + (seconds ? ":" + two(rest % 60) : "");
  }

  /** A length of time in words: 12.3 d, 4.5 h, 10 min, 7 s. */
  static length(seconds) {
    const short = (n, unit) => n.toFixed(n < 10 && n % 1 >= 0.05 ? 1 : 0) + " " + unit;
    if (seconds >= 2 * 86400) return short(seconds / 86400, "d");
    if (seconds >= 3600) return short(seconds / 3600, "h");
    if (seconds >= 60) return short(seconds / 60, "min");
    return short(seconds, "s");
  }
}

/** Time since the beginning in words: 0:00, 1:30, 2 d 4:00. */
class Elapsed {
  epoch = 0;
  title = "time since the start (h:mm:ss)";

  ticks(from, to, most) {
    const step = Clock.STEPS.find(s => (to - from) / s <= most) ?? (to - from) / most;
    const ticks = [];
    for (let k = Math.ceil(from / step); k * step <= to; k++) {
      ticks.push({ at: k * step, label: step >= 86400 ? k * step / 86400 + " d" : Elapsed.words(k * step, step < 60) });
    }
    return ticks;
  }

  /** An instant in full. */
  instant(at) { return "after " + Elapsed.words(at, true); }

  static words(at, seconds) {
    const days = Math.floor(at / 86400);
    const time = Clock.time(at - 86400 * days, seconds).replace(/^0(?=\d)/, "");
    return days > 0 ? days + " d " + time : time;
  }
}

/** The colours of the page, looked up once for each theme. */
const Theme = {
  known: new Map(),
  listeners: [],
  version: 0,
  colour(name) {
    if (!Theme.known.has(name)) {
      Theme.known.set(name, getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim());
    }
    return Theme.known.get(name);
  },
  /** [r, g, b] of a colour given as #rrggbb. */
  rgb(name) {
    const hex = Theme.colour(name);
    return [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
  },
  /** A click on the button goes on to the next theme. */
  chosenWith(button) {
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
    Theme.known.clear();
    Theme.version++;
    for (const listener of Theme.listeners) listener();
  }
};
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", Theme.changed);

const thousands = number => number.toLocaleString("en");

/** Adds an entry to a legend; returns its text, which may change. */
function legendEntry(legend, swatch, text) {
  const span = legend.appendChild(document.createElement("span"));
  if (swatch) span.appendChild(document.createElement("i")).className = "swatch " + swatch;
  return span.appendChild(document.createTextNode(text));
}

/** A function that returns the next of the numbers in a script: seven bits a byte, lowest first. */
function numbersOf(script) {
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

/** Stripes of a colour, for what waits; upwards, or downwards to tell two kinds apart. */
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

/** A canvas that calls `draw(context, width, height)` when something changed, at most once a frame. */
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

/** A picture that is kept until what it shows changes, below what follows the pointer. */
class Base {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.shown = "";
  }

  /** Draws the kept picture; `render(context)` makes it anew if `state`, the size or the theme are others than before. */
  draw(context, width, height, state, render) {
    const scale = devicePixelRatio || 1;
    const wanted = [state, width, height, scale, Theme.version].join(" ");
    if (wanted !== this.shown) {
      this.shown = wanted;
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
      const base = this.canvas.getContext("2d");
      base.setTransform(scale, 0, 0, scale, 0, 0);
      base.font = context.font;
      render(base);
    }
    context.drawImage(this.canvas, 0, 0, width, height);
  }
}

/** The part of a surface where the data is drawn, right of the labels and above the times. */
const Plot = {
  LEFT: 58,
  RIGHT: 8,
  TOP: 8,
  BOTTOM: 36,

  times(context, width, height, view, clock) {
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

  /** Lines and labels for values from 0 to `most`. */
  values(context, width, height, most) {
    const step = Plot.step(most / 3);
    const room = height - Plot.BOTTOM - Plot.TOP;
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (let value = 0; value <= most + 1e-9; value += step) {
      const y = height - Plot.BOTTOM - value / most * room;
      context.fillStyle = Theme.colour("line");
      context.fillRect(Plot.LEFT, Math.round(y), width - Plot.LEFT - Plot.RIGHT, 1);
      context.fillStyle = Theme.colour("quiet");
      context.fillText(value.toLocaleString("en"), Plot.LEFT - 7, y);
    }
  },

  /** The titles of the axes: that of the times below, that of the values at the left edge. */
  titles(context, width, height, clock, values) {
    context.fillStyle = Theme.colour("quiet");
    context.textAlign = "center";
    context.textBaseline = "bottom";
    context.fillText(clock.title, (Plot.LEFT + width - Plot.RIGHT) / 2, height - 1);
    context.save();
    context.translate(11, (Plot.TOP + height - Plot.BOTTOM) / 2);
    context.rotate(-Math.PI / 2);
    context.textBaseline = "middle";
    context.fillText(values, 0, 0);
    context.restore();
  },

  /** A round number of at least this, and at least 1. */
  step(least) {
    const power = Math.pow(10, Math.floor(Math.log10(Math.max(1, least))));
    return [1, 2, 5, 10].map(n => n * power).find(n => n >= least) ?? 10 * power;
  },

  cursor(context, height, width, view) {
    if (view.cursor === null || view.cursor < view.from || view.cursor > view.to) return;
    const x = Plot.LEFT + (view.cursor - view.from) / view.span * (width - Plot.LEFT - Plot.RIGHT);
    context.fillStyle = Theme.colour("quiet");
    context.fillRect(Math.round(x), Plot.TOP, 1, height - Plot.BOTTOM - Plot.TOP);
  }
};

/** Lets mouse, touch and keys move a window over a surface; `more` handles what is the chart's own. */
function steer(surface, view, more = {}) {
  const canvas = surface.canvas;
  const room = () => surface.width - Plot.LEFT - Plot.RIGHT;
  const timeAt = x => view.from + (x - Plot.LEFT) / room() * view.span;
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
      view.pan((before - event.offsetX) / room() * view.span);
    }
    if (before !== undefined) pointers.set(event.pointerId, event.offsetX);
    view.point(event.offsetX >= Plot.LEFT ? timeAt(event.offsetX) : null);
    if (pointers.size === 0 && more.point) more.point(event.offsetX, event.offsetY);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, event => pointers.delete(event.pointerId));
  }
  canvas.addEventListener("pointerleave", () => view.point(null));
  canvas.addEventListener("wheel", event => {
    if (event.deltaX !== 0 && Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      view.pan(event.deltaX / room() * view.span);
    } else if (event.ctrlKey || event.metaKey || document.activeElement === canvas) {
      event.preventDefault();
      view.zoom(Math.exp(event.deltaY * 0.002), timeAt(event.offsetX));
    }
  }, { passive: false });
  canvas.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (moved(view, event) || (more.key && more.key(event))) event.preventDefault();
  });
  return timeAt;
}

/** Moves a window as a key says; whether the key meant something. */
function moved(view, event) {
  const far = event.shiftKey ? 0.75 : 0.15;
  switch (event.key) {
    case "ArrowLeft": view.pan(-far * view.span); return true;
    case "ArrowRight": view.pan(far * view.span); return true;
    case "PageUp": view.pan(-view.span); return true;
    case "PageDown": view.pan(view.span); return true;
    case "+": case "=": view.zoom(0.7); return true;
    case "-": case "_": view.zoom(1 / 0.7); return true;
    case "0": case "Home": view.whole(); return true;
    default: return false;
  }
}
