"use strict";
/* The page of a replay: reads the packed jobs and shows them in charts. */
(() => {
  const OUTCOMES = ["completed", "killed at its walltime", "cancelled", "refused", "not started"];
  const nodes = Number(document.body.dataset.nodes);
  const sizes = document.body.dataset.sizes.split(",").map(Number);
  const element = id => document.getElementById(id);

  const jobs = unpack(element("jobs"));
  const clock = new Clock(validEpoch(Number(document.body.dataset.epoch)));
  const bars = toBars(jobs);
  const queue = queueSteps(jobs);
  const use = usedNodeSteps(jobs);
  const view = new TimeWindow(jobs.submit[0], lastEnd(jobs));

  let queueText = null;
  let meanText = null;
  let useText = null;

  const kinds = document.body.dataset.shades.split(",").map(shade => "size" + shade);
  new Overview(element("overview"), view, clock, { steps: use, colour: "blue", title: "nodes", max: nodes });
  new StepChart(element("queue"), view, clock, { steps: queue, colour: "orange", title: "jobs", onCursor: showQueueLength });
  new StepChart(element("use"), view, clock, { steps: use, colour: "blue", title: "nodes", max: nodes, means: true, onCursor: showUse });
  const gantt = new Gantt(element("gantt"), view, clock,
    { bars, rows: nodes, colours: kinds, label: job => String(jobs.id[job]), onSelect: showJob });

  addLegends();
  connectControls();
  showLongestQueue();

  /** The Unix time of the start of the log; 0 if unknown. Logs that seem to start in 1970 have no valid date. */
  function validEpoch(epoch) { return epoch > 365 * 86400 ? epoch : 0; }

  /** Reads the columns of the jobs, as `PackedJobs` writes them. */
  function unpack(script) {
    const next = numberReader(script);
    const count = Number(script.dataset.count);
    const seconds = Number(script.dataset.unit) / 1000;
    const signed = () => {
      const value = next();
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    };
    const column = (type, read) => {
      const values = new type(count);
      for (let i = 0; i < count; i++) values[i] = read();
      return values;
    };
    const cumulative = (type, factor) => {
      let sum = 0;
      return column(type, () => (sum += signed()) * factor);
    };
    const times = () => column(Float64Array, () => next() * seconds);
    const unpacked = { count, id: cumulative(Float64Array, 1), submit: cumulative(Float64Array, seconds), wait: times(), run: times(),
      requested: times(), nodes: column(Uint32Array, next), outcome: column(Uint8Array, next) };
    unpacked.ranges = column(Array, () => ranges(next));
    let job = 0;
    for (const list of unpacked.ranges) addLastLength(list, unpacked.nodes[job++]);
    return unpacked;
  }

  /** The node ranges of a job as first, length, first, length …; `addLastLength` computes the last length. */
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

  function addLastLength(list, nodeCount) {
    if (list.length === 0) return;
    let sum = 0;
    for (let i = 1; i < list.length; i += 2) sum += list[i];
    list[list.length - 1] = nodeCount - sum;
  }

  function toBars({ count, submit, wait, run, ranges, nodes: sizesOfJobs }) {
    const list = [];
    for (let job = 0; job < count; job++) {
      for (let i = 0; i < ranges[job].length; i += 2) list.push({ job, row: ranges[job][i], rows: ranges[job][i + 1] });
    }
    const start = job => submit[job] + wait[job];
    list.sort((a, b) => start(a.job) - start(b.job) || a.job - b.job);
    const kindOf = n => { const k = sizes.findIndex(max => n <= max); return k < 0 ? sizes.length - 1 : k; };
    return {
      start: Float64Array.from(list, bar => start(bar.job)),
      end: Float64Array.from(list, bar => start(bar.job) + run[bar.job]),
      row: Uint32Array.from(list, bar => bar.row),
      rows: Uint32Array.from(list, bar => bar.rows),
      kind: Uint8Array.from(list, bar => kindOf(sizesOfJobs[bar.job])),
      item: Uint32Array.from(list, bar => bar.job)
    };
  }

  function queueSteps({ count, submit, wait }) {
    const times = new Float64Array(2 * count);
    const changes = new Int8Array(2 * count);
    for (let job = 0; job < count; job++) {
      times[2 * job] = submit[job];
      times[2 * job + 1] = submit[job] + wait[job];
      changes[2 * job] = 1;
      changes[2 * job + 1] = -1;
    }
    return Steps.fromChanges(times, changes);
  }

  function usedNodeSteps({ count, submit, wait, run, nodes: sizesOfJobs, ranges }) {
    const times = new Float64Array(2 * count);
    const changes = new Float64Array(2 * count);
    for (let job = 0; job < count; job++) {
      const start = submit[job] + wait[job];
      times[2 * job] = start;
      times[2 * job + 1] = start + run[job];
      changes[2 * job] = ranges[job].length > 0 ? sizesOfJobs[job] : 0;
      changes[2 * job + 1] = -changes[2 * job];
    }
    return Steps.fromChanges(times, changes);
  }

  function lastEnd({ count, submit, wait, run }) {
    let last = 0;
    for (let job = 0; job < count; job++) last = Math.max(last, submit[job] + wait[job] + run[job]);
    return last;
  }

  function addLegends() {
    let from = 1;
    for (const [k, max] of sizes.entries()) {
      const name = from === max ? thousands(max) : thousands(from) + "–" + thousands(max);
      addLegendEntry(element("gantt-legend"), kinds[k], name + (max === 1 ? " node" : " nodes"));
      from = max + 1;
    }
    addLegendEntry(element("queue-legend"), "orange", "queued jobs, mean");
    addLegendEntry(element("queue-legend"), "orange-soft", "maximum");
    queueText = addLegendEntry(element("queue-legend"), "", "");
    addLegendEntry(element("use-legend"), "blue", "nodes in use, mean");
    addLegendEntry(element("use-legend"), "blue-soft", "maximum");
    meanText = addLegendEntry(element("use-legend"), "mark", "utilization");
    useText = addLegendEntry(element("use-legend"), "", "");
  }

  function showQueueLength(value) {
    queueText.data = value === null ? "" : clock.instant(view.cursor) + ": " + thousands(value) + " queued";
  }

  function showUse(value, bin) {
    const utilization = 100 * use.mean(view.from, view.to) / nodes;
    meanText.data = "mean over " + Clock.duration(bin) + "; over the whole selection " + utilization.toFixed(1) + " % utilization";
    useText.data = value === null ? "" : clock.instant(view.cursor) + ": " + thousands(value) + " in use ("
      + (100 * value / nodes).toFixed(0) + " %)";
  }

  function showJob(job) {
    const parts = ["Job " + jobs.id[job] + ": " + thousands(jobs.nodes[job]) + (jobs.nodes[job] === 1 ? " node" : " nodes"),
      "submitted " + clock.instant(jobs.submit[job]), "waited " + Clock.duration(jobs.wait[job])];
    if (jobs.ranges[job].length > 0) {
      parts.push("started " + clock.instant(jobs.submit[job] + jobs.wait[job]),
        "run time " + Clock.duration(jobs.run[job]) + " of " + Clock.duration(jobs.requested[job]) + " requested");
    }
    parts.push(OUTCOMES[jobs.outcome[job]]);
    element("selection").textContent = parts.join(", ") + ".";
  }

  function connectControls() {
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
      if (job < 0) element("selection").textContent = "No such job: " + element("job").value;
      else if (jobs.ranges[job].length === 0) showJob(job);
      else gantt.show(job);
      element("gantt").scrollIntoView({ block: "center" });
    });
    Theme.connect(element("theme"));
    view.onChange(() => {
      element("period").textContent = clock.instant(view.from) + " – " + clock.instant(view.to) + " ("
        + Clock.duration(view.span) + (clock.epoch > 0 ? ", UTC)" : ")");
    });
  }

  /** Shows the period around the longest queue, with about 1,500 bars and at least three days. */
  function showLongestQueue() {
    const peak = queue.peakTime();
    const span = Math.max(3 * 86400, view.span * Math.min(1, 1500 / Math.max(1, bars.start.length)));
    view.set(peak - span / 2, peak + span / 2);
  }
})();
