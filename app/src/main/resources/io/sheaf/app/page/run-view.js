"use strict";
/**
 * Shows a run in the charts below `root`, from packed data elements of the page. The ids of the run's elements begin with `run`, those of
 * its workflow with `workflow`. Times are seconds since the start of the run.
 */
function showRun(root, run, workflow) {
  const SUCCEEDED = 1;
  const OUTCOMES = ["running", "succeeded", "failed", "out of memory", "stopped at the end of the walltime", "stopped",
    "lost with its node", "outcome unknown"];
  /** Colours of categories and of levels, and the colour index of attempts that were stopped or failed. */
  const CATEGORIES = 8;
  const SHADES = 8;
  const STOPPED = 15;
  const element = id => root.querySelector("#" + id);
  let nodes, cores, rows, levels, names, categories, claims, ends, tasks, instants, jobs, attempts, load, bars, categoryColours;
  readData();
  const clock = new Elapsed();
  const view = new TimeWindow(0, lastInstant(), 1);
  let byLevel = new Set(tasks.map(task => task.category)).size < 2;
  let selectedJob = null;

  const canvas = element("gantt");
  const gantt = new Gantt(canvas, view, clock, {
    bars, rows: Math.max(1, rows), colours: colours(), label: item => names[attempts[item].task], onSelect: showAttempt,
    under: drawJobs, over: drawJobFrames, rowLabel: row => row % cores === 0 ? thousands(row / cores) : "", onEmptyPoint: selectJobAt
  });
  fitHeight();
  applyColours();
  addLoadCharts();
  connectControls();
  view.showAll();
  return { reload, gantt, view, taskOf: item => attempts[item].task, showTask, showJob };

  /** Reads the data elements. */
  function readData() {
    ({ nodes, cores, rows, levels } = root.dataset);
    [nodes, cores, rows, levels] = [nodes, cores, rows, levels].map(Number);
    names = texts(workflow + "names");
    categories = texts(workflow + "categories");
    claims = texts(run + "claims");
    ends = texts(run + "ends");
    tasks = unpack(workflow + "tasks", next => ({ category: next(), level: next() }));
    instants = unpack(run + "instants", next => next() / 1000);
    jobs = unpack(run + "pilot-jobs", readJob);
    attempts = readAttempts();
    load = readLoad();
    bars = barsOf(attempts);
    categoryColours = rankCategories();
  }

  /** Shows new data of a live run after a change of the data elements. If the whole run was visible, its new end is visible too. */
  function reload() {
    const selectedTask = gantt.selected < 0 ? -1 : attempts[gantt.selected].task;
    const allTimes = view.from <= view.first && view.to >= view.last;
    const allRows = gantt.visibleRows >= gantt.rows;
    readData();
    selectedJob = null;
    gantt.bars = bars;
    gantt.rows = Math.max(1, rows);
    if (allRows || gantt.top + gantt.visibleRows > gantt.rows) {
      gantt.top = 0;
      gantt.visibleRows = gantt.rows;
    }
    gantt.index();
    gantt.selected = attempts.findLastIndex(attempt => attempt.task === selectedTask);
    view.last = Math.max(lastInstant(), view.first + view.minSpan);
    if (allTimes) view.to = view.last;
    fitHeight();
    applyColours();
    view.changed();
  }

  function lastInstant() {
    return jobs.reduce((latest, job) => Math.max(latest, job.end), Number(root.dataset.makespan) / 1000);
  }

  function fitHeight() {
    canvas.style.height = Math.min(474, Math.max(134, 44 + 24 * rows)) + "px";
  }

  /** Reads the rows of a data element; `read(next)` returns a row. */
  function unpack(id, read) {
    const script = document.getElementById(id);
    const next = numberReader(script);
    const list = [];
    for (let i = Number(script.dataset.count); i > 0; i--) list.push(read(next));
    return list;
  }

  /** Reads the texts of a data element. */
  function texts(id) {
    const script = document.getElementById(id);
    const bytes = Uint8Array.from(atob(script.textContent.trim()), c => c.charCodeAt(0));
    return Number(script.dataset.count) === 0 ? [] : new TextDecoder().decode(bytes).split("\0");
  }

  function readJob(next) {
    const [token, nodes, walltime, submitted, waited, ran, hasStarted, expected, row, rows] = Array.from({ length: 10 }, next);
    const start = (submitted + waited) / 1000;
    return { token, nodes, walltime: walltime / 1000, submitted: submitted / 1000, start, end: start + ran / 1000,
      hasStarted: hasStarted === 1, expected: expected === 0 ? null : (submitted + expected - 1) / 1000, row, rows };
  }

  function readAttempts() {
    let at = 0;
    return unpack(run + "attempts", next => {
      const attempt = { job: next(), task: next(), start: (at += next()) / 1000, run: next() / 1000, outcome: next(), blocks: [] };
      for (let i = next(); i > 0; i--) attempt.blocks.push({ row: next(), rows: next() });
      return attempt;
    });
  }

  function readLoad() {
    let at = 0;
    return unpack(run + "load", next => ({ at: (at += next()) / 1000, busy: next(), queued: next() }));
  }

  /** The bars of attempts, which are sorted by start. */
  function barsOf(list) {
    const all = [];
    list.forEach((attempt, item) => attempt.blocks.forEach(block => all.push({ attempt, item, block })));
    return {
      start: Float64Array.from(all, bar => bar.attempt.start),
      end: Float64Array.from(all, bar => bar.attempt.start + bar.attempt.run),
      row: Uint32Array.from(all, bar => bar.block.row),
      rows: Uint32Array.from(all, bar => bar.block.rows),
      kind: new Uint8Array(all.length),
      item: Uint32Array.from(all, bar => bar.item)
    };
  }

  /** The colours of categories: those with the longest total run time have their own colours, all others share the last one. */
  function rankCategories() {
    const time = new Float64Array(categories.length);
    for (const attempt of attempts) time[tasks[attempt.task].category] += attempt.run;
    const used = new Set(tasks.map(task => task.category));
    const order = [...used].sort((a, b) => time[b] - time[a] || a - b);
    const own = new Set(order.slice(0, order.length > CATEGORIES ? CATEGORIES - 1 : CATEGORIES));
    const inOrder = [...own].sort((a, b) => a - b);
    const rest = [...used].filter(category => !own.has(category)).sort((a, b) => a - b);
    return { own: inOrder, rest, indexOf: category => own.has(category) ? inOrder.indexOf(category) : CATEGORIES - 1 };
  }

  function categoryName(category) { return categories[category] || "no category"; }

  function colours() {
    const list = Array.from({ length: byLevel ? SHADES : CATEGORIES }, (_, i) => (byLevel ? "size" : "cat") + i);
    list[STOPPED] = "stopped";
    return Array.from(list, name => name ?? "stopped");
  }

  /** The colour index of a level. */
  function shade(level) { return levels < 2 ? 2 : Math.min(SHADES - 1, Math.floor(level * SHADES / levels)); }

  /** The colour index of an attempt. */
  function kind(attempt) {
    if (attempt.outcome > SUCCEEDED) return STOPPED;
    return byLevel ? shade(tasks[attempt.task].level) : categoryColours.indexOf(tasks[attempt.task].category);
  }

  /** Colours the bars by category or by level, and writes the legend. */
  function applyColours() {
    gantt.colours = colours();
    for (let i = 0; i < bars.kind.length; i++) bars.kind[i] = kind(attempts[bars.item[i]]);
    const legend = element("gantt-legend");
    legend.textContent = "";
    if (byLevel) {
      for (let k = 0, from = 0; from < levels; k++) {
        let to = from;
        while (to + 1 < levels && shade(to + 1) === shade(from)) to++;
        addLegendEntry(legend, "size" + shade(from), (from === to ? "level " + from : "levels " + from + "–" + to));
        from = to + 1;
      }
    } else {
      for (const category of categoryColours.own) addLegendEntry(legend, "cat" + categoryColours.indexOf(category), categoryName(category));
      const { rest } = categoryColours;
      const restName = rest.length > 4 ? rest.length + " other categories" : rest.map(categoryName).join(", ");
      if (restName) addLegendEntry(legend, "cat" + (CATEGORIES - 1), restName);
    }
    addLegendEntry(legend, "queued", "queued");
    addLegendEntry(legend, "idle", "idle");
    if (attempts.some(attempt => attempt.outcome > SUCCEEDED)) addLegendEntry(legend, "stopped", "stopped or failed");
    element("colour").textContent = "Colour: " + (byLevel ? "level" : "category");
    gantt.repaint();
  }

  /** Draws queue waits and idle nodes, below the tasks. */
  function drawJobs(context, chart, plot) {
    const hatch = hatching(context, "hatch");
    for (const job of jobs) {
      if (job.end < view.from || job.submitted > view.to) continue;
      const queued = chart.boxOf(job.submitted, job.start, job.row, job.rows, plot);
      context.fillStyle = hatch;
      context.fillRect(queued.x, queued.y, queued.width, queued.height);
      if (!job.hasStarted) continue;
      const running = chart.boxOf(job.start, job.end, job.row, job.rows, plot);
      context.fillStyle = Theme.colour("idle");
      context.fillRect(running.x, running.y, Math.max(running.width, 1), running.height);
    }
  }

  /** Draws frames, numbers and estimated starts of jobs, and marks of decisions, above the tasks. */
  function drawJobFrames(context, chart, plot) {
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.lineWidth = 1;
    for (const job of jobs) {
      if (Math.max(job.end, job.expected ?? 0) < view.from || job.submitted > view.to) continue;
      const box = chart.boxOf(job.submitted, job.end, job.row, job.rows, plot);
      if (box.width < 6 || box.height < 3) continue;
      context.strokeStyle = Theme.colour("quiet");
      context.strokeRect(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1);
      drawExpectedStart(context, chart, plot, job, box);
      drawJobNumber(context, chart, plot, job);
    }
    const perTime = plot.width / view.span;
    context.fillStyle = Theme.colour("mark");
    for (const at of instants) {
      const x = plot.left + (at - view.from) * perTime;
      context.beginPath();
      context.moveTo(x - 4, plot.top);
      context.lineTo(x + 4, plot.top);
      context.lineTo(x, plot.top + 7);
      context.fill();
    }
  }

  /** Draws the estimated start as a dashed line, connected to the actual start. */
  function drawExpectedStart(context, chart, plot, job, box) {
    if (job.expected === null) return;
    const { x } = chart.boxOf(job.expected, job.expected, job.row, job.rows, plot);
    const start = chart.boxOf(job.start, job.start, job.row, job.rows, plot).x;
    if (Math.abs(x - start) < 2) return;
    for (const [colour, width] of [["page", 4], ["mark", 2]]) {
      context.strokeStyle = Theme.colour(colour);
      context.lineWidth = width;
      context.setLineDash(width === 2 ? [4, 3] : []);
      context.beginPath();
      context.moveTo(x, box.y + 1);
      context.lineTo(x, box.y + box.height - 1);
      context.moveTo(x, box.y + box.height / 2);
      context.lineTo(start, box.y + box.height / 2);
      context.stroke();
    }
    context.setLineDash([]);
    context.lineWidth = 1;
  }

  /** Draws the job's number in its queue wait if it fits, else at the lower right if it does not hide the name of a task. */
  function drawJobNumber(context, chart, plot, job) {
    const text = "job " + job.token;
    const width = context.measureText(text).width + 8;
    const right = plot.left + plot.width;
    const queued = chart.boxOf(job.submitted, job.start, job.row, job.rows, plot);
    const whole = chart.boxOf(job.submitted, job.end, job.row, job.rows, plot);
    const left = Math.max(whole.x, plot.left) + 2;
    const end = Math.min(whole.x + whole.width, right) - 2;
    const isInWait = Math.min(queued.x + queued.width, right) - left >= width;
    const top = Math.max(whole.y, plot.top) + 2;
    const bottom = Math.min(whole.y + whole.height, plot.top + plot.height) - 2;
    if (bottom - top < 13 || end - left < (isInWait ? width : 2.4 * width)) return;
    const x = isInWait ? left : end - width;
    if (!isInWait && hidesName(chart, plot, job, x, width)) return;
    const y = isInWait ? top : bottom - 14;
    context.fillStyle = Theme.colour("page");
    context.globalAlpha = 0.85;
    context.fillRect(x, y, width, 14);
    context.globalAlpha = 1;
    context.fillStyle = Theme.colour("ink");
    context.fillText(text, x + 4, y + 7);
  }

  /** Returns true if a number of this width at `x` would hide the name of a task in the last rows of the job. */
  function hidesName(chart, plot, job, x, width) {
    const at = pixel => view.from + (pixel - plot.left) / plot.width * view.span;
    const first = at(x - 80);
    const rows = Math.ceil(14 / plot.height * chart.visibleRows);
    let found = false;
    chart.visit(first, at(x + width), job.row + job.rows - rows, job.row + job.rows, bar => { found ||= bars.start[bar] > first; });
    return found;
  }

  /** Shows the details of an attempt as text. */
  function showAttempt(item) {
    selectedJob = null;
    const attempt = attempts[item];
    const job = jobs[attempt.job];
    const task = tasks[attempt.task];
    const node = Math.floor((attempt.blocks[0].row - job.row) / cores);
    element("selection").textContent = "Task " + names[attempt.task] + ": " + categoryName(task.category) + ", level " + task.level
      + ", in job " + job.token + " on node " + node + ", started " + clock.instant(attempt.start) + ", run time "
      + Clock.duration(attempt.run) + ", " + OUTCOMES[attempt.outcome] + ".";
  }

  /** Shows the job at a place of the chart, if there is one. */
  function selectJobAt(time, row) {
    const job = jobs.find(j => j.submitted <= time && time <= j.end && j.row <= row && row < j.row + j.rows);
    if (job && job !== selectedJob) showJobDetails(job);
  }

  /** Shows the details of a job as text. */
  function showJobDetails(job) {
    selectedJob = job;
    const number = jobs.indexOf(job);
    const parts = ["Job " + job.token + " for " + claims[number] + ": " + thousands(job.nodes)
      + (job.nodes === 1 ? " node, " : " nodes, ") + Clock.duration(job.walltime) + " requested",
      "submitted " + clock.instant(job.submitted)];
    if (job.expected !== null) parts.push("estimated start " + clock.instant(job.expected));
    parts.push(job.hasStarted ? "started " + clock.instant(job.start) + ", run time " + Clock.duration(job.end - job.start) : "not started",
      ends[number]);
    element("selection").textContent = parts.join(", ") + ".";
    gantt.selected = -1;
    gantt.surface.refresh();
  }

  /** Adds the charts of background load, if it was recorded. */
  function addLoadCharts() {
    if (load.length === 0) return;
    const background = new Steps(Float64Array.from(load, p => p.at), Float64Array.from(load, p => p.busy));
    const queued = new Steps(background.at, Float64Array.from(load, p => p.queued));
    const changes = [];
    load.forEach((p, i) => changes.push([p.at, p.busy - (i === 0 ? 0 : load[i - 1].busy)]));
    for (const job of jobs) if (job.hasStarted) changes.push([job.start, job.nodes], [job.end, -job.nodes]);
    const all = Steps.fromChanges(Float64Array.from(changes, c => c[0]), Float64Array.from(changes, c => c[1]));
    addLegendEntry(element("use-legend"), "blue", "background jobs");
    addLegendEntry(element("use-legend"), "orange", "this run");
    const useText = addLegendEntry(element("use-legend"), "", "");
    new StepChart(element("use"), view, clock, { steps: all, colour: "orange", title: "nodes", max: nodes,
      front: { steps: background, colour: "blue" }, onCursor: value => {
        useText.data = value === null ? "" : clock.instant(view.cursor) + ": " + thousands(background.valueAt(view.cursor))
          + " background, " + thousands(value - background.valueAt(view.cursor)) + " this run, of " + thousands(nodes);
      } });
    addLegendEntry(element("queue-legend"), "blue", "queued background jobs");
    const queueText = addLegendEntry(element("queue-legend"), "", "");
    new StepChart(element("queue"), view, clock, { steps: queued, colour: "blue", title: "jobs", onCursor: value => {
      queueText.data = value === null ? "" : clock.instant(view.cursor) + ": " + thousands(value);
    } });
  }

  /** Selects the last attempt of a task. */
  function showTask(name) {
    const item = attempts.findLastIndex(attempt => names[attempt.task] === name);
    if (item < 0) element("selection").textContent = "No attempt of task '" + name + "'.";
    else gantt.show(item);
  }

  /** Selects a job and zooms to it. */
  function showJob(token) {
    const job = jobs.find(j => j.token === token);
    showJobDetails(job);
    const margin = Math.max(1, (job.end - job.submitted) / 5);
    view.set(job.submitted - margin, job.end + margin);
    canvas.scrollIntoView({ block: "center" });
  }

  function connectControls() {
    view.connect(root);
    element("colour").addEventListener("click", () => {
      byLevel = !byLevel;
      applyColours();
    });
    element("find").addEventListener("submit", event => {
      event.preventDefault();
      showTask(element("task").value.trim());
    });
    for (const button of root.querySelectorAll("[data-at]")) {
      button.addEventListener("click", () => {
        const at = Number(button.dataset.at) / 1000;
        const span = Math.min(view.span, (view.last - view.first) / 4);
        view.set(at - span / 4, at + 3 * span / 4);
        canvas.scrollIntoView({ block: "center" });
      });
    }
    for (const row of root.querySelectorAll("tr[data-job]")) {
      row.addEventListener("click", () => showJob(Number(row.dataset.job)));
    }
    view.onChange(() => {
      element("period").textContent = Elapsed.text(view.from, true) + " – " + Elapsed.text(view.to, true) + " ("
        + Clock.duration(view.span) + ")";
    });
  }
}
