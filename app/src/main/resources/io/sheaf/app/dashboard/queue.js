"use strict";
/**
 * A forecast of the queue: nodes in use from now on as stacked steps, and the estimated place of a what-if job. The user drags in the chart
 * to change the shape of that job, {nodes, seconds}.
 *
 * The layers are running and queued background jobs and pilot jobs, each until the end of its walltime.
 */
class QueueChart {
  static LAYERS = [["background", job => !job.job && job.state === "running"], ["pilot", job => job.job && job.state === "running"],
    ["queued", job => !job.job && job.state === "queued"], ["pilot-queued", job => job.job && job.state === "queued"]];

  static CLOCK = Object.assign(new Elapsed(), { title: "time from now (h:mm:ss)" });

  /** `onChange(nodes, seconds)` receives a shape that the user has dragged. */
  constructor(canvas, onChange) {
    this.onChange = onChange;
    this.queue = null;
    this.expected = [];
    this.shape = { nodes: 1, seconds: 600 };
    this.surface = new Surface(canvas, (context, width, height) => this.draw(context, width, height));
    let start = null;
    canvas.addEventListener("pointerdown", event => {
      if (!this.queue) return;
      canvas.setPointerCapture(event.pointerId);
      start = { x: event.offsetX, y: event.offsetY, nodes: this.shape.nodes, seconds: this.shape.seconds, horizon: this.horizon() };
    });
    canvas.addEventListener("pointermove", event => {
      if (!start) return;
      const perSecond = this.plot().width / start.horizon;
      const perNode = this.plot().height / this.queue.nodes;
      const nodes = Math.round(start.nodes + (start.y - event.offsetY) / perNode);
      const seconds = Math.round(start.seconds + (event.offsetX - start.x) / perSecond);
      this.onChange(Math.min(this.queue.nodes, Math.max(1, nodes)), Math.max(1, Math.min(start.horizon * 2, seconds)));
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { start = null; });
  }

  /** Shows a queue. If its jobs do not identify pilot jobs, the chart marks `expected`: queued pilot jobs with seconds to their start. */
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

  /** The visible time in seconds: all pilot jobs and the what-if job, and up to half as much again for background jobs. */
  horizon() {
    const { jobs, estimate } = this.queue;
    const pilotEnd = Math.max(60, ...this.expected.map(each => each.startSeconds), ...jobs.filter(job => job.job).map(job => job.endSeconds),
      (estimate?.waitSeconds ?? 0) + this.shape.seconds);
    const end = Math.min(Math.max(60, ...jobs.map(job => job.endSeconds)), pilotEnd * 1.5);
    return end > pilotEnd ? end : pilotEnd * 1.1;
  }

  static layerOf(job) { return QueueChart.LAYERS.findIndex(([, contains]) => contains(job)); }

  /** The instants at which a job starts or ends, and the height of each layer from each instant to the next. */
  steps(horizon) {
    const times = [0, horizon];
    for (const job of this.queue.jobs) times.push(Math.max(0, job.startSeconds), job.endSeconds);
    const instants = [...new Set(times.filter(t => t >= 0 && t <= horizon))].sort((a, b) => a - b);
    const indexOf = new Map(instants.map((t, i) => [t, i]));
    const heights = QueueChart.LAYERS.map(() => new Float64Array(instants.length));
    for (const job of this.queue.jobs) {
      const layer = QueueChart.layerOf(job);
      const first = indexOf.get(Math.max(0, job.startSeconds));
      if (first === undefined) continue;
      const last = indexOf.get(job.endSeconds) ?? instants.length;
      for (let i = first; i < last; i++) heights[layer][i] += job.nodes;
    }
    return { instants, heights };
  }

  draw(context, width, height) {
    if (!this.queue) return;
    const plot = this.plot();
    const horizon = this.horizon();
    const { nodes, estimate } = this.queue;
    context.fillStyle = Theme.colour("empty");
    context.fillRect(plot.left, plot.top, plot.width, plot.height);
    Plot.drawValues(context, width, height, nodes);
    Plot.drawTimes(context, width, height, { from: 0, to: horizon, span: horizon }, QueueChart.CLOCK);
    Plot.drawTitles(context, width, height, QueueChart.CLOCK, "nodes");
    const { instants, heights } = this.steps(horizon);
    const x = t => plot.left + t / horizon * plot.width;
    const y = n => plot.top + plot.height - n / nodes * plot.height;
    const tops = new Float64Array(instants.length);
    QueueChart.LAYERS.forEach(([name], layer) => {
      context.fillStyle = name === "queued" ? hatching(context, "hatch")
        : name === "pilot-queued" ? hatching(context, "pilot", true) : Theme.colour(name);
      for (let i = 0; i < instants.length - 1; i++) {
        const top = tops[i] + heights[layer][i];
        const x0 = Math.round(x(instants[i]));
        const x1 = Math.round(x(instants[i + 1]));
        if (heights[layer][i] > 0) context.fillRect(x0, y(top), Math.max(1, x1 - x0), y(tops[i]) - y(top));
        tops[i] = top;
      }
    });
    this.drawNumbers(context, { x, y, instants, heights, horizon });
    context.fillStyle = Theme.colour("pilot");
    for (const { job, startSeconds } of this.expected.filter(each => each.startSeconds <= horizon)) {
      context.fillRect(x(startSeconds) - 1, plot.top, 2, plot.height);
      context.fillText("job " + job + " estimated start", x(startSeconds) + 4, plot.top + 9);
    }
    if (estimate?.state === "known") this.drawShape(context, plot, { x, y, instants, tops, estimate });
  }

  /** Draws the numbers of pilot jobs where they fit. Pilot jobs of a layer that start at the same time are stacked. */
  drawNumbers(context, { x, y, instants, heights, horizon }) {
    const stacked = new Map();
    context.textAlign = "left";
    context.textBaseline = "middle";
    for (const job of this.queue.jobs.filter(each => each.job && each.startSeconds < horizon)) {
      const layer = QueueChart.layerOf(job);
      const step = Math.max(0, instants.indexOf(Math.max(0, job.startSeconds)));
      const bottom = heights.slice(0, layer).reduce((sum, each) => sum + each[step], 0) + (stacked.get(layer + " " + step) ?? 0);
      stacked.set(layer + " " + step, (stacked.get(layer + " " + step) ?? 0) + job.nodes);
      const left = x(Math.max(0, job.startSeconds));
      const text = "job " + job.job;
      if (x(Math.min(horizon, job.endSeconds)) - left < context.measureText(text).width + 8 || y(0) - y(job.nodes) < 12) continue;
      const middle = y(bottom + job.nodes / 2);
      if (job.state === "queued") {
        context.fillStyle = Theme.colour("empty");
        context.fillRect(left + 2, middle - 7, context.measureText(text).width + 4, 14);
      }
      context.fillStyle = job.state === "queued" ? Theme.colour("ink") : Gantt.textColourOn(Theme.rgb("pilot"));
      context.fillText(text, left + 4, middle);
    }
  }

  /** Draws the what-if job on top of the nodes in use during its estimated run. */
  drawShape(context, plot, { x, y, instants, tops, estimate }) {
    const from = estimate.waitSeconds;
    const to = from + estimate.seconds;
    let bottom = 0;
    instants.forEach((t, i) => {
      if (t < to && (instants[i + 1] ?? Infinity) > from) bottom = Math.max(bottom, tops[i]);
    });
    bottom = Math.min(bottom, this.queue.nodes - estimate.nodes);
    const box = [x(from), y(bottom + estimate.nodes), Math.max(3, x(to) - x(from)), y(bottom) - y(bottom + estimate.nodes)];
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
