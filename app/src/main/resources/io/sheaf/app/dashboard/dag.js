"use strict";
/**
 * A workflow as a graph on a canvas: levels from left to right, a box per task. Shape and colour show the state. Waiting tasks are hollow,
 * ready ones are filled from below, skipped ones are a stripe, and failed ones have a frame. In both themes, running tasks are lighter than
 * completed ones.
 *
 * If each level has few tasks, they are cards with names. Otherwise they are cells: each level is a block with as many columns as
 * necessary, and the cells are as large as possible. With more than MAX_EDGES edges, the chart shows only those of the selected task.
 */
class Dag {
  static GAP = 10;
  static MAX_EDGES = 1500;
  /** The height of a task with its name, and the maximum number of such tasks in a level. */
  static ROW_HEIGHT = 17;
  static MAX_NAMED = 40;

  constructor(canvas, onSelect) {
    this.onSelect = onSelect;
    this.tasks = [];
    this.states = "";
    this.selected = -1;
    this.surface = new Surface(canvas, (context, width, height) => this.draw(context, width, height));
    canvas.addEventListener("click", event => {
      const task = this.taskAt(event.offsetX, event.offsetY);
      if (task >= 0) this.select(task);
    });
    canvas.addEventListener("pointermove", event => {
      const task = this.taskAt(event.offsetX, event.offsetY);
      canvas.style.cursor = task >= 0 ? "pointer" : "default";
      canvas.title = task >= 0 ? this.tasks[task].id + ": " + STATES[this.states[task] ?? "w"].name : "";
    });
    canvas.addEventListener("keydown", event => this.onKey(event));
  }

  /** Shows a workflow: an array of tasks with id, level and parents. */
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
    this.selected = -1;
    this.size = "";
    // The height fits the widest level: a small graph is lower, and one with up to MAX_NAMED tasks per level has space for names.
    const widest = Math.max(2, ...this.levels.map(level => level.length));
    const maxHeight = widest <= Dag.MAX_NAMED ? Math.max(300, Dag.ROW_HEIGHT * widest + 8) : 300;
    this.surface.canvas.style.height = Math.min(maxHeight, 40 + 46 * widest) + "px";
    this.surface.refresh();
  }

  /** Shows task states: a string with one letter per task. */
  show(states) {
    this.states = states;
    this.surface.refresh();
  }

  /** Selects a task by its index. */
  select(task) {
    this.selected = task;
    this.onSelect(task);
    this.surface.refresh();
  }

  /** Computes the box of each task, {x, y, w, h}, if the size has changed. */
  layout(width, height) {
    const size = width + "x" + height;
    if (this.size === size) return;
    this.size = size;
    const widest = Math.max(1, ...this.levels.map(level => level.length));
    const levelWidth = (width - 2 * Dag.GAP) / this.levels.length;
    this.useCards = widest * 16 <= height && levelWidth >= 34;
    this.boxes = [];
    if (this.useCards) {
      const w = Math.min(170, levelWidth * 0.78);
      const h = Math.min(30, (height - 8) / widest * 0.72);
      this.levels.forEach((level, l) => level.forEach((task, i) => {
        const rowHeight = Math.min(46, (height - 8) / level.length);
        const y = height / 2 + (i - (level.length - 1) / 2) * rowHeight - h / 2;
        this.boxes[task] = { x: Dag.GAP + l * levelWidth + (levelWidth - w) / 2, y, w, h };
      }));
      return;
    }
    const gap = this.levels.length > width / 12 ? 0 : Math.min(Dag.GAP, width / this.levels.length / 4);
    let cell = 26;
    const columns = c => this.levels.reduce((sum, level) => sum + Math.ceil(level.length / Math.floor((height - 8) / c)), 0);
    while (cell > 1.5 && columns(cell) * cell + (this.levels.length + 1) * gap > width - 4) cell -= cell > 6 ? 1 : 0.25;
    const rows = Math.floor((height - 8) / cell);
    const freeWidth = width - 4 - columns(cell) * cell - (this.levels.length + 1) * gap;
    const levelGap = gap + Math.max(0, Math.min(2 * cell, freeWidth / (this.levels.length + 1)));
    let x = 2 + levelGap;
    const side = Math.max(1, cell - (cell > 4 ? 1.5 : 0.4));
    for (const level of this.levels) {
      const columnCount = Math.ceil(level.length / rows);
      const rowCount = Math.ceil(level.length / columnCount);
      const top = (height - rowCount * cell) / 2;
      level.forEach((task, i) => {
        this.boxes[task] = { x: x + Math.floor(i / rowCount) * cell, y: top + i % rowCount * cell, w: side, h: side };
      });
      x += columnCount * cell + levelGap;
    }
  }

  draw(context, width, height) {
    if (this.tasks.length === 0) return;
    this.layout(width, height);
    if (this.edges <= Dag.MAX_EDGES) {
      context.strokeStyle = Theme.colour("hatch");
      context.lineWidth = 1;
      context.globalAlpha = this.useCards ? 0.8 : 0.4;
      this.tasks.forEach((task, number) => task.parents.forEach(parent => this.drawEdge(context, parent, number)));
      context.globalAlpha = 1;
    }
    context.lineWidth = 1;
    for (const [letter, { name }] of Object.entries(STATES)) {
      context.fillStyle = context.strokeStyle = Theme.colour("st-" + name);
      for (let task = 0; task < this.tasks.length; task++) {
        if ((this.states[task] ?? "w") === letter) this.drawBox(context, task, letter);
      }
    }
    this.drawTexts(context);
    this.drawSelection(context);
  }

  drawBox(context, task, state) {
    const { x, y, w, h } = this.boxes[task];
    const part = { w: [0, 0], y: this.useCards ? [0.8, 1] : [0.5, 1], s: this.useCards ? [0, 0] : [0.35, 0.65] }[state];
    // Below 3 pixels a box has no shape, so hollow ones are half transparent.
    if (!part || h < 3) context.globalAlpha = !part ? 1 : 0.5;
    if (this.useCards) this.drawCard(context, this.boxes[task], part, state === "s");
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

  /** Draws a card. `part` is the filled part of its height, [from, to]; without it the card is filled. */
  drawCard(context, { x, y, w, h }, part, dashed) {
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

  /** Draws glyphs of states and, on cards, names of tasks. */
  drawTexts(context) {
    if (this.boxes[0].h < 9) return;
    context.textBaseline = "middle";
    context.font = (this.useCards ? Math.min(12, this.boxes[0].h - 1) : Math.min(13, this.boxes[0].h - 2)) + "px system-ui, sans-serif";
    for (let task = 0; task < this.tasks.length; task++) {
      const { x, y, w, h } = this.boxes[task];
      const state = STATES[this.states[task] ?? "w"];
      context.fillStyle = state.hollow ? Theme.colour("ink") : Gantt.textColourOn(Theme.rgb("st-" + state.name));
      const name = this.useCards ? Dag.shortened(context, this.tasks[task].id, w - (state.glyph ? 24 : 10)) : "";
      if (name) {
        context.textAlign = "left";
        context.fillText((state.glyph ? state.glyph + " " : "") + name, x + 6, y + h / 2 + 0.5);
      } else if (state.glyph) {
        context.textAlign = "center";
        context.fillText(state.glyph, x + w / 2, y + h / 2 + 0.5);
      }
    }
  }

  /** A name that fits into a width: if necessary it loses its middle, and it is empty if fewer than four characters fit. */
  static shortened(context, name, width) {
    if (context.measureText(name).width <= width) return name;
    for (let length = name.length - 1; length >= 4; length--) {
      const text = name.slice(0, Math.ceil(length / 2)) + "…" + name.slice(name.length - Math.floor(length / 2));
      if (context.measureText(text).width <= width) return text;
    }
    return "";
  }

  drawEdge(context, from, to) {
    const a = this.boxes[from];
    const b = this.boxes[to];
    const x0 = a.x + a.w;
    const middle = (x0 + b.x) / 2;
    context.beginPath();
    context.moveTo(x0, a.y + a.h / 2);
    context.bezierCurveTo(middle, a.y + a.h / 2, middle, b.y + b.h / 2, b.x, b.y + b.h / 2);
    context.stroke();
  }

  /** Draws the selection: the frame of the task, and the edges to its parents and children. */
  drawSelection(context) {
    if (this.selected < 0) return;
    context.strokeStyle = Theme.colour("mark");
    context.lineWidth = 1.5;
    for (const parent of this.tasks[this.selected].parents.slice(0, 400)) this.drawEdge(context, parent, this.selected);
    for (const child of this.children[this.selected].slice(0, 400)) this.drawEdge(context, this.selected, child);
    const { x, y, w, h } = this.boxes[this.selected];
    context.lineWidth = 2.5;
    context.strokeRect(x - 2, y - 2, w + 4, h + 4);
  }

  /** The index of the task at a place on the canvas; -1 if there is none. */
  taskAt(x, y) {
    const slack = this.useCards ? 0 : 1;
    return this.tasks.findIndex((_, task) => {
      const box = this.boxes?.[task];
      return box && x >= box.x - slack && x <= box.x + box.w + slack && y >= box.y - slack && y <= box.y + box.h + slack;
    });
  }

  /** Selects a task by keys: arrows, Home and End; Enter selects the current one again. */
  onKey(event) {
    if (this.tasks.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const current = Math.max(0, this.selected);
    const level = this.tasks[current].level;
    const index = this.levels[level].indexOf(current);
    const neighbour = other => this.levels[other]?.[Math.min(this.levels[other].length - 1,
      Math.round(index / this.levels[level].length * this.levels[other].length))];
    const next = { ArrowUp: this.levels[level][index - 1], ArrowDown: this.levels[level][index + 1],
      ArrowLeft: neighbour(level - 1), ArrowRight: neighbour(level + 1), Home: 0, End: this.tasks.length - 1 };
    if (event.key === "Enter" || event.key === " ") this.select(current);
    else if (!(event.key in next)) return;
    else this.select(this.selected < 0 && event.key !== "End" ? 0 : next[event.key] ?? current);
    event.preventDefault();
  }
}
