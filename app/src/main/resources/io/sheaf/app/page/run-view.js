"use strict";
/*
 * Shows a run: unpacks it, and connects the charts in `root`. The ids of its data elements begin with `run`, those of its workflow's with `workflow`.
 * Times are seconds after the run's start.
 */
function showRun(root, run, workflow) {
  const SUCCEEDED = 1;
  const OUTCOMES = ["running", "succeeded", "failed", "out of memory", "stopped at the end of the walltime", "stopped", "lost with its node", "outcome unknown"];
  const CATEGORIES = 8;
  const SHADES = 8;
  const CUT = 15;
  const element = id => root.querySelector("#" + id);
  let nodes, cores, rows, levels, names, categories, claims, ends, tasks, instants, jobs, attempts, load, bars, shared;
  read();
  const clock = new Elapsed();
  const view = new TimeWindow(0, lastInstant(), 1);
  let byLevel = new Set(tasks.map(task => task.category)).size < 2;
  let chosenJob = null;

  const canvas = element("gantt");
  const gantt = new Gantt(canvas, view, clock, {
    bars, rows: Math.max(1, rows), colours: colours(), label: item => names[attempts[item].task], picked: tellAttempt,
    under: drawJobs, over: drawSigns, rowLabel: row => row % cores === 0 ? thousands(row / cores) : "", elsewhere: pointJob
  });
  fitHeight();
  paint();
  charts();
  controls();
  view.whole();
  return { reload, gantt, view, taskOf: item => attempts[item].task, showTask, showJob };

  /** Takes the data out of its elements. */
  function read() {
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
    shared = rankCategories();
  }

  /** Shows the data anew after its elements were replaced: a run that goes on. Who looks at everything goes on doing so. */
  function reload() {
    const chosen = gantt.item < 0 ? -1 : attempts[gantt.item].task;
    const whole = view.from <= view.first && view.to >= view.last;
    const allRows = gantt.shown >= gantt.rows;
    read();
    chosenJob = null;
    gantt.bars = bars;
    gantt.rows = Math.max(1, rows);
    if (allRows || gantt.top + gantt.shown > gantt.rows) {
      gantt.top = 0;
      gantt.shown = gantt.rows;
    }
    gantt.index();
    gantt.item = attempts.findLastIndex(attempt => attempt.task === chosen);
    view.last = Math.max(lastInstant(), view.first + view.least);
    if (whole) view.to = view.last;
    fitHeight();
    paint();
    view.changed();
  }

  function lastInstant() {
    return jobs.reduce((latest, job) => Math.max(latest, job.end), Number(root.dataset.makespan) / 1000);
  }

  function fitHeight() {
    canvas.style.height = Math.min(474, Math.max(134, 44 + 24 * rows)) + "px";
  }

  /** Reads `count` rows of numbers. */
  function unpack(id, read) {
    const script = document.getElementById(id);
    const next = numbersOf(script);
    const list = [];
    for (let i = Number(script.dataset.count); i > 0; i--) list.push(read(next));
    return list;
  }

  function texts(id) {
    const script = document.getElementById(id);
    const bytes = Uint8Array.from(atob(script.textContent.trim()), c => c.charCodeAt(0));
    return Number(script.dataset.count) === 0 ? [] : new TextDecoder().decode(bytes).split("\0");
  }

  function readJob(next) {
    const [token, wide, walltime, submitted, waited, ran, began, expected, row, high] = Array.from({ length: 10 }, next);
    const start = (submitted + waited) / 1000;
    return { token, nodes: wide, walltime: walltime / 1000, submitted: submitted / 1000, start, end: start + ran / 1000,
      began: began === 1, expected: expected === 0 ? null : (submitted + expected - 1) / 1000, row, rows: high };
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

  /** Attempts are sorted by start, so their bars are, too. */
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

  /** Which colour each category has: those that ran longest have one of their own, the rest share the last. */
  function rankCategories() {
    const time = new Float64Array(categories.length);
    for (const attempt of attempts) time[tasks[attempt.task].category] += attempt.run;
    const used = new Set(tasks.map(task => task.category));
    const order = [...used].sort((a, b) => time[b] - time[a] || a - b);
    const own = new Set(order.slice(0, order.length > CATEGORIES ? CATEGORIES - 1 : CATEGORIES));
    const inOrder = [...own].sort((a, b) => a - b);
    const rest = [...used].filter(category => !own.has(category)).sort((a, b) => a - b);
    return { own: inOrder, rest, colour: category => own.has(category) ? inOrder.indexOf(category) : CATEGORIES - 1 };
  }

  function categoryName(category) { return categories[category] || "no category"; }

  function colours() {
    const list = Array.from({ length: byLevel ? SHADES : CATEGORIES }, (_, i) => (byLevel ? "size" : "cat") + i);
    list[CUT] = "cut";
    return Array.from(list, name => name ?? "cut");
  }

  function shade(level) { return levels < 2 ? 2 : Math.min(SHADES - 1, Math.floor(level * SHADES / levels)); }

  function kind(attempt) {
    if (attempt.outcome > SUCCEEDED) return CUT;
    return byLevel ? shade(tasks[attempt.task].level) : shared.colour(tasks[attempt.task].category);
  }

  /** Colours by category or by level, with the legend that goes with it. */
  function paint() {
    gantt.colours = colours();
    for (let i = 0; i < bars.kind.length; i++) bars.kind[i] = kind(attempts[bars.item[i]]);
    const legend = element("gantt-legend");
    legend.textContent = "";
    if (byLevel) {
      for (let k = 0, from = 0; from < levels; k++) {
        let to = from;
        while (to + 1 < levels && shade(to + 1) === shade(from)) to++;
        legendEntry(legend, "size" + shade(from), (from === to ? "level " + from : "levels " + from + "–" + to));
        from = to + 1;
      }
    } else {
      for (const category of shared.own) legendEntry(legend, "cat" + shared.colour(category), categoryName(category));
      const others = shared.rest.length > 4 ? shared.rest.length + " others" : shared.rest.map(categoryName).join(", ");
      if (others) legendEntry(legend, "cat" + (CATEGORIES - 1), others);
    }
    legendEntry(legend, "waiting", "queued");
    legendEntry(legend, "idle", "idle");
    if (attempts.some(attempt => attempt.outcome > SUCCEEDED)) legendEntry(legend, "cut", "stopped or failed");
    element("colour").textContent = "Colour: " + (byLevel ? "level" : "category");
    gantt.repaint();
  }

  /** Waits and idle nodes, below the tasks. */
  function drawJobs(context, chart, plot) {
    const hatch = hatching(context, "hatch");
    for (const job of jobs) {
      if (job.end < view.from || job.submitted > view.to) continue;
      const waiting = chart.boxOf(job.submitted, job.start, job.row, job.rows, plot);
      context.fillStyle = hatch;
      context.fillRect(waiting.x, waiting.y, waiting.width, waiting.height);
      if (!job.began) continue;
      const running = chart.boxOf(job.start, job.end, job.row, job.rows, plot);
      context.fillStyle = Theme.colour("idle");
      context.fillRect(running.x, running.y, Math.max(running.width, 1), running.height);
    }
  }

  /** Frames, numbers and expected starts of jobs, and the instants of decisions, above the tasks. */
  function drawSigns(context, chart, plot) {
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.lineWidth = 1;
    for (const job of jobs) {
      const lastSeen = Math.max(job.end, job.expected ?? 0);
      if (lastSeen < view.from || job.submitted > view.to) continue;
      const box = chart.boxOf(job.submitted, job.end, job.row, job.rows, plot);
      if (box.width < 6 || box.height < 3) continue;
      context.strokeStyle = Theme.colour("quiet");
      context.strokeRect(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1);
      expected(context, chart, plot, job, box);
      number(context, chart, plot, job);
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

  function expected(context, chart, plot, job, box) {
    if (job.expected === null) return;
    const { x } = chart.boxOf(job.expected, job.expected, job.row, job.rows, plot);
    const start = chart.boxOf(job.start, job.start, job.row, job.rows, plot).x;
    if (Math.abs(x - start) < 2) return;
    for (const [colour, wide] of [["page", 4], ["mark", 2]]) {
      context.strokeStyle = Theme.colour(colour);
      context.lineWidth = wide;
      context.setLineDash(wide === 2 ? [4, 3] : []);
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

  /** The job's number: where it waits if there is room, else at the lower right, unless names of tasks are there. */
  function number(context, chart, plot, job) {
    const text = "job " + job.token;
    const wide = context.measureText(text).width + 8;
    const right = plot.left + plot.width;
    const waiting = chart.boxOf(job.submitted, job.start, job.row, job.rows, plot);
    const whole = chart.boxOf(job.submitted, job.end, job.row, job.rows, plot);
    const left = Math.max(whole.x, plot.left) + 2;
    const end = Math.min(whole.x + whole.width, right) - 2;
    const inWait = Math.min(waiting.x + waiting.width, right) - left >= wide;
    const top = Math.max(whole.y, plot.top) + 2;
    const bottom = Math.min(whole.y + whole.height, plot.top + plot.height) - 2;
    if (bottom - top < 13 || end - left < (inWait ? wide : 2.4 * wide)) return;
    const x = inWait ? left : end - wide;
    if (!inWait && nameAround(chart, plot, job, x, wide)) return;
    const y = inWait ? top : bottom - 14;
    context.fillStyle = Theme.colour("page");
    context.globalAlpha = 0.85;
    context.fillRect(x, y, wide, 14);
    context.globalAlpha = 1;
    context.fillStyle = Theme.colour("ink");
    context.fillText(text, x + 4, y + 7);
  }

  /** Whether a task of the job's last rows begins where its name would reach under a sign of this width. */
  function nameAround(chart, plot, job, x, wide) {
    const at = pixel => view.from + (pixel - plot.left) / plot.width * view.span;
    const first = at(x - 80);
    const rows = Math.ceil(14 / plot.height * chart.shown);
    let found = false;
    chart.visit(first, at(x + wide), job.row + job.rows - rows, job.row + job.rows, bar => { found ||= bars.start[bar] > first; });
    return found;
  }

  function tellAttempt(item) {
    chosenJob = null;
    const attempt = attempts[item];
    const job = jobs[attempt.job];
    const task = tasks[attempt.task];
    const node = Math.floor((attempt.blocks[0].row - job.row) / cores);
    element("picked").textContent = "Task " + names[attempt.task] + ": " + categoryName(task.category) + ", level " + task.level
      + ", in job " + job.token + " on node " + node + ", started " + clock.instant(attempt.start) + ", run time "
      + Clock.length(attempt.run) + ", " + OUTCOMES[attempt.outcome] + ".";
  }

  function pointJob(time, row) {
    const job = jobs.find(j => j.submitted <= time && time <= j.end && j.row <= row && row < j.row + j.rows);
    if (job && job !== chosenJob) tellJob(job);
  }

  function tellJob(job) {
    chosenJob = job;
    const number = jobs.indexOf(job);
    const words = ["Job " + job.token + " for " + claims[number] + ": " + thousands(job.nodes)
      + (job.nodes === 1 ? " node, " : " nodes, ") + Clock.length(job.walltime) + " requested",
      "submitted " + clock.instant(job.submitted)];
    if (job.expected !== null) words.push("estimated start " + clock.instant(job.expected));
    words.push(job.began ? "started " + clock.instant(job.start) + ", run time " + Clock.length(job.end - job.start) : "not started",
      ends[number]);
    element("picked").textContent = words.join(", ") + ".";
    gantt.item = -1;
    gantt.surface.refresh();
  }

  function charts() {
    if (load.length === 0) return;
    const others = new Steps(Float64Array.from(load, p => p.at), Float64Array.from(load, p => p.busy));
    const waiting = new Steps(others.at, Float64Array.from(load, p => p.queued));
    const changes = [];
    load.forEach((p, i) => changes.push([p.at, p.busy - (i === 0 ? 0 : load[i - 1].busy)]));
    for (const job of jobs) if (job.began) changes.push([job.start, job.nodes], [job.end, -job.nodes]);
    const all = Steps.ofChanges(Float64Array.from(changes, c => c[0]), Float64Array.from(changes, c => c[1]));
    legendEntry(element("use-legend"), "blue", "background jobs");
    legendEntry(element("use-legend"), "orange", "this run");
    const inUse = legendEntry(element("use-legend"), "", "");
    new StepChart(element("use"), view, clock, { steps: all, colour: "orange", title: "nodes", most: nodes, front: { steps: others, colour: "blue" },
      told: value => {
        inUse.data = value === null ? "" : clock.instant(view.cursor) + ": " + thousands(others.valueAt(view.cursor)) + " background, "
          + thousands(value - others.valueAt(view.cursor)) + " this run, of " + thousands(nodes);
      } });
    legendEntry(element("queue-legend"), "blue", "queued background jobs");
    const queued = legendEntry(element("queue-legend"), "", "");
    new StepChart(element("queue"), view, clock, { steps: waiting, colour: "blue", title: "jobs", told: value => {
      queued.data = value === null ? "" : clock.instant(view.cursor) + ": " + thousands(value);
    } });
  }

  function showTask(name) {
    const item = attempts.findLastIndex(attempt => names[attempt.task] === name);
    if (item < 0) element("picked").textContent = "No attempt of task '" + name + "'.";
    else gantt.show(item);
  }

  function showJob(token) {
    const job = jobs.find(j => j.token === token);
    tellJob(job);
    const margin = Math.max(1, (job.end - job.submitted) / 5);
    view.set(job.submitted - margin, job.end + margin);
    canvas.scrollIntoView({ block: "center" });
  }

  function controls() {
    view.connect(root);
    element("colour").addEventListener("click", () => {
      byLevel = !byLevel;
      paint();
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
      row.addEventListener("click", () => {
        showJob(Number(row.dataset.job));
      });
    }
    view.onChange(() => {
      element("period").textContent = Elapsed.words(view.from, true) + " – " + Elapsed.words(view.to, true) + " ("
        + Clock.length(view.span) + ")";
    });
  }
}
