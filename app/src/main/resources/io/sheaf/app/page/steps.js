"use strict";
/*
 * A number over time that changes in steps: jobs in a queue, nodes in use.
 *
 * A column of pixels covers many steps when a long time is shown; it is filled to their mean over time, and lightly to their
 * maximum, so that neither a short peak nor a short gap changes the picture with the zoom.
 */
class Steps {
  /** Adds up changes given as pairs of columns: at times[i] the number changes by by[i]. Times need not be sorted. */
  static ofChanges(times, by) {
    const order = new Uint32Array(times.length).map((_, i) => i).sort((a, b) => times[a] - times[b]);
    const at = new Float64Array(times.length);
    const value = new Float64Array(times.length);
    let size = 0;
    let sum = 0;
    for (const i of order) {
      sum += by[i];
      if (size === 0 || at[size - 1] !== times[i]) size++;
      at[size - 1] = times[i];
      value[size - 1] = sum;
    }
    return new Steps(at.subarray(0, size), value.subarray(0, size));
  }

  /** value[i] holds from at[i] until at[i + 1]; before the first it is 0. */
  constructor(at, value) {
    this.at = at;
    this.value = value;
    this.area = new Float64Array(at.length);
    for (let i = 1; i < at.length; i++) this.area[i] = this.area[i - 1] + value[i - 1] * (at[i] - at[i - 1]);
  }

  /** The last step at or before an instant; -1 before the first. */
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

  until(time) {
    const i = this.index(time);
    return i < 0 ? 0 : this.area[i] + this.value[i] * (time - this.at[i]);
  }

  mean(from, to) { return (this.until(to) - this.until(from)) / (to - from); }

  max(from, to) {
    let i = this.index(from);
    let most = i < 0 ? 0 : this.value[i];
    for (i++; i < this.at.length && this.at[i] < to; i++) most = Math.max(most, this.value[i]);
    return most;
  }

  /** When the number is largest, the first time. */
  peak() {
    let best = 0;
    for (let i = 1; i < this.value.length; i++) if (this.value[i] > this.value[best]) best = i;
    return this.at.length === 0 ? 0 : this.at[best];
  }
}

/**
 * Draws Steps on a canvas: {steps, colour, most?, means?, front?}; `means` adds a line of the mean over hours, days or weeks;
 * `front` is {steps, colour} of a part of the number, drawn before it.
 */
class StepChart {
  static BINS = [3600, 21600, 86400, 604800, 2419200, 31536000];

  constructor(canvas, view, clock, { steps, colour, title, most = 0, means = false, front = null, told = () => {} }) {
    Object.assign(this, { view, clock, steps, colour, title, most, means, front, told });
    this.base = new Base();
    this.bin = 0;
    this.surface = new Surface(canvas, (context, width, height) => this.draw(context, width, height));
    view.onChange(() => this.surface.refresh());
    steer(this.surface, view);
  }

  draw(context, width, height) {
    const { view } = this;
    this.base.draw(context, width, height, view.from + " " + view.to, base => this.render(base, width, height));
    Plot.cursor(context, height, width, view);
    this.told(view.cursor === null ? null : this.steps.valueAt(view.cursor), this.bin);
  }

  render(context, width, height) {
    const { view } = this;
    const most = this.most || Math.max(1, this.steps.max(view.from, view.to));
    Plot.values(context, width, height, most);
    Plot.times(context, width, height, view, this.clock);
    Plot.titles(context, width, height, this.clock, this.title);
    for (const { steps, colour } of this.front ? [this, this.front] : [this]) {
      StepChart.fill(context, steps, view, colour, most,
        Plot.LEFT, Plot.TOP, width - Plot.LEFT - Plot.RIGHT, height - Plot.TOP - Plot.BOTTOM);
    }
    if (this.means) this.bin = this.line(context, width, height, most);
  }

  /** Fills each column of pixels to the mean, and lightly to the maximum, of what it covers. */
  static fill(context, steps, view, colour, most, left, top, width, height) {
    const perPixel = view.span / width;
    const soft = Theme.colour(colour + "-soft");
    const full = Theme.colour(colour);
    const bottom = top + height;
    let before = steps.until(view.from);
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
      context.fillRect(left + x, bottom - max / most * height, 1, (max - mean) / most * height);
      context.fillStyle = full;
      context.fillRect(left + x, bottom - mean / most * height, 1, mean / most * height);
    }
  }

  /** Means over the shortest usual time that is wide enough to be seen; returns which. */
  line(context, width, height, most) {
    const { view, steps } = this;
    const room = width - Plot.LEFT - Plot.RIGHT;
    const bin = StepChart.BINS.find(b => b / view.span * room >= 26) ?? StepChart.BINS[StepChart.BINS.length - 1];
    const zero = this.clock.epoch % 86400;
    context.strokeStyle = Theme.colour("mark");
    context.lineWidth = 1.5;
    context.beginPath();
    for (let k = Math.floor((view.from + zero) / bin); k * bin - zero < view.to; k++) {
      const from = Math.max(k * bin - zero, view.first);
      const to = Math.min((k + 1) * bin - zero, view.last);
      if (to <= from) continue;
      const y = height - Plot.BOTTOM - steps.mean(from, to) / most * (height - Plot.TOP - Plot.BOTTOM);
      const x = time => Plot.LEFT + (Math.min(Math.max(time, view.from), view.to) - view.from) / view.span * room;
      context.moveTo(x(from), y);
      context.lineTo(x(to), y);
    }
    context.stroke();
    return bin;
  }
}

/** The whole of some Steps in a strip, on which a window is chosen by dragging. */
class Overview {
  static EDGE = 6;

  constructor(canvas, view, clock, { steps, colour, most }) {
    Object.assign(this, { view, clock, steps, colour, most });
    this.all = new TimeWindow(view.first, view.last, view.least);
    this.base = new Base();
    this.surface = new Surface(canvas, (context, width, height) => this.draw(context, width, height));
    view.onChange(() => this.surface.refresh());
    this.listen(canvas);
  }

  get room() { return this.surface.width - Plot.LEFT - Plot.RIGHT; }
  x(time) { return Plot.LEFT + (time - this.all.from) / this.all.span * this.room; }
  time(x) { return this.all.from + Math.min(Math.max((x - Plot.LEFT) / this.room, 0), 1) * this.all.span; }

  draw(context, width, height) {
    this.base.draw(context, width, height, "", base => {
      Plot.times(base, width, height, this.all, this.clock);
      StepChart.fill(base, this.steps, this.all, this.colour, this.most,
        Plot.LEFT, Plot.TOP, this.room, height - Plot.TOP - Plot.BOTTOM);
    });
    const from = this.x(this.view.from);
    const to = Math.max(this.x(this.view.to), from + 2);
    const high = height - Plot.BOTTOM - Plot.TOP + 8;
    context.globalAlpha = 0.72;
    context.fillStyle = Theme.colour("page");
    context.fillRect(Plot.LEFT, Plot.TOP, from - Plot.LEFT, high - 8);
    context.fillRect(to, Plot.TOP, width - Plot.RIGHT - to, high - 8);
    context.globalAlpha = 1;
    context.strokeStyle = Theme.colour("mark");
    context.lineWidth = 2;
    context.strokeRect(from, Plot.TOP - 4, to - from, high);
  }

  listen(canvas) {
    let drag = null;
    canvas.addEventListener("pointerdown", event => {
      canvas.setPointerCapture(event.pointerId);
      drag = this.grip(event.offsetX);
    });
    canvas.addEventListener("pointermove", event => {
      canvas.style.cursor = { move: "grab", from: "ew-resize", to: "ew-resize", new: "crosshair" }[
        (drag ?? this.grip(event.offsetX)).what];
      if (drag) this.drag(drag, event.offsetX);
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { drag = null; });
    canvas.addEventListener("keydown", event => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && moved(this.view, event)) event.preventDefault();
    });
  }

  /** What a press here takes hold of. */
  grip(x) {
    const from = this.x(this.view.from);
    const to = this.x(this.view.to);
    const whole = this.view.span >= this.all.span;
    if (!whole && Math.abs(x - from) <= Overview.EDGE) return { what: "from", fixed: this.view.to };
    if (!whole && Math.abs(x - to) <= Overview.EDGE) return { what: "to", fixed: this.view.from };
    if (!whole && x > from && x < to) return { what: "move", last: x };
    return { what: "new", fixed: this.time(x), start: x };
  }

  drag(drag, x) {
    if (drag.what === "move") {
      this.view.pan((x - drag.last) / this.room * this.all.span);
      drag.last = x;
    } else if (drag.what !== "new" || Math.abs(x - drag.start) > 3) {
      const time = this.time(x);
      this.view.set(Math.min(time, drag.fixed), Math.max(time, drag.fixed));
    }
  }
}
