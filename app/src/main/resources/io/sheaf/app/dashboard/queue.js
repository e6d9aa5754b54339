"use strict";
/*
 * The queue from now on: nodes in use as stacked steps, and where a job of a shape that the user drags would fit.
 *
 * The layers are running and queued jobs, background and pilot jobs, each until the end of its walltime.
 */
class QueueChart {
  static LAYERS = [["busy", job => !job.job && job.state === "running"], ["ours", job => job.job && job.state === "running"],
    ["waiting", job => !job.job && job.state === "queued"], ["ours-waiting", job => job.job && job.state === "queued"]];

  static CLOCK = Object.assign(new Elapsed(), { title: "time from now (h:mm:ss)" });

  constructor(canvas, changed) {
    this.changed = changed;
    this.queue = null;
    this.expected = [];
    this.shape = { nodes: 1, seconds: 600 };
    this.surface = new Surface(canvas, (context, width, height) => this.draw(context, width, height));
    let from = null;
    canvas.addEventListener("pointerdown", event => {
      if (!this.queue) return;
      canvas.setPointerCapture(event.pointerId);
      from = { x: event.offsetX, y: event.offsetY, nodes: this.shape.nodes, seconds: this.shape.seconds, horizon: this.horizon() };
    });
    canvas.addEventListener("pointermove", event => {
      if (!from) return;
      const perSecond = this.plot().width / from.horizon;
      const perNode = this.plot().height / this.queue.nodes;
      const nodes = Math.round(from.nodes + (from.y - event.offsetY) / perNode);
      const seconds = Math.round(from.seconds + (event.offsetX - from.x) / perSecond);
      this.changed(Math.min(this.queue.nodes, Math.max(1, nodes)), Math.max(1, Math.min(from.horizon * 2, seconds)));
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { from = null; });
  }

  /** Shows a queue; `expected` are our waiting jobs with their starts from now, for queues that do not identify pilot jobs. */
  show(queue, shape, expected) {
    this.queue = queue;
    this.shape = shape;
    this.expected = queue.jobs.some(job => job.job) ? [] : expected;
    this.surface.refresh();
  }

  plot() {
    return { left: Plot.LEFT, top: Plot.TOP, width: this.surface.width - Plot.LEFT - Plot.RIGHT,
      height: this.surface.height - Plot.TOP - Plot.BOTTOM };
  }

  /** How far ahead is shown: our jobs and the shape, and those of others that end in that time or half as late again. */
  horizon() {
    const { jobs, estimate } = this.queue;
    const ours = Math.max(60, ...this.expected.map(each => each.startSeconds), ...jobs.filter(job => job.job).map(job => job.endSeconds), (estimate?.waitSeconds ?? 0) + this.shape.seconds);
    const all = Math.max(60, ...jobs.map(job => job.endSeconds));
    return Math.min(all, ours * 1.5) > ours ? Math.min(all, ours * 1.5) : ours * 1.1;
  }

  /** The instants at which something changes, and how high each layer is from each to the next. */
  steps(horizon) {
    const at = [0, horizon];
    for (const job of this.queue.jobs) at.push(Math.max(0, job.startSeconds), job.endSeconds);
    const instants = [...new Set(at.filter(t => t >= 0 && t <= horizon))].sort((a, b) => a - b);
    const place = new Map(instants.map((t, i) => [t, i]));
    const high = QueueChart.LAYERS.map(() => new Float64Array(instants.length));
    for (const job of this.queue.jobs) {
      const layer = QueueChart.LAYERS.findIndex(([, is]) => is(job));
      const first = place.get(Math.max(0, job.startSeconds));
      if (first === undefined) continue;
      const last = place.get(job.endSeconds) ?? instants.length;
      for (let i = first; i < last; i++) high[layer][i] += job.nodes;
    }
    return { instants, high };
  }

  draw(context, width, height) {
    if (!this.queue) return;
    const plot = this.plot();
    const horizon = this.horizon();
    const { nodes, estimate } = this.queue;
    context.fillStyle = Theme.colour("empty");
    context.fillRect(plot.left, plot.top, plot.width, plot.height);
    Plot.values(context, width, height, nodes);
    Plot.times(context, width, height, { from: 0, to: horizon, span: horizon }, QueueChart.CLOCK);
    Plot.titles(context, width, height, QueueChart.CLOCK, "nodes");
    const { instants, high } = this.steps(horizon);
    const x = t => plot.left + t / horizon * plot.width;
    const y = n => plot.top + plot.height - n / nodes * plot.height;
    const below = new Float64Array(instants.length);
    QueueChart.LAYERS.forEach(([name], layer) => {
      context.fillStyle = name === "waiting" ? hatching(context, "hatch") : name === "ours-waiting" ? hatching(context, "ours", true) : Theme.colour(name);
      for (let i = 0; i < instants.length - 1; i++) {
        const top = below[i] + high[layer][i];
        const x0 = Math.round(x(instants[i]));
        const x1 = Math.round(x(instants[i + 1]));
        if (high[layer][i] > 0) context.fillRect(x0, y(top), Math.max(1, x1 - x0), y(below[i]) - y(top));
        below[i] = top;
      }
    });
    this.drawNumbers(context, { x, y, instants, high, horizon });
    context.fillStyle = Theme.colour("ours");
    for (const { job, startSeconds } of this.expected.filter(each => each.startSeconds <= horizon)) {
      context.fillRect(x(startSeconds) - 1, plot.top, 2, plot.height);
      context.fillText("job " + job + " estimated start", x(startSeconds) + 4, plot.top + 9);
    }
    if (estimate?.state === "known") this.drawShape(context, plot, { x, y, instants, below, estimate });
  }

  /** The numbers of our jobs, where there is room: ours of one kind lie upon each other by their starts. */
  drawNumbers(context, { x, y, instants, high, horizon }) {
    const layerOf = job => QueueChart.LAYERS.findIndex(([, is]) => is(job));
    const taken = new Map();
    context.textAlign = "left";
    context.textBaseline = "middle";
    for (const job of this.queue.jobs.filter(each => each.job && each.startSeconds < horizon)) {
      const layer = layerOf(job);
      const step = Math.max(0, instants.indexOf(Math.max(0, job.startSeconds)));
      const under = high.slice(0, layer).reduce((sum, each) => sum + each[step], 0) + (taken.get(layer + " " + step) ?? 0);
      taken.set(layer + " " + step, (taken.get(layer + " " + step) ?? 0) + job.nodes);
      const left = x(Math.max(0, job.startSeconds));
      const text = "job " + job.job;
      if (x(Math.min(horizon, job.endSeconds)) - left < context.measureText(text).width + 8 || y(0) - y(job.nodes) < 12) continue;
      const middle = y(under + job.nodes / 2);
      if (job.state === "queued") {
        context.fillStyle = Theme.colour("empty");
        context.fillRect(left + 2, middle - 7, context.measureText(text).width + 4, 14);
      }
      context.fillStyle = job.state === "queued" ? Theme.colour("ink") : Gantt.inkOn(Theme.rgb("ours"));
      context.fillText(text, left + 4, middle);
    }
  }

  /** On top of what is in use while it would run: there it fits. */
  drawShape(context, plot, { x, y, instants, below, estimate }) {
    const from = estimate.waitSeconds;
    const to = from + estimate.seconds;
    let base = 0;
    instants.forEach((t, i) => {
      if (t < to && (instants[i + 1] ?? Infinity) > from) base = Math.max(base, below[i]);
    });
    base = Math.min(base, this.queue.nodes - estimate.nodes);
    const box = [x(from), y(base + estimate.nodes), Math.max(3, x(to) - x(from)), y(base) - y(base + estimate.nodes)];
    context.save();
    context.fillStyle = Theme.colour("shape");
    context.globalAlpha = 0.22;
    context.fillRect(...box);
    context.globalAlpha = 1;
    context.strokeStyle = Theme.colour("shape");
    context.lineWidth = 2;
    context.strokeRect(...box);
    context.fillStyle = Theme.colour("shape");
    context.fillRect(box[0] + box[2] - 5, box[1] - 4, 9, 9);
    context.restore();
  }
}
