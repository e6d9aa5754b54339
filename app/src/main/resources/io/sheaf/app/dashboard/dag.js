"use strict";
/*
 * A workflow on a canvas: levels from left to right, a box for each task. Shape and colour show its state: what waits is hollow, what
 * is ready is filled from below, what was skipped is a stripe, what failed has a frame; what runs is lighter than what is done in light, and in dark, too.
 *
 * Few tasks are boxes with names and all their edges. Many are cells: each level is a block of as many columns as it needs, the cells are as
 * large as fit, and edges are drawn for the chosen task only.
 */
class Dag {
  static GAP = 10;
  static MOST_EDGES = 1500;
  /** The height of a task with its name, and the maximum number of such tasks in a level. */
  static ROW = 17;
  static NAMED = 40;

  constructor(canvas, picked) {
    this.picked = picked;
    this.tasks = [];
    this.states = "";
    this.chosen = -1;
    this.surface = new Surface(canvas, (context, width, height) => this.draw(context, width, height));
    canvas.addEventListener("click", event => {
      const task = this.at(event.offsetX, event.offsetY);
      if (task >= 0) this.choose(task);
    });
    canvas.addEventListener("pointermove", event => {
      const task = this.at(event.offsetX, event.offsetY);
      canvas.style.cursor = task >= 0 ? "pointer" : "default";
      canvas.title = task >= 0 ? this.tasks[task].id + ": " + STATES[this.states[task] ?? "w"].name : "";
    });
    canvas.addEventListener("keydown", event => this.key(event));
  }

  /** Shows a workflow: tasks with id, level, parents. */
  load(tasks) {
    this.tasks = tasks;
    this.levels = [];
    this.children = tasks.map(() => []);
    this.edges = 0;
    tasks.forEach((task, number) => {
      (this.levels[task.level] ??= []).push(number);
      for (const parent of task.parents) this.children[parent].push(number);
      this.edges += task.parents.length;
    });
    this.chosen = -1;
    this.size = "";
    // Few tasks do not need all the room; some dozens get as much as their names need.
    const widest = Math.max(2, ...this.levels.map(level => level.length));
    const named = widest <= Dag.NAMED ? Math.max(300, Dag.ROW * widest + 8) : 300;
    this.surface.canvas.style.height = Math.min(named, 40 + 46 * widest) + "px";
    this.surface.refresh();
  }

  show(states) {
    this.states = states;
    this.surface.refresh();
  }

  choose(task) {
    this.chosen = task;
    this.picked(task);
    this.surface.refresh();
  }

  /** Where each task is: {x, y, w, h}. */
  layout(width, height) {
    const size = width + "x" + height;
    if (this.size === size) return;
    this.size = size;
    const widest = Math.max(1, ...this.levels.map(level => level.length));
    const step = (width - 2 * Dag.GAP) / this.levels.length;
    this.few = widest * 16 <= height && step >= 34;
    this.boxes = [];
    if (this.few) {
      const w = Math.min(170, step * 0.78);
      const h = Math.min(30, (height - 8) / widest * 0.72);
      this.levels.forEach((level, l) => level.forEach((task, i) => {
        const room = Math.min(46, (height - 8) / level.length);
        const y = height / 2 + (i - (level.length - 1) / 2) * room - h / 2;
        this.boxes[task] = { x: Dag.GAP + l * step + (step - w) / 2, y, w, h };
      }));
      return;
    }
    const gap = this.levels.length > width / 12 ? 0 : Math.min(Dag.GAP, width / this.levels.length / 4);
    let cell = 26;
    const columns = c => this.levels.reduce((sum, level) => sum + Math.ceil(level.length / Math.floor((height - 8) / c)), 0);
    while (cell > 1.5 && columns(cell) * cell + (this.levels.length + 1) * gap > width - 4) cell -= cell > 6 ? 1 : 0.25;
    const rows = Math.floor((height - 8) / cell);
    const rest = width - 4 - columns(cell) * cell - (this.levels.length + 1) * gap;
    const spread = gap + Math.max(0, Math.min(2 * cell, rest / (this.levels.length + 1)));
    let x = 2 + spread;
    const side = Math.max(1, cell - (cell > 4 ? 1.5 : 0.4));
    for (const level of this.levels) {
      const wide = Math.ceil(level.length / rows);
      const high = Math.ceil(level.length / wide);
      const top = (height - high * cell) / 2;
      level.forEach((task, i) => {
        this.boxes[task] = { x: x + Math.floor(i / high) * cell, y: top + i % high * cell, w: side, h: side };
      });
      x += wide * cell + spread;
    }
  }

  draw(context, width, height) {
    if (this.tasks.length === 0) return;
    this.layout(width, height);
    if (this.edges <= Dag.MOST_EDGES) {
      context.strokeStyle = Theme.colour("hatch");
      context.lineWidth = 1;
      context.globalAlpha = this.few ? 0.8 : 0.4;
      this.tasks.forEach((task, number) => task.parents.forEach(parent => this.edge(context, parent, number)));
      context.globalAlpha = 1;
    }
    context.lineWidth = 1;
    for (const [letter, { name }] of Object.entries(STATES)) {
      context.fillStyle = context.strokeStyle = Theme.colour("st-" + name);
      for (let task = 0; task < this.tasks.length; task++) {
        if ((this.states[task] ?? "w") === letter) this.box(context, task, letter);
      }
    }
    this.glyphs(context);
    this.mark(context);
  }

  box(context, task, state) {
    const { x, y, w, h } = this.boxes[task];
    const part = { w: [0, 0], y: this.few ? [0.8, 1] : [0.5, 1], s: this.few ? [0, 0] : [0.35, 0.65] }[state];
    // Too small for any shape.
    if (!part || h < 3) context.globalAlpha = !part ? 1 : 0.5;
    if (this.few) this.card(context, this.boxes[task], part, state === "s");
    else if (!part || h < 3) context.fillRect(x, y, w, h);
    else {
      if (state !== "s") context.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
      context.fillRect(x, y + h * part[0], w, h * (part[1] - part[0]));
    }
    context.globalAlpha = 1;
    if (state === "f") {
      context.strokeStyle = Theme.colour("mark");
      context.strokeRect(x - 0.5, y - 0.5, w + 1, h + 1);
    }
  }

  /** A box with room for a name; `part` of its height is filled, all of it if nothing is said. */
  card(context, { x, y, w, h }, part, dashed) {
    context.beginPath();
    context.roundRect(x + 0.5, y + 0.5, w - 1, h - 1, 5);
    if (!part) {
      context.fill();
      return;
    }
    context.save();
    const line = context.strokeStyle;
    const fill = context.fillStyle;
    context.fillStyle = Theme.colour("page");
    context.fill();
    context.clip();
    context.fillStyle = fill;
    context.fillRect(x, y + h * part[0], w, h * (part[1] - part[0]));
    context.restore();
    context.strokeStyle = line;
    if (dashed) context.setLineDash([4, 3]);
    context.stroke();
    context.setLineDash([]);
  }

  glyphs(context) {
    if (this.boxes[0].h < 9) return;
    context.textBaseline = "middle";
    context.font = (this.few ? Math.min(12, this.boxes[0].h - 1) : Math.min(13, this.boxes[0].h - 2)) + "px system-ui, sans-serif";
    for (let task = 0; task < this.tasks.length; task++) {
      const { x, y, w, h } = this.boxes[task];
      const state = STATES[this.states[task] ?? "w"];
      context.fillStyle = state.hollow ? Theme.colour("ink") : Gantt.inkOn(Theme.rgb("st-" + state.name));
      const name = this.few ? Dag.fitted(context, this.tasks[task].id, w - (state.glyph ? 24 : 10)) : "";
      if (name) {
        context.textAlign = "left";
        context.fillText((state.glyph ? state.glyph + " " : "") + name, x + 6, y + h / 2 + 0.5);
      } else if (state.glyph) {
        context.textAlign = "center";
        context.fillText(state.glyph, x + w / 2, y + h / 2 + 0.5);
      }
    }
  }

  /** A name, shortened in its middle if there is not enough room; empty if there is hardly any. */
  static fitted(context, name, room) {
    if (context.measureText(name).width <= room) return name;
    for (let kept = name.length - 1; kept >= 4; kept--) {
      const shorter = name.slice(0, Math.ceil(kept / 2)) + "…" + name.slice(name.length - Math.floor(kept / 2));
      if (context.measureText(shorter).width <= room) return shorter;
    }
    return "";
  }

  edge(context, from, to) {
    const a = this.boxes[from];
    const b = this.boxes[to];
    const x0 = a.x + a.w;
    const middle = (x0 + b.x) / 2;
    context.beginPath();
    context.moveTo(x0, a.y + a.h / 2);
    context.bezierCurveTo(middle, a.y + a.h / 2, middle, b.y + b.h / 2, b.x, b.y + b.h / 2);
    context.stroke();
  }

  /** The chosen task, with what it waits for and what waits for it. */
  mark(context) {
    if (this.chosen < 0) return;
    context.strokeStyle = Theme.colour("mark");
    context.lineWidth = 1.5;
    for (const parent of this.tasks[this.chosen].parents.slice(0, 400)) this.edge(context, parent, this.chosen);
    for (const child of this.children[this.chosen].slice(0, 400)) this.edge(context, this.chosen, child);
    const { x, y, w, h } = this.boxes[this.chosen];
    context.lineWidth = 2.5;
    context.strokeRect(x - 2, y - 2, w + 4, h + 4);
  }

  at(x, y) {
    const slack = this.few ? 0 : 1;
    return this.tasks.findIndex((_, task) => {
      const box = this.boxes?.[task];
      return box && x >= box.x - slack && x <= box.x + box.w + slack && y >= box.y - slack && y <= box.y + box.h + slack;
    });
  }

  key(event) {
    if (this.tasks.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const now = Math.max(0, this.chosen);
    const level = this.tasks[now].level;
    const place = this.levels[level].indexOf(now);
    const beside = other => this.levels[other]?.[Math.min(this.levels[other].length - 1,
      Math.round(place / this.levels[level].length * this.levels[other].length))];
    const next = { ArrowUp: this.levels[level][place - 1], ArrowDown: this.levels[level][place + 1],
      ArrowLeft: beside(level - 1), ArrowRight: beside(level + 1), Home: 0, End: this.tasks.length - 1 };
    if (event.key === "Enter" || event.key === " ") this.choose(now);
    else if (!(event.key in next)) return;
    else this.choose(this.chosen < 0 && event.key !== "End" ? 0 : next[event.key] ?? now);
    event.preventDefault();
  }
}
