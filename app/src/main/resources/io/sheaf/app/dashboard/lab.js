"use strict";
/* Result tables of experiments: opened, filtered, sorted, and compared by the mean of a column. */
class LabPage {
  static MOST_SHOWN = 500;

  constructor() {
    this.table = { columns: [], rows: [] };
    this.filters = [];
    this.sorted = { column: -1, down: false };
    element("table").addEventListener("change", () => { location.hash = "#/lab/" + encodeURIComponent(element("table").value); });
    for (const id of ["measure", "group"]) element(id).addEventListener("change", () => this.compare());
  }

  async open(name) {
    const { tables } = await Api.get("/api/lab");
    const choice = element("table");
    choice.replaceChildren(...tables.map(each => make("option", { value: each.name }, each.name)));
    element("lab-none").hidden = tables.length > 0;
    const wanted = tables.some(each => each.name === name) ? name : tables[0]?.name;
    if (!wanted) return;
    choice.value = wanted;
    if (this.table.name !== wanted) this.show(await Api.get("/api/lab/" + encodeURIComponent(wanted)));
  }

  show(table) {
    this.table = table;
    this.filters = table.columns.map(() => "");
    this.sorted = { column: -1, down: false };
    this.numeric = table.columns.map((_, c) => table.rows.length > 0
      && table.rows.slice(0, 200).every(row => row[c] === "" || !Number.isNaN(Number(row[c]))));
    element("columns").replaceChildren(...table.columns.map((column, c) => {
      const button = make("button", { type: "button" }, column);
      button.addEventListener("click", () => this.sort(c));
      return make("th", { scope: "col", class: this.numeric[c] ? null : "text" }, button);
    }));
    element("filters").replaceChildren(...table.columns.map((column, c) => {
      const input = make("input", { "aria-label": "Filter " + column, placeholder: "filter" });
      input.addEventListener("input", () => {
        this.filters[c] = input.value.trim();
        this.fill();
      });
      return make("th", {}, input);
    }));
    const options = wanted => table.columns.filter((_, c) => this.numeric[c] === wanted).map(each => make("option", {}, each));
    element("measure").replaceChildren(...options(true));
    const texts = options(false);
    element("group").replaceChildren(...(texts.length > 0 ? texts : table.columns.map(each => make("option", {}, each))));
    const likely = table.columns.find(each => each === "makespan_seconds") ?? table.columns.find(each => /makespan|seconds|mean/.test(each));
    if (likely) element("measure").value = likely;
    if (table.columns.includes("strategy")) element("group").value = "strategy";
    this.fill();
  }

  sort(column) {
    this.sorted = { column, down: this.sorted.column === column && !this.sorted.down };
    this.fill();
  }

  static passes(cell, filter) {
    const sign = filter[0];
    if ("<>=".includes(sign) && filter.length > 1) {
      const want = Number(filter.slice(1));
      if (Number.isNaN(want)) return sign === "=" ? cell === filter.slice(1) : true;
      return sign === "<" ? Number(cell) < want : sign === ">" ? Number(cell) > want : Number(cell) === want;
    }
    return cell.toLowerCase().includes(filter.toLowerCase());
  }

  fill() {
    const { rows } = this.table;
    const active = this.filters.map((filter, c) => [c, filter]).filter(([, filter]) => filter !== "");
    this.shown = rows.filter(row => active.every(([c, filter]) => LabPage.passes(row[c] ?? "", filter)));
    const { column, down } = this.sorted;
    if (column >= 0) {
      const order = this.numeric[column] ? (a, b) => Number(a[column]) - Number(b[column]) : (a, b) => a[column].localeCompare(b[column]);
      this.shown.sort((a, b) => down ? order(b, a) : order(a, b));
    }
    [...element("columns").children].forEach((head, c) => {
      if (c === column) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    element("cells").replaceChildren(...this.shown.slice(0, LabPage.MOST_SHOWN).map(row => make("tr", {}, ...row.map((cell, c) => make("td", { class: this.numeric[c] ? null : "text" }, cell)))));
    const most = Math.min(this.shown.length, LabPage.MOST_SHOWN);
    element("rows-told").textContent = plural(this.shown.length, "row") + " of " + count(rows.length) + (this.table.cut ? " read" : "")
      + (most < this.shown.length ? ", the first " + most + " shown" : "");
    this.compare();
  }

  /** Means of the measure over the rows that are shown, by group, the least first. */
  compare() {
    const measure = this.table.columns.indexOf(element("measure").value);
    const group = this.table.columns.indexOf(element("group").value);
    const sums = new Map();
    for (const row of measure < 0 || group < 0 ? [] : this.shown) {
      const value = Number(row[measure]);
      if (row[measure] === "" || Number.isNaN(value)) continue;
      const sum = sums.get(row[group]) ?? { total: 0, count: 0 };
      sum.total += value;
      sum.count++;
      sums.set(row[group], sum);
    }
    const means = [...sums].map(([name, { total, count: n }]) => ({ name, mean: total / n, n })).sort((a, b) => a.mean - b.mean);
    const most = Math.max(...means.map(each => Math.abs(each.mean)), 1e-12);
    element("compare").replaceChildren(...means.slice(0, 40).map((each, i) => {
      const bar = make("i");
      bar.style.width = Math.abs(each.mean) / most * 100 + "%";
      const more = i === 0 || means[0].mean <= 0 ? "" : " (+" + ((each.mean / means[0].mean - 1) * 100).toFixed(1) + " %)";
      return make("div", { class: i === 0 ? "first" : null }, make("span", {}, each.name || "–"), make("span", {}, bar),
        make("span", {}, each.mean.toLocaleString("en", { maximumFractionDigits: 1 }) + more));
    }));
  }
}
