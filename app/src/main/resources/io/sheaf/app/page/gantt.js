"use strict";
/**
 * A Gantt chart on a canvas: bars on numbered rows over time.
 *
 * Bars are columns of numbers, sorted by start: {start, end, row, rows, kind, item}. A bar covers `rows` rows from `row` on. `kind` is the
 * index of its colour. Bars with the same `item` are selected together. Up to MAX_SINGLE_BARS visible bars are drawn one by one. With more,
 * each pixel gets the mean colour of its bars, transparent in proportion to its uncovered part. So the drawing time is bounded.
 *
 * A page may draw below and above the bars (`under`, `over`: context, chart, plot) and label the rows (`rowLabel`). The chart notifies the
 * page of a selected item (`onSelect`) and of a pointer outside of all bars (`onEmptyPoint`: time, row).
 */
class Gantt {
  static MAX_SINGLE_BARS = 3000;
  static BLOCK = 256;

  constructor(canvas, view, clock, { bars, rows, colours, label = () => "", onSelect = () => {}, under = () => {}, over = () => {},
    rowLabel = row => row.toLocaleString("en"), rowTitle = "node", onEmptyPoint = () => {} }) {
    Object.assign(this, { view, clock, bars, rows, colours, label, onSelect, under, over, rowLabel, rowTitle, onEmptyPoint });
    this.version = 0;
    this.top = 0;
    this.visibleRows = rows;
    this.selected = -1;
    this.index();
    this.layer = new CachedLayer();
    this.surface = new Surface(canvas, (context, width, height) => this.draw(context, width, height));
    view.onChange(() => this.surface.refresh());
    this.timeAt = connectPanAndZoom(this.surface, view, { onPoint: (x, y) => this.selectAt(x, y), onKey: event => this.onKey(event) });
    canvas.addEventListener("click", event => this.selectAt(event.offsetX, event.offsetY));
    canvas.addEventListener("wheel", event => {
      if (event.shiftKey && document.activeElement === canvas) this.zoomRows(Math.exp(event.deltaY * 0.002));
    }, { passive: true });
  }

  /** Computes the latest end in each block of bars, so that `visit` skips blocks before the visible period. */
  index() {
    const { bars } = this;
    const blocks = Math.ceil(bars.start.length / Gantt.BLOCK);
    this.lastEnd = new Float64Array(blocks);
    for (let i = 0; i < bars.start.length; i++) {
      const block = Math.floor(i / Gantt.BLOCK);
      this.lastEnd[block] = Math.max(this.lastEnd[block], bars.end[i]);
    }
  }

  /** Calls `action(bar)` for each bar that overlaps a period and a range of rows. */
  visit(from, to, top, bottom, action) {
    const { start, end, row, rows } = this.bars;
    for (let block = 0; block < this.lastEnd.length; block++) {
      const first = block * Gantt.BLOCK;
      if (start[first] > to) return;
      if (this.lastEnd[block] < from) continue;
      const last = Math.min(first + Gantt.BLOCK, start.length);
      for (let i = first; i < last && start[i] <= to; i++) {
        if (end[i] >= from && row[i] < bottom && row[i] + rows[i] > top) action(i);
      }
    }
  }

  draw(context, width, height) {
    const { view } = this;
    const plot = { left: Plot.LEFT, top: Plot.TOP, width: width - Plot.LEFT - Plot.RIGHT,
      height: height - Plot.TOP - Plot.BOTTOM };
    this.layer.draw(context, width, height, [view.from, view.to, this.top, this.visibleRows, this.version].join(" "),
      layer => this.render(layer, plot, width, height));
    this.drawSelection(context, plot);
    Plot.drawCursor(context, height, width, view);
  }

  /** Draws the chart again after a change of bars or colours. */
  repaint() {
    this.version++;
    this.surface.refresh();
  }

  /** Draws the cached layer: all but the selection and the cursor. */
  render(context, plot, width, height) {
    context.fillStyle = Theme.colour("empty");
    context.fillRect(plot.left, plot.top, plot.width, plot.height);
    Plot.drawTimes(context, width, height, this.view, this.clock);
    this.drawRowLabels(context, plot);
    Plot.drawTitles(context, width, height, this.clock, this.rowTitle);
    let visible = 0;
    this.visit(this.view.from, this.view.to, this.top, this.top + this.visibleRows, () => { visible++; });
    context.save();
    context.beginPath();
    context.rect(plot.left, plot.top, plot.width, plot.height);
    context.clip();
    this.under(context, this, plot);
    if (visible <= Gantt.MAX_SINGLE_BARS) this.drawSingleBars(context, plot); else this.drawMeanColours(context, plot);
    this.over(context, this, plot);
    context.restore();
    context.strokeStyle = Theme.colour("line");
    context.strokeRect(plot.left + 0.5, plot.top + 0.5, plot.width - 1, plot.height - 1);
  }

  drawRowLabels(context, plot) {
    const step = Plot.roundStep(this.visibleRows / 8);
    context.fillStyle = Theme.colour("quiet");
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (let row = Math.ceil(this.top / step) * step; row < this.top + this.visibleRows; row += step) {
      const y = plot.top + (row - this.top + 0.5) / this.visibleRows * plot.height;
      context.fillText(this.rowLabel(row), plot.left - 7, Math.max(y, plot.top + 5));
    }
  }

  boxOfBar(i, plot) {
    const { start, end, row, rows } = this.bars;
    return this.boxOf(start[i], end[i], row[i], rows[i], plot);
  }

  /** The rectangle of a range of rows in a period, in pixels. */
  boxOf(start, end, row, rows, plot) {
    const perTime = plot.width / this.view.span;
    const perRow = plot.height / this.visibleRows;
    return { x: plot.left + (start - this.view.from) * perTime, y: plot.top + (row - this.top) * perRow,
      width: (end - start) * perTime, height: rows * perRow };
  }

  drawSingleBars(context, plot) {
    const paints = this.colours.map(name => ({ fill: Theme.colour(name), text: Gantt.textColourOn(Theme.rgb(name)) }));
    context.textAlign = "left";
    context.textBaseline = "middle";
    this.visit(this.view.from, this.view.to, this.top, this.top + this.visibleRows, i => {
      const { x, y, width, height } = this.boxOfBar(i, plot);
      const paint = paints[this.bars.kind[i]];
      const gap = width > 4 && height > 3 ? 0.75 : 0;
      context.fillStyle = paint.fill;
      context.fillRect(x, y, Math.max(width - gap, 0.75), Math.max(height - gap, 0.5));
      const left = Math.max(x, plot.left);
      const room = Math.min(x + width, plot.left + plot.width) - left;
      if (room > 34 && height > 12) {
        const text = this.label(this.bars.item[i]);
        if (context.measureText(text).width < room - 8) {
          context.fillStyle = paint.text;
          context.fillText(text, left + 4, y + height / 2);
        }
      }
    });
  }

  /** The text colour with the higher contrast to a background: black or white. */
  static textColourOn(rgb) {
    const [r, g, b] = rgb.map(value => (value / 255) ** 2.2);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000000" : "#ffffff";
  }

  drawMeanColours(context, plot) {
    const width = Math.ceil(plot.width);
    const height = Math.ceil(plot.height);
    const size = 4 * (width + 2) * height;
    if (this.sums?.length !== size) this.sums = new Float32Array(size);
    const sums = this.sums.fill(0);
    const paints = this.colours.map(name => Theme.rgb(name));
    const { from } = this.view;
    const perTime = width / this.view.span;
    const perRow = height / this.visibleRows;
    const { start, end, row, rows, kind } = this.bars;
    this.visit(from, this.view.to, this.top, this.top + this.visibleRows, i => {
      Gantt.addBox(sums, width, paints[kind[i]],
        Math.max(0, (start[i] - from) * perTime), Math.min(width, (end[i] - from) * perTime),
        Math.max(0, (row[i] - this.top) * perRow), Math.min(height, (row[i] + rows[i] - this.top) * perRow));
    });
    this.drawSums(context, plot, width, height, sums);
  }

  /**
   * Adds a colour to the pixels of a box, weighted by the covered part of each pixel. `sums` has the difference of each pixel to the one
   * at its left, so a box changes only four values per line.
   */
  static addBox(sums, width, paint, x0, x1, y0, y1) {
    const left = Math.floor(x0);
    const right = Math.floor(x1);
    for (let y = Math.floor(y0); y < y1; y++) {
      const weight = Math.min(y + 1, y1) - Math.max(y, y0);
      const line = 4 * y * (width + 2);
      Gantt.addStep(sums, line + 4 * left, paint, weight, x0 - left);
      Gantt.addStep(sums, line + 4 * right, paint, -weight, x1 - right);
    }
  }

  /** Adds a step at a fraction `offset` of a pixel to this and the next difference. */
  static addStep(sums, at, paint, weight, offset) {
    const first = weight * (1 - offset);
    const second = weight * offset;
    sums[at] += first * paint[0];
    sums[at + 1] += first * paint[1];
    sums[at + 2] += first * paint[2];
    sums[at + 3] += first;
    sums[at + 4] += second * paint[0];
    sums[at + 5] += second * paint[1];
    sums[at + 6] += second * paint[2];
    sums[at + 7] += second;
  }

  drawSums(context, plot, width, height, sums) {
    if (this.image?.width !== width || this.image.height !== height) this.image = new ImageData(width, height);
    // One number per pixel, with red in the lowest byte.
    const pixels = new Uint32Array(this.image.data.buffer);
    let pixel = 0;
    for (let y = 0; y < height; y++) {
      let [r, g, b, share] = [0, 0, 0, 0];
      for (let x = 0, at = 4 * y * (width + 2); x < width; x++, at += 4) {
        r += sums[at];
        g += sums[at + 1];
        b += sums[at + 2];
        share += sums[at + 3];
        // Lower values are rounding errors.
        const part = share > 0.001 ? 1 / share : 0;
        pixels[pixel++] = part === 0 ? 0
          : (share >= 1 ? 255 : share * 255) << 24 | Math.min(255, b * part) << 16 | Math.min(255, g * part) << 8 | Math.min(255, r * part);
      }
    }
    this.imageCanvas ??= document.createElement("canvas");
    if (this.imageCanvas.width !== width || this.imageCanvas.height !== height) {
      this.imageCanvas.width = width;
      this.imageCanvas.height = height;
    }
    this.imageCanvas.getContext("2d").putImageData(this.image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.imageCanvas, plot.left, plot.top, plot.width, plot.height);
  }

  /** Outlines the bars of the selected item. */
  drawSelection(context, plot) {
    if (this.selected < 0) return;
    context.save();
    context.beginPath();
    context.rect(plot.left - 2, plot.top - 2, plot.width + 4, plot.height + 4);
    context.clip();
    this.visit(this.view.from, this.view.to, this.top, this.top + this.visibleRows, i => {
      if (this.bars.item[i] !== this.selected) return;
      const { x, y, width, height } = this.boxOfBar(i, plot);
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

  /** Selects the item at a place on the canvas, if there is one. */
  selectAt(x, y) {
    const plotHeight = this.surface.height - Plot.TOP - Plot.BOTTOM;
    const row = this.top + (y - Plot.TOP) / plotHeight * this.visibleRows;
    const time = this.timeAt(x);
    let found = -1;
    if (x >= Plot.LEFT && y >= Plot.TOP && y < Plot.TOP + plotHeight) {
      this.visit(time, time, row, row, i => {
        if (this.bars.row[i] <= row && row < this.bars.row[i] + this.bars.rows[i]) found = this.bars.item[i];
      });
    }
    if (found >= 0) this.select(found);
    else if (x >= Plot.LEFT) this.onEmptyPoint(time, row);
  }

  select(item) {
    if (item === this.selected) return;
    this.selected = item;
    this.onSelect(item);
    this.surface.refresh();
  }

  /** Selects an item and moves the visible period and rows to it. */
  show(item) {
    const bar = this.bars.item.indexOf(item);
    if (bar < 0) return;
    this.select(item);
    const { view, bars } = this;
    const span = Math.max(view.minSpan, Math.min(view.span, 8 * Math.max(bars.end[bar] - bars.start[bar], 60)));
    if (bars.start[bar] < view.from || bars.end[bar] > view.to) {
      const middle = (bars.start[bar] + bars.end[bar]) / 2;
      view.set(middle - span / 2, middle + span / 2);
    }
    if (bars.row[bar] < this.top || bars.row[bar] >= this.top + this.visibleRows) this.scrollRows(bars.row[bar] - this.top);
  }

  scrollRows(by) {
    this.top = Math.min(Math.max(0, this.top + Math.round(by)), this.rows - this.visibleRows);
    this.surface.refresh();
  }

  zoomRows(factor) {
    const middle = this.top + this.visibleRows / 2;
    this.visibleRows = Math.min(this.rows, Math.max(Math.min(8, this.rows), Math.round(this.visibleRows * factor)));
    this.top = 0;
    this.scrollRows(middle - this.visibleRows / 2);
  }

  /** Handles a key; returns true if it did. */
  onKey(event) {
    switch (event.key) {
      case "ArrowUp": this.scrollRows(-this.visibleRows / 8); return true;
      case "ArrowDown": this.scrollRows(this.visibleRows / 8); return true;
      case "[": this.zoomRows(0.5); return true;
      case "]": this.zoomRows(2); return true;
      case "n": case "N": this.selectNext(1); return true;
      case "p": case "P": this.selectNext(-1); return true;
      default: return false;
    }
  }

  /** Selects the item of the next bar (`by` 1) or of the previous one (-1). Without a selection it selects the first visible one. */
  selectNext(by) {
    const { bars, view } = this;
    let at = this.selected < 0 ? -1 : bars.item.indexOf(this.selected);
    if (at < 0) {
      at = bars.start.findIndex(start => start >= view.from);
    } else {
      do at += by; while (at >= 0 && at < bars.item.length && bars.item[at] === this.selected);
    }
    if (at >= 0 && at < bars.item.length) this.show(bars.item[at]);
  }
}
