"use strict";
/** The lab page: shows, filters and sorts result tables of experiments, and compares the mean of a column by group. */
class LabPage {
  static MAX_ROWS = 500;

  constructor() {
    this.table = { columns: [], rows: [] };
    this.filters = [];
    this.sorted = { column: -1, descending: false };
    element("table").addEventListener("change", () => { location.hash = "#/lab/" + encodeURIComponent(element("table").value); });
    for (const id of ["measure", "group"]) element(id).addEventListener("change", () => this.compare());
  }

  async open(name) {
    const { tables } = await Api.get("/api/lab");
    const choice = element("table");
    choice.replaceChildren(...tables.map(each => make("option", { value: each.name }, each.name)));
    element("lab-none").hidden = tables.length > 0;
    const selected = tables.some(each => each.name === name) ? name : tables[0]?.name;
    if (!selected) return;
    choice.value = selected;
    if (this.table.name !== selected) this.show(await Api.get("/api/lab/" + encodeURIComponent(selected)));
  }

  show(table) {
    this.table = table;
    this.filters = table.columns.map(() => "");
    this.sorted = { column: -1, descending: false };
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
        this.update();
      });
      return make("th", {}, input);
    }));
    const options = numeric => table.columns.filter((_, c) => this.numeric[c] === numeric).map(each => make("option", {}, each));
    element("measure").replaceChildren(...options(true));
    const texts = options(false);
    element("group").replaceChildren(...(texts.length > 0 ? texts : table.columns.map(each => make("option", {}, each))));
    const measure = table.columns.find(each => each === "makespan_seconds") ?? table.columns.find(each => /makespan|seconds|mean/.test(each));
    if (measure) element("measure").value = measure;
    if (table.columns.includes("strategy")) element("group").value = "strategy";
    this.update();
  }

  sort(column) {
    this.sorted = { column, descending: this.sorted.column === column && !this.sorted.descending };
    this.update();
  }

  /** Returns true if a cell matches a filter: part of a text, or a number after <, > or =. */
  static matches(cell, filter) {
    const sign = filter[0];
    if ("<>=".includes(sign) && filter.length > 1) {
      const limit = Number(filter.slice(1));
      if (Number.isNaN(limit)) return sign === "=" ? cell === filter.slice(1) : true;
      return sign === "<" ? Number(cell) < limit : sign === ">" ? Number(cell) > limit : Number(cell) === limit;
    }
    return cell.toLowerCase().includes(filter.toLowerCase());
  }

  /** Shows the rows that match the filters, in the selected order. */
  update() {
    const { rows } = this.table;
    const active = this.filters.map((filter, c) => [c, filter]).filter(([, filter]) => filter !== "");
    this.matching = rows.filter(row => active.every(([c, filter]) => LabPage.matches(row[c] ?? "", filter)));
    const { column, descending } = this.sorted;
    if (column >= 0) {
      const order = this.numeric[column] ? (a, b) => Number(a[column]) - Number(b[column]) : (a, b) => a[column].localeCompare(b[column]);
      this.matching.sort((a, b) => descending ? order(b, a) : order(a, b));
    }
    [...element("columns").children].forEach((head, c) => {
      if (c === column) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    const visible = this.matching.slice(0, LabPage.MAX_ROWS);
    element("cells").replaceChildren(...visible.map(row =>
      make("tr", {}, ...row.map((cell, c) => make("td", { class: this.numeric[c] ? null : "text" }, cell)))));
    element("row-count").textContent = plural(this.matching.length, "row") + " of " + count(rows.length) + (this.table.cut ? " read" : "")
      + (visible.length < this.matching.length ? ", the first " + visible.length + " shown" : "");
    this.compare();
  }

  /** Shows the mean of the selected measure over the matching rows by group, lowest first. */
  compare() {
    const measure = this.table.columns.indexOf(element("measure").value);
    const group = this.table.columns.indexOf(element("group").value);
    const sums = new Map();
    for (const row of measure < 0 || group < 0 ? [] : this.matching) {
      const value = Number(row[measure]);
      if (row[measure] === "" || Number.isNaN(value)) continue;
      const sum = sums.get(row[group]) ?? { total: 0, count: 0 };
      sum.total += value;
      sum.count++;
      sums.set(row[group], sum);
    }
    const means = [...sums].map(([name, { total, count: n }]) => ({ name, mean: total / n, n })).sort((a, b) => a.mean - b.mean);
    const max = Math.max(...means.map(each => Math.abs(each.mean)), 1e-12);
    element("compare").replaceChildren(...means.slice(0, 40).map((each, i) => {
      const bar = make("i");
      bar.style.width = Math.abs(each.mean) / max * 100 + "%";
      const difference = i === 0 || means[0].mean <= 0 ? "" : " (+" + ((each.mean / means[0].mean - 1) * 100).toFixed(1) + " %)";
      return make("div", { class: i === 0 ? "first" : null }, make("span", {}, each.name || "–"), make("span", {}, bar),
        make("span", {}, each.mean.toLocaleString("en", { maximumFractionDigits: 1 }) + difference));
    }));
  }
}
