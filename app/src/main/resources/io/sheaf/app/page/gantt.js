"use strict";
/*
 * A Gantt chart: bars on numbered rows over time, on a canvas.
 *
 * Bars are columns, sorted by start: {start, end, row, rows, kind, item}; a bar covers `rows` rows from `row` on; `kind` is the
 * number of its colour, and bars of one `item` belong together. A few thousand bars in view are drawn one by one. More are
 * summed up: each pixel gets the mixture of what covers it, and what nothing covers shows through, so that the picture stays
 * true, and its cost bounded, however many there are.
 *
 * A page may draw below and above the bars (`under`, `over`: called with context, chart and plot), name the rows (`rowLabel`), and be notified
 * where the user points outside of all bars (`elsewhere`: instant, row).
 */
class Gantt {
  static FEW = 3000;
  static BLOCK = 256;

  constructor(canvas, view, clock, { bars, rows, colours, label = () => "", picked = () => {}, under = () => {}, over = () => {},
    rowLabel = row => row.toLocaleString("en"), rowTitle = "node", elsewhere = () => {} }) {
    Object.assign(this, { view, clock, bars, rows, colours, label, picked, under, over, rowLabel, rowTitle, elsewhere });
    this.version = 0;
    this.top = 0;
    this.shown = rows;
    this.item = -1;
    this.index();
    this.base = new Base();
    this.surface = new Surface(canvas, (context, width, height) => this.draw(context, width, height));
    view.onChange(() => this.surface.refresh());
    this.timeAt = steer(this.surface, view, { point: (x, y) => this.point(x, y), key: event => this.key(event) });
    canvas.addEventListener("click", event => this.point(event.offsetX, event.offsetY));
    canvas.addEventListener("wheel", event => {
      if (event.shiftKey && document.activeElement === canvas) this.zoomRows(Math.exp(event.deltaY * 0.002));
    }, { passive: true });
  }

  /** The latest end in each block of bars, so that those before the window are skipped. */
  index() {
    const { bars } = this;
    const blocks = Math.ceil(bars.start.length / Gantt.BLOCK);
    this.lastEnd = new Float64Array(blocks);
    for (let i = 0; i < bars.start.length; i++) {
      const block = Math.floor(i / Gantt.BLOCK);
      this.lastEnd[block] = Math.max(this.lastEnd[block], bars.end[i]);
    }
  }

  /** Calls `each(bar)` for the bars that touch a stretch of time and of rows. */
  visit(from, to, top, bottom, each) {
    const { start, end, row, rows } = this.bars;
    for (let block = 0; block < this.lastEnd.length; block++) {
      const first = block * Gantt.BLOCK;
      if (start[first] > to) return;
      if (this.lastEnd[block] < from) continue;
      const last = Math.min(first + Gantt.BLOCK, start.length);
      for (let i = first; i < last && start[i] <= to; i++) {
        if (end[i] >= from && row[i] < bottom && row[i] + rows[i] > top) each(i);
      }
    }
  }

  draw(context, width, height) {
    const { view } = this;
    const plot = { left: Plot.LEFT, top: Plot.TOP, width: width - Plot.LEFT - Plot.RIGHT,
      height: height - Plot.TOP - Plot.BOTTOM };
    this.base.draw(context, width, height, [view.from, view.to, this.top, this.shown, this.version].join(" "),
      base => this.render(base, plot, width, height));
    this.mark(context, plot);
    Plot.cursor(context, height, width, view);
  }

  /** Draws anew what may have changed beside the window. */
  repaint() {
    this.version++;
    this.surface.refresh();
  }

  /** Draws everything but what follows the pointer onto the base. */
  render(context, plot, width, height) {
    context.fillStyle = Theme.colour("empty");
    context.fillRect(plot.left, plot.top, plot.width, plot.height);
    Plot.times(context, width, height, this.view, this.clock);
    this.rowLabels(context, plot);
    Plot.titles(context, width, height, this.clock, this.rowTitle);
    let visible = 0;
    this.visit(this.view.from, this.view.to, this.top, this.top + this.shown, () => { visible++; });
    context.save();
    context.beginPath();
    context.rect(plot.left, plot.top, plot.width, plot.height);
    context.clip();
    this.under(context, this, plot);
    if (visible <= Gantt.FEW) this.drawEach(context, plot); else this.drawSum(context, plot);
    this.over(context, this, plot);
    context.restore();
    context.strokeStyle = Theme.colour("line");
    context.strokeRect(plot.left + 0.5, plot.top + 0.5, plot.width - 1, plot.height - 1);
  }

  rowLabels(context, plot) {
    const step = Plot.step(this.shown / 8);
    context.fillStyle = Theme.colour("quiet");
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (let row = Math.ceil(this.top / step) * step; row < this.top + this.shown; row += step) {
      const y = plot.top + (row - this.top + 0.5) / this.shown * plot.height;
      context.fillText(this.rowLabel(row), plot.left - 7, Math.max(y, plot.top + 5));
    }
  }

  box(i, plot) {
    const { start, end, row, rows } = this.bars;
    return this.boxOf(start[i], end[i], row[i], rows[i], plot);
  }

  /** Where some rows are during some time, in pixels. */
  boxOf(start, end, row, rows, plot) {
    const perTime = plot.width / this.view.span;
    const perRow = plot.height / this.shown;
    return { x: plot.left + (start - this.view.from) * perTime, y: plot.top + (row - this.top) * perRow,
      width: (end - start) * perTime, height: rows * perRow };
  }

  drawEach(context, plot) {
    const paints = this.colours.map(name => ({ fill: Theme.colour(name), ink: Gantt.inkOn(Theme.rgb(name)) }));
    context.textAlign = "left";
    context.textBaseline = "middle";
    this.visit(this.view.from, this.view.to, this.top, this.top + this.shown, i => {
      const { x, y, width, height } = this.box(i, plot);
      const paint = paints[this.bars.kind[i]];
      const gap = width > 4 && height > 3 ? 0.75 : 0;
      context.fillStyle = paint.fill;
      context.fillRect(x, y, Math.max(width - gap, 0.75), Math.max(height - gap, 0.5));
      const left = Math.max(x, plot.left);
      const room = Math.min(x + width, plot.left + plot.width) - left;
      if (room > 34 && height > 12) {
        const text = this.label(this.bars.item[i]);
        if (context.measureText(text).width < room - 8) {
          context.fillStyle = paint.ink;
          context.fillText(text, left + 4, y + height / 2);
        }
      }
    });
  }

  /** Black or white, whichever is more different from this colour. */
  static inkOn(rgb) {
    const [r, g, b] = rgb.map(value => (value / 255) ** 2.2);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000000" : "#ffffff";
  }

  drawSum(context, plot) {
    const width = Math.ceil(plot.width);
    const height = Math.ceil(plot.height);
    const size = 4 * (width + 2) * height;
    if (this.sums?.length !== size) this.sums = new Float32Array(size);
    const sums = this.sums.fill(0);
    const paints = this.colours.map(name => Theme.rgb(name));
    const { from } = this.view;
    const perTime = width / this.view.span;
    const perRow = height / this.shown;
    const { start, end, row, rows, kind } = this.bars;
    this.visit(from, this.view.to, this.top, this.top + this.shown, i => {
      Gantt.addBox(sums, width, paints[kind[i]],
        Math.max(0, (start[i] - from) * perTime), Math.min(width, (end[i] - from) * perTime),
        Math.max(0, (row[i] - this.top) * perRow), Math.min(height, (row[i] + rows[i] - this.top) * perRow));
    });
    this.putSums(context, plot, width, height, sums);
  }

  /**
   * Adds a colour to the pixels of a box, to each by the share of it that is covered. What is kept of a line is by how much each pixel is more than
   * the one before it: a box, however wide, changes four of these.
   */
  static addBox(sums, width, paint, x0, x1, y0, y1) {
    const left = Math.floor(x0);
    const right = Math.floor(x1);
    for (let y = Math.floor(y0); y < y1; y++) {
      const tall = Math.min(y + 1, y1) - Math.max(y, y0);
      const line = 4 * y * (width + 2);
      Gantt.addStep(sums, line + 4 * left, paint, tall, x0 - left);
      Gantt.addStep(sums, line + 4 * right, paint, -tall, x1 - right);
    }
  }

  static addStep(sums, at, paint, tall, later) {
    const first = tall * (1 - later);
    const second = tall * later;
    sums[at] += first * paint[0];
    sums[at + 1] += first * paint[1];
    sums[at + 2] += first * paint[2];
    sums[at + 3] += first;
    sums[at + 4] += second * paint[0];
    sums[at + 5] += second * paint[1];
    sums[at + 6] += second * paint[2];
    sums[at + 7] += second;
  }

  putSums(context, plot, width, height, sums) {
    if (this.image?.width !== width || this.image.height !== height) this.image = new ImageData(width, height);
    // A pixel at a time: red is the lowest byte.
    const pixels = new Uint32Array(this.image.data.buffer);
    let pixel = 0;
    for (let y = 0; y < height; y++) {
      let [r, g, b, share] = [0, 0, 0, 0];
      for (let x = 0, at = 4 * y * (width + 2); x < width; x++, at += 4) {
        r += sums[at];
        g += sums[at + 1];
        b += sums[at + 2];
        share += sums[at + 3];
        // What is less comes from rounding.
        const part = share > 0.001 ? 1 / share : 0;
        pixels[pixel++] = part === 0 ? 0
          : (share >= 1 ? 255 : share * 255) << 24 | Math.min(255, b * part) << 16 | Math.min(255, g * part) << 8 | Math.min(255, r * part);
      }
    }
    this.sheet ??= document.createElement("canvas");
    if (this.sheet.width !== width || this.sheet.height !== height) {
      this.sheet.width = width;
      this.sheet.height = height;
    }
    this.sheet.getContext("2d").putImageData(this.image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.sheet, plot.left, plot.top, plot.width, plot.height);
  }

  /** Outlines the bars of the chosen item. */
  mark(context, plot) {
    if (this.item < 0) return;
    context.save();
    context.beginPath();
    context.rect(plot.left - 2, plot.top - 2, plot.width + 4, plot.height + 4);
    context.clip();
    this.visit(this.view.from, this.view.to, this.top, this.top + this.shown, i => {
      if (this.bars.item[i] !== this.item) return;
      const { x, y, width, height } = this.box(i, plot);
      context.fillStyle = Theme.colour("mark");
      if (height < 8) {
        context.fillRect(x, y, Math.max(width, 2), Math.max(height, 1));
        return;
      }
      for (const [colour, line] of [["page", 4], ["mark", 2]]) {
        context.strokeStyle = Theme.colour(colour);
        context.lineWidth = line;
        context.strokeRect(x, y, Math.max(width, 2), height);
      }
    });
    context.restore();
  }

  point(x, y) {
    const high = this.surface.height - Plot.TOP - Plot.BOTTOM;
    const row = this.top + (y - Plot.TOP) / high * this.shown;
    const time = this.timeAt(x);
    let found = -1;
    if (x >= Plot.LEFT && y >= Plot.TOP && y < Plot.TOP + high) {
      this.visit(time, time, row, row, i => {
        if (this.bars.row[i] <= row && row < this.bars.row[i] + this.bars.rows[i]) found = this.bars.item[i];
      });
    }
    if (found >= 0) this.pick(found);
    else if (x >= Plot.LEFT) this.elsewhere(time, row);
  }

  pick(item) {
    if (item === this.item) return;
    this.item = item;
    this.picked(item);
    this.surface.refresh();
  }

  /** Picks an item and moves the window to it. */
  show(item) {
    const bar = this.bars.item.indexOf(item);
    if (bar < 0) return;
    this.pick(item);
    const { view, bars } = this;
    const span = Math.max(view.least, Math.min(view.span, 8 * Math.max(bars.end[bar] - bars.start[bar], 60)));
    if (bars.start[bar] < view.from || bars.end[bar] > view.to) {
      const middle = (bars.start[bar] + bars.end[bar]) / 2;
      view.set(middle - span / 2, middle + span / 2);
    }
    if (bars.row[bar] < this.top || bars.row[bar] >= this.top + this.shown) this.scrollRows(bars.row[bar] - this.top);
  }

  scrollRows(by) {
    this.top = Math.min(Math.max(0, this.top + Math.round(by)), this.rows - this.shown);
    this.surface.refresh();
  }

  zoomRows(factor) {
    const middle = this.top + this.shown / 2;
    this.shown = Math.min(this.rows, Math.max(Math.min(8, this.rows), Math.round(this.shown * factor)));
    this.top = 0;
    this.scrollRows(middle - this.shown / 2);
  }

  key(event) {
    switch (event.key) {
      case "ArrowUp": this.scrollRows(-this.shown / 8); return true;
      case "ArrowDown": this.scrollRows(this.shown / 8); return true;
      case "[": this.zoomRows(0.5); return true;
      case "]": this.zoomRows(2); return true;
      case "n": case "N": this.step(1); return true;
      case "p": case "P": this.step(-1); return true;
      default: return false;
    }
  }

  /** Goes to the item whose bar comes next, or before; from none, to the first in the window. */
  step(by) {
    const { bars, view } = this;
    let at = this.item < 0 ? -1 : bars.item.indexOf(this.item);
    if (at < 0) {
      at = bars.start.findIndex(start => start >= view.from);
    } else {
      do at += by; while (at >= 0 && at < bars.item.length && bars.item[at] === this.item);
    }
    if (at >= 0 && at < bars.item.length) this.show(bars.item[at]);
  }
}
