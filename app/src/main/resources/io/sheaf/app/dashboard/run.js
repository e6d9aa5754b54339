"use strict";
/** The page of a run. It shows each status event at once, and loads charts and tables again after a change. */
class RunPage {
  /** The names of task states in a run that has ended. */
  static ENDED_STATES = { running: "stopped", ready: "ready, not run", waiting: "not run" };

  constructor() {
    this.source = null;
    this.dag = new Dag(element("dag"), task => this.selectTask(task));
    this.queueChart = new QueueChart(element("queue"), (nodes, seconds) => this.setShape(nodes, seconds));
    this.stream = "out";
    element("resume").addEventListener("click", () => this.post("resume"));
    element("cancel").addEventListener("click", () => element("confirm").showModal());
    element("confirm").addEventListener("close", () => {
      if (element("confirm").returnValue === "yes") this.post("cancel");
    });
    for (const button of element("streams").children) {
      button.addEventListener("click", () => {
        this.stream = button.dataset.stream;
        this.readLog();
      });
    }
    for (const id of ["shape-nodes", "shape-time"]) element(id).addEventListener("input", () => this.readSliders());
    element("gantt").addEventListener("click", () => this.selectTaskOfBar());
    element("gantt").addEventListener("keydown", event => {
      if (event.key === "Enter") this.selectTaskOfBar();
    });
  }

  open(id) {
    if (this.id === id && this.source) return;
    this.close();
    Object.assign(this, { id, base: "/api/runs/" + encodeURIComponent(id), records: -1, tasks: [], task: -1, shape: null, status: null,
      queue: null, jobs: [] });
    // Clear the content of the previous run until the first status arrives.
    element("run-title").textContent = id;
    for (const part of ["run-place", "run-state", "state-reason", "progress", "progress-legend", "facts", "jobs", "decisions"]) {
      element(part).replaceChildren();
    }
    this.decisionsShown = "";
    element("chart-none").hidden = true;
    element("current-decision").replaceChildren(make("p", { class: "hint" }, "Loading …"));
    element("log").textContent = "Select a task to show its output.";
    element("task-facts").replaceChildren();
    element("streams").hidden = true;
    element("task-title").textContent = "Task";
    this.refresh = throttled(() => this.load(), 1000);
    this.requestLog = throttled(() => this.readLog(), 200);
    this.requestWorkflows = throttled(() => this.loadWorkflows(), 1000);
    this.requestQueue = throttled(() => this.loadQueue(), 150);
    this.source = Api.follow(this.base + "/events", "run", status => this.onStatus(status),
      () => this.status !== null && this.hasEnded());
    this.clock = setInterval(() => this.tick(), 1000);
  }

  close() {
    if (this.source) this.source.close();
    clearInterval(this.clock);
    this.source = null;
  }

  onStatus(status) {
    this.status = status;
    this.receivedAt = performance.now();
    this.showStatus();
    // The server may stop before the next request; no job runs in a run that has ended.
    if (this.hasEnded()) this.showJobs(this.jobs);
    if (this.tasks.length === status.states.length) this.dag.show(status.states);
    if (status.records !== this.records || this.isLive()) this.refresh();
    if (status.workflows > 0) this.requestWorkflows();
    else element("workflows-panel").hidden = true;
    this.requestQueue();
  }

  /** True if no more events will arrive: the run has ended and is not interrupted. */
  hasEnded() { return !this.isLive() && this.status.state !== "interrupted"; }

  /** True if a manager is running. */
  isLive() { return ["running", "waiting", "paused"].includes(this.status?.state); }

  /** Seconds since the start of the run, also between two events; the makespan of a run that has ended. */
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
    element("current-decision-title").textContent = this.isLive() ? "Current decision" : "Last decision";
    element("state-reason").textContent = this.stateReason();
    // The same status as in the sentence above; the chart loads later.
    element("chart-none").hidden = s.jobs > 0;
    this.showProgress();
    const facts = [[s.state === "done" ? "makespan" : "elapsed", time(this.elapsed())]];
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

  /** One sentence on the current state and its reason. */
  stateReason() {
    const s = this.status;
    if (s.why) return "Paused: " + s.why;
    const now = this.elapsed();
    const queued = s.pilotJobs.filter(p => p.state === "queued");
    const running = s.pilotJobs.filter(p => p.state === "running");
    const next = queued.filter(p => p.expectedStartSeconds !== undefined).sort((a, b) => a.expectedStartSeconds - b.expectedStartSeconds)[0];
    const describe = p => "job " + p.token + " (" + plural(p.nodes, "node") + " × " + time(p.walltimeSeconds) + ", " + p.claim + ")";
    const expected = next ? (next.expectedStartSeconds > now ? "estimated start in " + time(next.expectedStartSeconds - now)
      : "estimated start " + time(now - next.expectedStartSeconds) + " ago") : "";
    switch (s.state) {
      case "waiting":
        if (queued.length === 0 && s.jobs > 0) {
          return s.tasks.waiting + s.tasks.ready + s.tasks.running > 0 ? "No job is queued or running."
            : "All submitted tasks have ended; waiting for more.";
        }
        return queued.length === 0 ? "No job submitted yet." : "Queued: " + describe(next ?? queued[0]) + ", submitted "
          + time(now - (next ?? queued[0]).submittedSeconds) + " ago" + (expected ? ", " + expected : "") + ".";
      case "running":
        return (s.tasks.running > 0 ? plural(s.tasks.running, "task") + " running in " + plural(running.length, "job")
          : running.length > 0 ? "No task is running yet in " + describe(running[0]) : "No task is running")
          + (next ? "; queued: " + describe(next) + ", " + expected : "") + ".";
      case "interrupted": return "No manager is running. Continue with: sheaf resume " + s.folder;
      case "done": return "All " + plural(s.tasks.done, "task") + " done in " + time(s.makespanSeconds)
        + (s.expectedMakespanSeconds !== undefined ? "; " + time(s.expectedMakespanSeconds) + " estimated at the start." : ".");
      case "failed": {
        const left = s.tasks.waiting + s.tasks.ready + s.tasks.running;
        return plural(s.tasks.failed, "task") + " failed, " + count(s.tasks.skipped) + " skipped, "
          + (left > 0 ? count(left) + " not run, " : "") + count(s.tasks.done) + " done.";
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
    const names = this.hasEnded() ? RunPage.ENDED_STATES : {};
    const labels = shown.map(state => count(tasks[state.name]) + " " + (names[state.name] ?? state.name));
    element("progress").setAttribute("aria-label", "Tasks: " + labels.join(", "));
    element("progress-legend").replaceChildren(...shown.map((state, i) => make("span", {}, make("i", { class: "swatch st-" + state.name }),
      (state.glyph ? state.glyph + " " : "") + labels[i])));
  }

  async load() {
    const { records } = this.status;
    const hasNewTasks = this.tasks.length !== this.status.states.length;
    const [tasks, jobs, decisions, chart] = await Promise.all([
      hasNewTasks || this.task >= 0 || !this.isLive() ? Api.get(this.base + "/tasks") : null,
      Api.get(this.base + "/jobs"), Api.get(this.base + "/decisions"), Api.get(this.base + "/chart", "text")]);
    this.records = records;
    if (tasks) {
      this.tasks = tasks.tasks;
      if (hasNewTasks) this.dag.load(this.tasks);
      this.dag.show(this.status.states);
    }
    this.jobs = jobs.jobs;
    this.showJobs(this.jobs);
    this.showDecisions(decisions.decisions);
    this.showChart(chart, jobs.jobs.length);
    if (this.task >= 0) this.showTask();
    if (this.task >= 0 && "ryf".includes(this.status.states[this.task])) this.readLog();
  }

  /** Shows the Gantt chart. Its data are elements with text, which the browser does not execute. */
  showChart(packed, jobs) {
    element("chart-body").hidden = jobs === 0;
    if (jobs === 0) return;
    element("data").innerHTML = packed;
    const root = element("chart");
    Object.assign(root.dataset, element("r1-pilot-jobs").dataset);
    if (this.chart) this.chart.reload();
    else this.chart = showRun(root, "r1-", "w1-");
    if (this.chartId !== this.id) this.chart.view.showAll();
    this.chartId = this.id;
  }

  /** Shows the workflows of a service with their owners; the panel is hidden for other runs. */
  async loadWorkflows() {
    let workflows = [];
    try {
      workflows = (await Api.get("/api/workflows")).workflows;
    } catch {
      // The server is not a service.
    }
    element("workflows-panel").hidden = workflows.length === 0;
    if (workflows.length > 0) {
      element("cancel").textContent = "Cancel service";
      element("confirm-title").textContent = "Cancel this service and all its workflows?";
    }
    element("workflows").replaceChildren(...workflows.slice(-500).reverse().map(each => make("tr", {},
      ...[each.id, each.owner || "–"].map(text => make("td", {}, text)),
      make("td", {}, make("span", { class: "pill " + each.state }, each.state)),
      ...[count(each.done) + " of " + count(each.tasks), count(each.running), count(each.failed), String(each.priority),
        "after " + time(each.arrivedSeconds), time((each.endedSeconds ?? this.elapsed()) - each.arrivedSeconds)]
        .map(text => make("td", {}, text)))));
  }

  showJobs(jobs) {
    const instant = at => at === undefined ? "–" : Elapsed.text(at, true);
    element("jobs").replaceChildren(...jobs.slice(-500).reverse().map(job => {
      const delay = RunPage.delay(job);
      const row = make("tr", { "data-job": job.job, tabindex: 0 }, ...[String(job.job), job.tasks, count(job.nodes), time(job.walltimeSeconds),
        instant(job.submittedSeconds), instant(job.expectedStartSeconds), instant(job.startSeconds)].map(text => make("td", {}, text)),
        make("td", { class: delay.kind }, delay.text),
        make("td", {}, job.startSeconds === undefined ? "" : time((job.endSeconds ?? this.elapsed()) - job.startSeconds)),
        make("td", {}, this.jobState(job)));
      const show = () => this.chart?.showJob(job.job);
      row.addEventListener("click", show);
      row.addEventListener("keydown", event => { if (event.key === "Enter") show(); });
      return row;
    }));
  }

  /** The difference of actual and estimated start as {kind, text}; `kind` is a CSS class or null. */
  static delay({ startSeconds, expectedStartSeconds }) {
    if (startSeconds === undefined || expectedStartSeconds === undefined) return { kind: null, text: "" };
    const delay = startSeconds - expectedStartSeconds;
    if (Math.abs(delay) < 0.05) return { kind: null, text: "as expected" };
    return delay < 0 ? { kind: "early", text: "▼ " + time(-delay) + " earlier" } : { kind: "late", text: "▲ " + time(delay) + " later" };
  }

  jobState(job) {
    if (job.ended !== "open") return job.ended;
    if (this.hasEnded()) return this.status.state === "done" ? "done" : "stopped";
    return job.startSeconds === undefined ? "queued" : "running";
  }

  showDecisions(decisions) {
    if (JSON.stringify(decisions) === this.decisionsShown) return;
    this.decisionsShown = JSON.stringify(decisions);
    const open = new Set([...element("decisions").querySelectorAll("details[open]")].map(each => each.dataset.number));
    element("decisions").replaceChildren(...decisions.map((decision, number) => {
      const details = make("details", { "data-number": number, open: open.has(String(number)) ? "" : null },
        make("summary", {}, make("b", {}, "after " + time(decision.atSeconds) + " "), RunPage.summary(decision)),
        ...this.decisionDetails(decision));
      return make("li", {}, details);
    }).reverse());
    element("decisions").start = decisions.length;
    const current = decisions.findLast(each => each.orders.some(order => order.order === "submit")) ?? decisions[decisions.length - 1];
    element("current-decision").replaceChildren(...(current
      ? [make("p", { class: "hint" }, "decided after " + time(current.atSeconds)), make("p", { class: "chosen" }, RunPage.summary(current)),
        ...this.decisionDetails(current)]
      : [make("p", { class: "hint" }, "No decision yet.")]));
  }

  static summary(decision) {
    return decision.chosen || decision.orders.map(order => order.order + " job " + order.job).join(", ");
  }

  /** The elements of a decision: its options by estimated makespan, with a mark at the chosen one, and the submitted jobs. */
  decisionDetails(decision) {
    const parts = [];
    if (decision.options.length > 0) {
      const ranked = decision.options.map((option, i) => ({ ...option, chosen: i === decision.taken }));
      ranked.sort((a, b) => (a.makespanSeconds ?? Infinity) - (b.makespanSeconds ?? Infinity));
      const max = Math.max(...ranked.map(option => option.makespanSeconds ?? 0), 1);
      parts.push(make("div", { class: "scroll" }, make("table", { class: "plain options" },
        make("thead", {}, make("tr", {}, ...["option", "nodes", "walltime", "queue wait", "makespan"]
          .map(name => make("th", { scope: "col" }, name)))),
        make("tbody", {}, ...ranked.slice(0, 30).map(option => {
          const bar = make("i");
          bar.style.width = (option.makespanSeconds ?? 0) / max * 100 + "%";
          return make("tr", { class: option.chosen ? "chosen" : null }, make("td", {}, (option.chosen ? "✓ " : "") + option.what),
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
      parts.push(make("p", { class: "outcome" }, words.join(", ") + "."));
    }
    return parts;
  }

  /** Selects the task of the selected bar of the Gantt chart. */
  selectTaskOfBar() {
    if (this.chart && this.chart.gantt.selected >= 0) this.dag.select(this.chart.taskOf(this.chart.gantt.selected));
  }

  selectTask(task) {
    this.task = task;
    this.showTask();
    this.requestLog();
  }

  showTask() {
    const task = this.tasks[this.task];
    const state = STATES[this.status.states[this.task]].name;
    element("dag-selection").textContent = task.id + ": " + state + ", level " + task.level + (task.category ? ", " + task.category : "");
    element("task-title").textContent = "Task " + task.id;
    const facts = [["state", state + (task.attempts > 1 ? ", attempt " + task.attempts : "")], ["category", task.category || "–"],
      ["level", task.level]];
    if (task.expectedSeconds !== undefined) facts.push(["expected run time", time(task.expectedSeconds)]);
    if (task.startSeconds !== undefined) {
      facts.push(["started", "after " + time(task.startSeconds) + " in job " + task.job], ["run time", time(task.ranSeconds)]);
    }
    facts.push(["depends on", task.parents.length === 0 ? "nothing" : task.parents.slice(0, 6).map(p => this.tasks[p].id).join(", ")
      + (task.parents.length > 6 ? " and " + (task.parents.length - 6) + " more" : "")]);
    element("task-facts").replaceChildren(...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, String(value))]));
  }

  async readLog() {
    const requested = this.task;
    element("streams").hidden = false;
    for (const button of element("streams").children) button.setAttribute("aria-pressed", button.dataset.stream === this.stream);
    let text;
    try {
      text = await Api.get(this.base + "/log/" + encodeURIComponent(this.tasks[requested].id) + "?stream=" + this.stream, "text");
    } catch (error) {
      text = error.message;
    }
    if (requested === this.task) element("log").textContent = text || "(no output)";
  }

  /** Sends a control request: cancel or resume. */
  async post(action) {
    try {
      const { note } = await Api.post(this.base + "/" + action);
      element("state-reason").textContent = note ?? (action === "cancel" ? "The run is being cancelled." : "The run is being resumed.");
    } catch (error) {
      element("state-reason").textContent = error.message;
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
      this.setShape(Math.max(1, Math.round(this.queue.nodes / 4)), 60);
      return;
    }
    this.queueChart.show(this.queue, this.shape, this.status.pilotJobs
      .filter(p => p.state === "queued" && p.expectedStartSeconds !== undefined)
      .map(p => ({ job: p.token, startSeconds: Math.max(0, p.expectedStartSeconds - this.elapsed()) })));
    const { estimate } = this.queue;
    element("estimate").textContent = !estimate ? "" : estimate.state === "never" ? "can never start"
      : estimate.waitSeconds < 1 ? "estimated start: now" : "estimated start in " + time(estimate.waitSeconds);
  }

  /** The walltime for a position of the slider, on a logarithmic scale from 1 s to 7 days. */
  static seconds(value) { return Math.round(Math.exp(value / 100 * Math.log(7 * 86400))); }

  readSliders() {
    this.setShape(Number(element("shape-nodes").value), RunPage.seconds(Number(element("shape-time").value)), true);
  }

  /** Sets the shape of the what-if job and requests its estimated start. */
  setShape(nodes, seconds, bySlider = false) {
    this.shape = { nodes, seconds };
    element("shape-nodes").max = this.queue.nodes;
    if (!bySlider) {
      element("shape-nodes").value = nodes;
      element("shape-time").value = Math.log(seconds) / Math.log(7 * 86400) * 100;
    }
    element("shape-nodes-value").textContent = count(nodes);
    element("shape-time-value").textContent = time(seconds);
    this.requestQueue();
  }
}
