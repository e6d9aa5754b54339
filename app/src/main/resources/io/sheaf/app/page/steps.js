"use strict";
/*
 * Charts of a number that changes in steps over time, such as queued jobs or nodes in use.
 *
 * If a long period is visible, a column of pixels covers many steps. It is filled to their mean over time, and in a light colour to their
 * maximum. So short peaks and gaps look the same at every zoom level.
 */

/** A number that changes in steps over time. */
class Steps {
  /** Sums changes: at times[i] the number changes by changes[i]. Times need not be sorted. */
  static fromChanges(times, changes) {
    const order = new Uint32Array(times.length).map((_, i) => i).sort((a, b) => times[a] - times[b]);
    const at = new Float64Array(times.length);
    const value = new Float64Array(times.length);
    let size = 0;
    let sum = 0;
    for (const i of order) {
      sum += changes[i];
      if (size === 0 || at[size - 1] !== times[i]) size++;
      at[size - 1] = times[i];
      value[size - 1] = sum;
    }
    return new Steps(at.subarray(0, size), value.subarray(0, size));
  }

  /** The number is value[i] from at[i] until at[i + 1], and 0 before at[0]. */
  constructor(at, value) {
    this.at = at;
    this.value = value;
    this.area = new Float64Array(at.length);
    for (let i = 1; i < at.length; i++) this.area[i] = this.area[i - 1] + value[i - 1] * (at[i] - at[i - 1]);
  }

  /** The index of the last step at or before an instant; -1 before the first step. */
  index(time) {
    let low = 0;
    let high = this.at.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at[middle] <= time) low = middle + 1; else high = middle;
    }
    return low - 1;
  }

  valueAt(time) {
    const i = this.index(time);
    return i < 0 ? 0 : this.value[i];
  }

  /** The integral of the number until an instant. */
  areaUntil(time) {
    const i = this.index(time);
    return i < 0 ? 0 : this.area[i] + this.value[i] * (time - this.at[i]);
  }

  mean(from, to) { return (this.areaUntil(to) - this.areaUntil(from)) / (to - from); }

  max(from, to) {
    let i = this.index(from);
    let max = i < 0 ? 0 : this.value[i];
    for (i++; i < this.at.length && this.at[i] < to; i++) max = Math.max(max, this.value[i]);
    return max;
  }

  /** The first instant at which the number is largest. */
  peakTime() {
    let best = 0;
    for (let i = 1; i < this.value.length; i++) if (this.value[i] > this.value[best]) best = i;
    return this.at.length === 0 ? 0 : this.at[best];
  }
}

/**
 * A chart of Steps. `max` is the top of the value axis; by default the largest visible value. `means` adds a line of means over hours,
 * days or weeks. `front` is a part of the number, {steps, colour}, drawn in front of it. After each drawing, the chart calls `onCursor`
 * with the value at the pointer, or null, and the length of time of a mean.
 */
class StepChart {
  static BINS = [3600, 21600, 86400, 604800, 2419200, 31536000];

  constructor(canvas, view, clock, { steps, colour, title, max = 0, means = false, front = null, onCursor = () => {} }) {
    Object.assign(this, { view, clock, steps, colour, title, max, means, front, onCursor });
    this.layer = new CachedLayer();
    this.bin = 0;
    this.surface = new Surface(canvas, (context, width, height) => this.draw(context, width, height));
    view.onChange(() => this.surface.refresh());
    connectPanAndZoom(this.surface, view);
  }

  draw(context, width, height) {
    const { view } = this;
    this.layer.draw(context, width, height, view.from + " " + view.to, layer => this.render(layer, width, height));
    Plot.drawCursor(context, height, width, view);
    this.onCursor(view.cursor === null ? null : this.steps.valueAt(view.cursor), this.bin);
  }

  render(context, width, height) {
    const { view } = this;
    const max = this.max || Math.max(1, this.steps.max(view.from, view.to));
    Plot.drawValues(context, width, height, max);
    Plot.drawTimes(context, width, height, view, this.clock);
    Plot.drawTitles(context, width, height, this.clock, this.title);
    for (const { steps, colour } of this.front ? [this, this.front] : [this]) {
      StepChart.fill(context, steps, view, colour, max,
        Plot.LEFT, Plot.TOP, width - Plot.LEFT - Plot.RIGHT, height - Plot.TOP - Plot.BOTTOM);
    }
    if (this.means) this.bin = this.drawMeans(context, width, height, max);
  }

  /** Fills each column of pixels to the mean, and in a light colour to the maximum. `axisMax` is the top of the value axis. */
  static fill(context, steps, view, colour, axisMax, left, top, width, height) {
    const perPixel = view.span / width;
    const soft = Theme.colour(colour + "-soft");
    const full = Theme.colour(colour);
    const bottom = top + height;
    let before = steps.areaUntil(view.from);
    let i = steps.index(view.from);
    for (let x = 0; x < width; x++) {
      const to = view.from + (x + 1) * perPixel;
      let max = i < 0 ? 0 : steps.value[i];
      while (i + 1 < steps.at.length && steps.at[i + 1] < to) max = Math.max(max, steps.value[++i]);
      const after = i < 0 ? 0 : steps.area[i] + steps.value[i] * (to - steps.at[i]);
      const mean = (after - before) / perPixel;
      before = after;
      if (max <= 0) continue;
      context.fillStyle = soft;
      context.fillRect(left + x, bottom - max / axisMax * height, 1, (max - mean) / axisMax * height);
      context.fillStyle = full;
      context.fillRect(left + x, bottom - mean / axisMax * height, 1, mean / axisMax * height);
    }
  }

  /** Draws means over the shortest of BINS that is wide enough on the screen, and returns its length. */
  drawMeans(context, width, height, max) {
    const { view, steps } = this;
    const plotWidth = width - Plot.LEFT - Plot.RIGHT;
    const bin = StepChart.BINS.find(b => b / view.span * plotWidth >= 26) ?? StepChart.BINS[StepChart.BINS.length - 1];
    const zero = this.clock.epoch % 86400;
    context.strokeStyle = Theme.colour("mark");
    context.lineWidth = 1.5;
    context.beginPath();
    for (let k = Math.floor((view.from + zero) / bin); k * bin - zero < view.to; k++) {
      const from = Math.max(k * bin - zero, view.first);
      const to = Math.min((k + 1) * bin - zero, view.last);
      if (to <= from) continue;
      const y = height - Plot.BOTTOM - steps.mean(from, to) / max * (height - Plot.TOP - Plot.BOTTOM);
      const x = time => Plot.LEFT + (Math.min(Math.max(time, view.from), view.to) - view.from) / view.span * plotWidth;
      context.moveTo(x(from), y);
      context.lineTo(x(to), y);
    }
    context.stroke();
    return bin;
  }
}

/** A strip with the whole period of some Steps, on which the user selects the visible period by dragging. */
class Overview {
  /** The distance in pixels at which a press moves an edge of the selection. */
  static EDGE = 6;

  constructor(canvas, view, clock, { steps, colour, max }) {
    Object.assign(this, { view, clock, steps, colour, max });
    this.whole = new TimeWindow(view.first, view.last, view.minSpan);
    this.layer = new CachedLayer();
    this.surface = new Surface(canvas, (context, width, height) => this.draw(context, width, height));
    view.onChange(() => this.surface.refresh());
    this.connect(canvas);
  }

  get plotWidth() { return this.surface.width - Plot.LEFT - Plot.RIGHT; }
  x(time) { return Plot.LEFT + (time - this.whole.from) / this.whole.span * this.plotWidth; }
  time(x) { return this.whole.from + Math.min(Math.max((x - Plot.LEFT) / this.plotWidth, 0), 1) * this.whole.span; }

  draw(context, width, height) {
    this.layer.draw(context, width, height, "", layer => {
      Plot.drawTimes(layer, width, height, this.whole, this.clock);
      StepChart.fill(layer, this.steps, this.whole, this.colour, this.max,
        Plot.LEFT, Plot.TOP, this.plotWidth, height - Plot.TOP - Plot.BOTTOM);
    });
    const from = this.x(this.view.from);
    const to = Math.max(this.x(this.view.to), from + 2);
    const frameHeight = height - Plot.BOTTOM - Plot.TOP + 8;
    context.globalAlpha = 0.72;
    context.fillStyle = Theme.colour("page");
    context.fillRect(Plot.LEFT, Plot.TOP, from - Plot.LEFT, frameHeight - 8);
    context.fillRect(to, Plot.TOP, width - Plot.RIGHT - to, frameHeight - 8);
    context.globalAlpha = 1;
    context.strokeStyle = Theme.colour("mark");
    context.lineWidth = 2;
    context.strokeRect(from, Plot.TOP - 4, to - from, frameHeight);
  }

  connect(canvas) {
    let drag = null;
    canvas.addEventListener("pointerdown", event => {
      canvas.setPointerCapture(event.pointerId);
      drag = this.dragAt(event.offsetX);
    });
    canvas.addEventListener("pointermove", event => {
      canvas.style.cursor = { move: "grab", from: "ew-resize", to: "ew-resize", new: "crosshair" }[
        (drag ?? this.dragAt(event.offsetX)).mode];
      if (drag) this.drag(drag, event.offsetX);
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { drag = null; });
    canvas.addEventListener("keydown", event => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && moveByKey(this.view, event)) event.preventDefault();
    });
  }

  /** The drag that a press at `x` starts: it moves the selection or one of its edges, or starts a new selection. */
  dragAt(x) {
    const from = this.x(this.view.from);
    const to = this.x(this.view.to);
    const all = this.view.span >= this.whole.span;
    if (!all && Math.abs(x - from) <= Overview.EDGE) return { mode: "from", fixed: this.view.to };
    if (!all && Math.abs(x - to) <= Overview.EDGE) return { mode: "to", fixed: this.view.from };
    if (!all && x > from && x < to) return { mode: "move", last: x };
    return { mode: "new", fixed: this.time(x), start: x };
  }

  drag(drag, x) {
    if (drag.mode === "move") {
      this.view.pan((x - drag.last) / this.plotWidth * this.whole.span);
      drag.last = x;
    } else if (drag.mode !== "new" || Math.abs(x - drag.start) > 3) {
      const time = this.time(x);
      this.view.set(Math.min(time, drag.fixed), Math.max(time, drag.fixed));
    }
  }
}
