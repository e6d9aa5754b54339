"use strict";
/* A run, live: what its stream sends is shown at once; charts and tables are requested again after a change. */
class RunPage {
  /** What states of tasks mean in a run that was cancelled. */
  static LEFT = { running: "stopped", ready: "ready, not run", waiting: "not run" };

  constructor() {
    this.source = null;
    this.dag = new Dag(element("dag"), task => this.pick(task));
    this.queueChart = new QueueChart(element("queue"), (nodes, seconds) => this.reshape(nodes, seconds));
    this.stream = "out";
    for (const [id, what] of [["cancel", "cancel"], ["resume", "resume"]]) {
      element(id).addEventListener("click", () => (what === "cancel" ? element("confirm").showModal() : this.ask(what)));
    }
    element("confirm").addEventListener("close", () => {
      if (element("confirm").returnValue === "yes") this.ask("cancel");
    });
    for (const button of element("streams").children) {
      button.addEventListener("click", () => {
        this.stream = button.dataset.stream;
        this.readLog();
      });
    }
    for (const id of ["shape-nodes", "shape-time"]) element(id).addEventListener("input", () => this.slid());
    element("gantt").addEventListener("click", () => this.pickBar());
    element("gantt").addEventListener("keydown", event => {
      if (event.key === "Enter") this.pickBar();
    });
  }

  open(id) {
    if (this.id === id && this.source) return;
    this.close();
    Object.assign(this, { id, base: "/api/runs/" + encodeURIComponent(id), records: -1, tasks: [], decisions: [], chart: this.chart, task: -1,
      shape: null, status: null, queue: null, jobs: [] });
    // Until its first status is received, nothing of another run is to be seen.
    element("run-title").textContent = id;
    for (const empty of ["run-place", "run-state", "why", "progress", "progress-legend", "facts", "jobs", "decisions"]) element(empty).replaceChildren();
    this.decisionsShown = "";
    element("chart-none").hidden = true;
    element("force").replaceChildren(make("p", { class: "hint" }, "Loading …"));
    element("log").textContent = "Select a task to show its output.";
    element("task-facts").replaceChildren();
    element("streams").hidden = true;
    element("task-title").textContent = "Task";
    this.refresh = throttled(() => this.load(), 1000);
    this.askLog = throttled(() => this.readLog(), 200);
    this.askWorkflows = throttled(() => this.loadWorkflows(), 1000);
    this.askQueue = throttled(() => this.loadQueue(), 150);
    this.source = Api.follow(this.base + "/events", "run", status => this.received(status),
      () => this.status !== null && this.isOver());
    this.clock = setInterval(() => this.tick(), 1000);
  }

  close() {
    if (this.source) this.source.close();
    clearInterval(this.clock);
    this.source = null;
  }

  received(status) {
    this.status = status;
    this.receivedAt = performance.now();
    this.showStatus();
    // The server may end before it answers again: no job runs in a run that has ended.
    if (this.isOver()) this.showJobs(this.jobs);
    if (this.tasks.length === status.states.length) this.dag.show(status.states);
    if (status.records !== this.records || this.isLive()) this.refresh();
    if (status.workflows > 0) this.askWorkflows();
    else element("workflows-panel").hidden = true;
    this.askQueue();
  }

  /** Nothing comes any more, not even from another process. */
  isOver() { return !this.isLive() && this.status.state !== "interrupted"; }

  isLive() { return ["running", "waiting", "paused"].includes(this.status?.state); }

  /** Seconds since the run began, also between two events. */
  elapsed() {
    return this.isLive() ? this.status.elapsedSeconds + (performance.now() - this.receivedAt) / 1000 : this.status.makespanSeconds;
  }

  tick() {
    if (this.status && this.isLive()) this.showStatus();
  }

  showStatus() {
    const s = this.status;
    document.title = s.workflow + " · " + s.state + " · Sheaf";
    element("run-title").textContent = s.workflow || s.id;
    element("run-place").textContent = s.id + " · " + s.strategy + " on " + s.on + ", " + plural(s.nodes, "node")
      + (s.coresPerNode > 1 ? " of " + s.coresPerNode + " cores" : "")
      + (s.memoryPerNodeBytes ? ", " + (s.memoryPerNodeBytes / 2 ** 30).toFixed(1) + " GiB each" : "");
    element("run-state").className = "pill " + s.state;
    element("run-state").textContent = s.state;
    element("cancel").hidden = !this.isLive() && s.state !== "interrupted";
    element("resume").hidden = s.state !== "paused";
    element("queue-panel").hidden = !this.isLive();
    element("force-title").textContent = this.isLive() ? "Current decision" : "Last decision";
    element("why").textContent = this.why();
    // From the same status as the sentence above; the chart follows when it is loaded.
    element("chart-none").hidden = s.jobs > 0;
    this.showProgress();
    const facts = [[this.isLive() ? "elapsed" : s.state === "done" ? "makespan" : "elapsed", time(this.elapsed())]];
    if (s.expectedEndSeconds !== undefined && this.isLive()) {
      const left = s.expectedEndSeconds - this.elapsed();
      facts.push(["estimated end", left >= 0 ? "in " + time(left) : time(-left) + " ago"]);
    }
    if (s.expectedMakespanSeconds !== undefined) facts.push(["first estimate of makespan", time(s.expectedMakespanSeconds)]);
    facts.push(["no job running", time(s.nothingRunningSeconds)], ["total queue wait", time(s.waitSeconds)],
      ["node-hours used", nodeHours(s.nodeHoursUsed), "of " + nodeHours(s.nodeHoursHeld) + " allocated"],
      ["pilot jobs", count(s.jobs)], ["decisions", count(s.decisions)]);
    element("facts").replaceChildren(...facts.map(([name, value, more]) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, value, more ? make("small", {}, " " + more) : ""))));
  }

  /** Why it is as it is, in a sentence. */
  why() {
    const s = this.status;
    if (s.why) return "Paused: " + s.why;
    const now = this.elapsed();
    const queued = s.pilotJobs.filter(p => p.state === "queued");
    const running = s.pilotJobs.filter(p => p.state === "running");
    const next = queued.filter(p => p.expectedStartSeconds !== undefined).sort((a, b) => a.expectedStartSeconds - b.expectedStartSeconds)[0];
    const words = p => "job " + p.token + " (" + plural(p.nodes, "node") + " × " + time(p.walltimeSeconds) + ", " + p.claim + ")";
    const expected = next ? (next.expectedStartSeconds > now ? "estimated start in " + time(next.expectedStartSeconds - now)
      : "estimated start " + time(now - next.expectedStartSeconds) + " ago") : "";
    switch (s.state) {
      case "waiting":
        if (queued.length === 0 && s.jobs > 0) {
          return s.tasks.waiting + s.tasks.ready + s.tasks.running > 0 ? "No job is queued or running." : "All submitted tasks have ended; waiting for more.";
        }
        return queued.length === 0 ? "No job submitted yet." : "Queued: " + words(next ?? queued[0]) + ", submitted "
          + time(now - (next ?? queued[0]).submittedSeconds) + " ago" + (expected ? ", " + expected : "") + ".";
      case "running":
        return (s.tasks.running > 0 ? plural(s.tasks.running, "task") + " running in " + plural(running.length, "job")
          : running.length > 0 ? "No task is running yet in " + words(running[0]) : "No task is running")
          + (next ? "; queued: " + words(next) + ", " + expected : "") + ".";
      case "interrupted": return "No manager is running. Continue with: sheaf resume " + s.folder;
      case "done": return "All " + plural(s.tasks.done, "task") + " done in " + time(s.makespanSeconds)
        + (s.expectedMakespanSeconds !== undefined ? "; " + time(s.expectedMakespanSeconds) + " estimated at the start." : ".");
      case "failed": {
        const left = s.tasks.waiting + s.tasks.ready + s.tasks.running;
        return plural(s.tasks.failed, "task") + " failed, " + count(s.tasks.skipped) + " skipped, " + (left > 0 ? count(left) + " not run, " : "")
          + count(s.tasks.done) + " done.";
      }
      case "cancelled": return "Cancelled with " + count(s.tasks.done) + " of " + plural(s.states.length, "task") + " done.";
      default: return "";
    }
  }

  showProgress() {
    const { tasks, states } = this.status;
    const shown = Object.values(STATES).filter(state => tasks[state.name] > 0);
    const bars = shown.map(state => {
      const bar = make("i", { class: "st-" + state.name });
      bar.style.width = tasks[state.name] / Math.max(1, states.length) * 100 + "%";
      return bar;
    });
    element("progress").replaceChildren(...bars);
    const words = shown.map(state => count(tasks[state.name]) + " " + (this.isOver() ? RunPage.LEFT[state.name] ?? state.name : state.name));
    element("progress").setAttribute("aria-label", "Tasks: " + words.join(", "));
    element("progress-legend").replaceChildren(...shown.map((state, i) => make("span", {}, make("i", { class: "swatch st-" + state.name }),
      (state.glyph ? state.glyph + " " : "") + words[i])));
  }

  async load() {
    const { records } = this.status;
    const grown = this.tasks.length !== this.status.states.length;
    const [tasks, jobs, decisions, chart] = await Promise.all([
      grown || this.task >= 0 || !this.isLive() ? Api.get(this.base + "/tasks") : null,
      Api.get(this.base + "/jobs"), Api.get(this.base + "/decisions"), Api.get(this.base + "/chart", "text")]);
    this.records = records;
    if (tasks) {
      this.tasks = tasks.tasks;
      if (grown) this.dag.load(this.tasks);
      this.dag.show(this.status.states);
    }
    this.jobs = jobs.jobs;
    this.showJobs(this.jobs);
    this.showDecisions(decisions.decisions);
    this.showChart(chart, jobs.jobs.length);
    if (this.task >= 0) this.tellTask();
    if (this.task >= 0 && "ryf".includes(this.status.states[this.task])) this.readLog();
  }

  /** The chart's data are elements that hold text; the browser does not run them. */
  showChart(packed, jobs) {
    element("chart-body").hidden = jobs === 0;
    if (jobs === 0) return;
    element("data").innerHTML = packed;
    const root = element("chart");
    Object.assign(root.dataset, element("r1-pilot-jobs").dataset);
    if (this.chart) this.chart.reload();
    else this.chart = showRun(root, "r1-", "w1-");
    if (this.shownId !== this.id) this.chart.view.whole();
    this.shownId = this.id;
  }

  /** The workflows of a service with their owners; other runs with several workflows have no such list. */
  async loadWorkflows() {
    let listed = [];
    try {
      listed = (await Api.get("/api/workflows")).workflows;
    } catch {
      // The server is not that of a service.
    }
    element("workflows-panel").hidden = listed.length === 0;
    if (listed.length > 0) {
      element("cancel").textContent = "Cancel service";
      element("confirm-title").textContent = "Cancel this service and all its workflows?";
    }
    element("workflows").replaceChildren(...listed.slice(-500).reverse().map(each => make("tr", {},
      ...[each.id, each.owner || "–"].map(text => make("td", {}, text)),
      make("td", {}, make("span", { class: "pill " + each.state }, each.state)),
      ...[count(each.done) + " of " + count(each.tasks), count(each.running), count(each.failed), String(each.priority),
        "after " + time(each.arrivedSeconds), time((each.endedSeconds ?? this.elapsed()) - each.arrivedSeconds)].map(text => make("td", {}, text)))));
  }

  showJobs(jobs) {
    element("jobs").replaceChildren(...jobs.slice(-500).reverse().map(job => {
      const off = job.startSeconds !== undefined && job.expectedStartSeconds !== undefined ? job.startSeconds - job.expectedStartSeconds : null;
      const instant = at => at === undefined ? "–" : Elapsed.words(at, true);
      const row = make("tr", { "data-job": job.job, tabindex: 0 }, ...[String(job.job), job.tasks, count(job.nodes), time(job.walltimeSeconds),
        instant(job.submittedSeconds), instant(job.expectedStartSeconds), instant(job.startSeconds)].map(text => make("td", {}, text)),
        make("td", { class: off === null || Math.abs(off) < 0.05 ? null : off < 0 ? "early" : "late" }, off === null ? "" : Math.abs(off) < 0.05 ? "as expected"
          : off < 0 ? "▼ " + time(-off) + " earlier" : "▲ " + time(off) + " later"),
        make("td", {}, job.startSeconds === undefined ? "" : time((job.endSeconds ?? this.elapsed()) - job.startSeconds)),
        make("td", {}, job.ended !== "open" ? job.ended : this.isOver() ? (this.status.state === "done" ? "done" : "stopped") : job.startSeconds === undefined ? "queued" : "running"));
      const show = () => this.chart?.showJob(job.job);
      row.addEventListener("click", show);
      row.addEventListener("keydown", event => { if (event.key === "Enter") show(); });
      return row;
    }));
  }

  showDecisions(decisions) {
    if (JSON.stringify(decisions) === this.decisionsShown) return;
    this.decisionsShown = JSON.stringify(decisions);
    const open = new Set([...element("decisions").querySelectorAll("details[open]")].map(each => each.dataset.number));
    element("decisions").replaceChildren(...decisions.map((decision, number) => {
      const details = make("details", { "data-number": number, open: open.has(String(number)) ? "" : null },
        make("summary", {}, make("b", {}, "after " + time(decision.atSeconds) + " "), RunPage.summary(decision)), ...this.decision(decision));
      return make("li", {}, details);
    }).reverse());
    element("decisions").start = decisions.length;
    const force = decisions.findLast(each => each.orders.some(order => order.order === "submit")) ?? decisions[decisions.length - 1];
    element("force").replaceChildren(...(force ? [make("p", { class: "hint" }, "decided after " + time(force.atSeconds)),
      make("p", { class: "chosen" }, RunPage.summary(force)), ...this.decision(force)] : [make("p", { class: "hint" }, "No decision yet.")]));
  }

  static summary(decision) {
    return decision.chosen || decision.orders.map(order => order.order + " job " + order.job).join(", ");
  }

  /** Options by rank, the chosen one marked, and its result. */
  decision(decision) {
    const parts = [];
    if (decision.options.length > 0) {
      const ranked = decision.options.map((option, i) => ({ ...option, taken: i === decision.taken }));
      ranked.sort((a, b) => (a.makespanSeconds ?? Infinity) - (b.makespanSeconds ?? Infinity));
      const most = Math.max(...ranked.map(option => option.makespanSeconds ?? 0), 1);
      parts.push(make("div", { class: "scroll" }, make("table", { class: "plain options" },
        make("thead", {}, make("tr", {}, ...["option", "nodes", "walltime", "queue wait", "makespan"].map(name => make("th", { scope: "col" }, name)))),
        make("tbody", {}, ...ranked.slice(0, 30).map(option => {
          const bar = make("i");
          bar.style.width = (option.makespanSeconds ?? 0) / most * 100 + "%";
          return make("tr", { class: option.taken ? "taken" : null }, make("td", {}, (option.taken ? "✓ " : "") + option.what),
            make("td", {}, count(option.nodes)), make("td", {}, time(option.walltimeSeconds)), make("td", {}, time(option.waitSeconds)),
            make("td", { class: "meter" }, option.makespanSeconds === undefined ? "·" : time(option.makespanSeconds), bar));
        })))));
      if (ranked.length > 30) parts.push(make("p", { class: "hint" }, "and " + (ranked.length - 30) + " more"));
    }
    for (const order of decision.orders.filter(each => each.order === "submit")) {
      const words = ["Job " + order.job + " for " + (order.tasks ?? "?") + ": " + plural(order.nodes, "node") + " × " + time(order.walltimeSeconds)];
      if (order.expectedStartSeconds !== undefined) words.push("estimated start after " + time(order.expectedStartSeconds));
      words.push(order.startSeconds === undefined ? "not started yet" : "started after " + time(order.startSeconds));
      if (order.ended && order.ended !== "open") words.push(order.ended);
      parts.push(make("p", { class: "came" }, words.join(", ") + "."));
    }
    return parts;
  }

  pickBar() {
    if (!this.chart || this.chart.gantt.item < 0) return;
    const task = this.chart.taskOf(this.chart.gantt.item);
    this.dag.choose(task);
  }

  pick(task) {
    this.task = task;
    this.tellTask();
    this.askLog();
  }

  tellTask() {
    const task = this.tasks[this.task];
    const state = STATES[this.status.states[this.task]].name;
    element("dag-told").textContent = task.id + ": " + state + ", level " + task.level + (task.category ? ", " + task.category : "");
    element("task-title").textContent = "Task " + task.id;
    const facts = [["state", state + (task.attempts > 1 ? ", attempt " + task.attempts : "")], ["category", task.category || "–"], ["level", task.level]];
    if (task.expectedSeconds !== undefined) facts.push(["expected run time", time(task.expectedSeconds)]);
    if (task.startSeconds !== undefined) facts.push(["started", "after " + time(task.startSeconds) + " in job " + task.job], ["run time", time(task.ranSeconds)]);
    facts.push(["depends on", task.parents.length === 0 ? "nothing" : task.parents.slice(0, 6).map(p => this.tasks[p].id).join(", ")
      + (task.parents.length > 6 ? " and " + (task.parents.length - 6) + " more" : "")]);
    element("task-facts").replaceChildren(...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, String(value))]));
  }

  async readLog() {
    const asked = this.task;
    element("streams").hidden = false;
    for (const button of element("streams").children) button.setAttribute("aria-pressed", button.dataset.stream === this.stream);
    let text;
    try {
      text = await Api.get(this.base + "/log/" + encodeURIComponent(this.tasks[asked].id) + "?stream=" + this.stream, "text");
    } catch (error) {
      text = error.message;
    }
    if (asked === this.task) element("log").textContent = text || "(no output)";
  }

  async ask(what) {
    try {
      const { note } = await Api.post(this.base + "/" + what);
      element("why").textContent = note ?? (what === "cancel" ? "The run is being cancelled." : "The run is being resumed.");
    } catch (error) {
      element("why").textContent = error.message;
    }
  }

  async loadQueue() {
    if (!this.isLive()) return;
    const shape = this.shape ? "&nodes=" + this.shape.nodes + "&seconds=" + this.shape.seconds : "";
    try {
      this.queue = await Api.get("/api/queue?run=" + encodeURIComponent(this.id) + shape);
    } catch (error) {
      element("estimate").textContent = error.message;
      return;
    }
    if (!this.shape) {
      this.reshape(Math.max(1, Math.round(this.queue.nodes / 4)), 60);
      return;
    }
    this.queueChart.show(this.queue, this.shape, this.status.pilotJobs
      .filter(p => p.state === "queued" && p.expectedStartSeconds !== undefined)
      .map(p => ({ job: p.token, startSeconds: Math.max(0, p.expectedStartSeconds - this.elapsed()) })));
    const { estimate } = this.queue;
    element("estimate").textContent = !estimate ? "" : estimate.state === "never" ? "can never start"
      : estimate.waitSeconds < 1 ? "estimated start: now" : "estimated start in " + time(estimate.waitSeconds);
  }

  /** Times on the slider grow by steps of the same ratio: 1 s to 7 days. */
  static seconds(value) { return Math.round(Math.exp(value / 100 * Math.log(7 * 86400))); }

  slid() {
    this.reshape(Number(element("shape-nodes").value), RunPage.seconds(Number(element("shape-time").value)), true);
  }

  reshape(nodes, seconds, bySlider = false) {
    this.shape = { nodes, seconds };
    element("shape-nodes").max = this.queue.nodes;
    if (!bySlider) {
      element("shape-nodes").value = nodes;
      element("shape-time").value = Math.log(seconds) / Math.log(7 * 86400) * 100;
    }
    element("shape-nodes-told").textContent = count(nodes);
    element("shape-time-told").textContent = time(seconds);
    this.askQueue();
  }
}
