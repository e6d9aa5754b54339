"use strict";
/* The page of a replay: unpacks its jobs, and connects the charts. */
(() => {
  const OUTCOMES = ["completed", "killed at its walltime", "cancelled", "refused", "not started"];
  const nodes = Number(document.body.dataset.nodes);
  const sizes = document.body.dataset.sizes.split(",").map(Number);
  const element = id => document.getElementById(id);

  const jobs = unpack(element("jobs"));
  const clock = new Clock(validEpoch(Number(document.body.dataset.epoch)));
  const bars = barsOf(jobs);
  const queue = queueOf(jobs);
  const use = useOf(jobs);
  const view = new TimeWindow(jobs.submit[0], lastEnd(jobs));

  let queueValue = null;
  let useMeans = null;
  let useValue = null;

  const kinds = document.body.dataset.shades.split(",").map(shade => "size" + shade);
  new Overview(element("overview"), view, clock, { steps: use, colour: "blue", title: "nodes", most: nodes });
  new StepChart(element("queue"), view, clock, { steps: queue, colour: "orange", title: "jobs", told: tellQueue });
  new StepChart(element("use"), view, clock, { steps: use, colour: "blue", title: "nodes", most: nodes, means: true, told: tellUse });
  const gantt = new Gantt(element("gantt"), view, clock,
    { bars, rows: nodes, colours: kinds, label: job => String(jobs.id[job]), picked: tellJob });

  legend();
  controls();
  begin();

  /** Logs that start in 1970 have no date. */
  function validEpoch(epoch) { return epoch > 365 * 86400 ? epoch : 0; }

  /** The columns, as the packer describes them. */
  function unpack(script) {
    const next = numbersOf(script);
    const count = Number(script.dataset.count);
    const seconds = Number(script.dataset.unit) / 1000;
    const signed = () => {
      const value = next();
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    };
    const column = (make, read) => {
      const values = new make(count);
      for (let i = 0; i < count; i++) values[i] = read();
      return values;
    };
    const running = (make, factor) => {
      let sum = 0;
      return column(make, () => (sum += signed()) * factor);
    };
    const times = () => column(Float64Array, () => next() * seconds);
    const unpacked = { count, id: running(Float64Array, 1), submit: running(Float64Array, seconds), wait: times(), run: times(),
      requested: times(), nodes: column(Uint32Array, next), outcome: column(Uint8Array, next) };
    unpacked.ranges = column(Array, () => ranges(next));
    let job = 0;
    for (const list of unpacked.ranges) complete(list, unpacked.nodes[job++]);
    return unpacked;
  }

  /** A job's ranges of nodes as first, length, first, length …; the last length is still to be filled in. */
  function ranges(next) {
    const list = [];
    let end = 0;
    for (let count = next(); count > 0; count--) {
      const first = end + next();
      const length = count > 1 ? next() : 0;
      list.push(first, length);
      end = first + length;
    }
    return list;
  }

  function complete(list, all) {
    if (list.length === 0) return;
    let known = 0;
    for (let i = 1; i < list.length; i += 2) known += list[i];
    list[list.length - 1] = all - known;
  }

  function barsOf({ count, submit, wait, run, ranges: held, nodes: wide }) {
    const list = [];
    for (let job = 0; job < count; job++) {
      for (let i = 0; i < held[job].length; i += 2) list.push({ job, row: held[job][i], rows: held[job][i + 1] });
    }
    const start = job => submit[job] + wait[job];
    list.sort((a, b) => start(a.job) - start(b.job) || a.job - b.job);
    const kindOf = n => { const k = sizes.findIndex(most => n <= most); return k < 0 ? sizes.length - 1 : k; };
    return {
      start: Float64Array.from(list, bar => start(bar.job)),
      end: Float64Array.from(list, bar => start(bar.job) + run[bar.job]),
      row: Uint32Array.from(list, bar => bar.row),
      rows: Uint32Array.from(list, bar => bar.rows),
      kind: Uint8Array.from(list, bar => kindOf(wide[bar.job])),
      item: Uint32Array.from(list, bar => bar.job)
    };
  }

  function queueOf({ count, submit, wait }) {
    const times = new Float64Array(2 * count);
    const by = new Int8Array(2 * count);
    for (let job = 0; job < count; job++) {
      times[2 * job] = submit[job];
      times[2 * job + 1] = submit[job] + wait[job];
      by[2 * job] = 1;
      by[2 * job + 1] = -1;
    }
    return Steps.ofChanges(times, by);
  }

  function useOf({ count, submit, wait, run, nodes: wide, ranges: held }) {
    const times = new Float64Array(2 * count);
    const by = new Float64Array(2 * count);
    for (let job = 0; job < count; job++) {
      const start = submit[job] + wait[job];
      times[2 * job] = start;
      times[2 * job + 1] = start + run[job];
      by[2 * job] = held[job].length > 0 ? wide[job] : 0;
      by[2 * job + 1] = -by[2 * job];
    }
    return Steps.ofChanges(times, by);
  }

  function lastEnd({ count, submit, wait, run }) {
    let last = 0;
    for (let job = 0; job < count; job++) last = Math.max(last, submit[job] + wait[job] + run[job]);
    return last;
  }

  function legend() {
    let from = 1;
    for (const [k, most] of sizes.entries()) {
      const name = from === most ? thousands(most) : thousands(from) + "–" + thousands(most);
      legendEntry(element("gantt-legend"), kinds[k], name + (most === 1 ? " node" : " nodes"));
      from = most + 1;
    }
    legendEntry(element("queue-legend"), "orange", "queued jobs, mean");
    legendEntry(element("queue-legend"), "orange-soft", "maximum");
    queueValue = legendEntry(element("queue-legend"), "", "");
    legendEntry(element("use-legend"), "blue", "nodes in use, mean");
    legendEntry(element("use-legend"), "blue-soft", "maximum");
    useMeans = legendEntry(element("use-legend"), "mark", "utilization");
    useValue = legendEntry(element("use-legend"), "", "");
  }

  function tellQueue(value) {
    queueValue.data = value === null ? "" : clock.instant(view.cursor) + ": " + thousands(value) + " queued";
  }

  function tellUse(value, bin) {
    const utilisation = 100 * use.mean(view.from, view.to) / nodes;
    useMeans.data = "mean over " + Clock.length(bin) + "; over the whole selection " + utilisation.toFixed(1) + " % utilization";
    useValue.data = value === null ? "" : clock.instant(view.cursor) + ": " + thousands(value) + " in use ("
      + (100 * value / nodes).toFixed(0) + " %)";
  }

  function tellJob(job) {
    const words = ["Job " + jobs.id[job] + ": " + thousands(jobs.nodes[job]) + (jobs.nodes[job] === 1 ? " node" : " nodes"),
      "submitted " + clock.instant(jobs.submit[job]), "waited " + Clock.length(jobs.wait[job])];
    if (jobs.ranges[job].length > 0) {
      words.push("started " + clock.instant(jobs.submit[job] + jobs.wait[job]),
        "run time " + Clock.length(jobs.run[job]) + " of " + Clock.length(jobs.requested[job]) + " requested");
    }
    words.push(OUTCOMES[jobs.outcome[job]]);
    element("picked").textContent = words.join(", ") + ".";
  }

  function controls() {
    for (const button of document.querySelectorAll("[data-span]")) {
      button.addEventListener("click", () => {
        const middle = (view.from + view.to) / 2;
        view.set(middle - button.dataset.span / 2, middle + button.dataset.span / 2);
      });
    }
    view.connect(document);
    element("find").addEventListener("submit", event => {
      event.preventDefault();
      const job = jobs.id.indexOf(Number(element("job").value));
      if (job < 0) element("picked").textContent = "No such job: " + element("job").value;
      else if (jobs.ranges[job].length === 0) tellJob(job);
      else gantt.show(job);
      element("gantt").scrollIntoView({ block: "center" });
    });
    Theme.chosenWith(element("theme"));
    view.onChange(() => {
      element("period").textContent = clock.instant(view.from) + " – " + clock.instant(view.to) + " ("
        + Clock.length(view.span) + (clock.epoch > 0 ? ", UTC)" : ")");
    });
  }

  /** A long log opens around its longest queue, with about as many jobs as can be distinguished. */
  function begin() {
    const many = bars.start.length;
    const peak = queue.peak();
    const span = Math.max(3 * 86400, view.span * Math.min(1, 1500 / Math.max(1, many)));
    view.set(peak - span / 2, peak + span / 2);
  }
})();
