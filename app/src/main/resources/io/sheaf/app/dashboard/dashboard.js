"use strict";
/* Shows the page in the fragment of the address: the list of runs (#/), a run (#/run/ID) or the lab (#/lab/TABLE). */
(() => {
  const runPage = new RunPage();
  const labPage = new LabPage();
  let runEvents = null;

  function show() {
    const [page = "", name = ""] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
    const shown = page === "run" && name ? "run" : page === "lab" ? "lab" : "runs";
    for (const each of ["runs", "run", "lab"]) element(each + "-page").hidden = each !== shown;
    for (const link of document.querySelectorAll("[data-page]")) {
      if (link.dataset.page === shown) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (runEvents) runEvents.close();
    runEvents = null;
    if (shown === "run") runPage.open(name);
    else runPage.close();
    if (shown === "runs") {
      document.title = "Runs · Sheaf";
      runEvents = Api.follow("/api/events", "runs", ({ runs }) => showList(runs));
    }
    if (shown === "lab") {
      document.title = "Lab · Sheaf";
      labPage.open(name).then(() => Api.showConnection("live", "live"), error => Api.showConnection("disconnected", error.message));
    }
  }

  function showList(runs) {
    element("runs-none").hidden = runs.length > 0;
    element("runs").replaceChildren(...runs.map(card));
  }

  /** The card of a run in the list. */
  function card(run) {
    const progress = make("div", { class: "progress", role: "img", "aria-label": run.done + " of " + run.tasks + " tasks done" });
    for (const [name, number] of [["done", run.done], ["running", run.running], ["failed", run.failed]]) {
      const bar = progress.appendChild(make("i", { class: "st-" + name }));
      bar.style.width = (number ?? 0) / Math.max(1, run.tasks) * 100 + "%";
    }
    const format = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
    const start = run.begunSeconds > 1e9 ? new Date(run.begunSeconds * 1000).toLocaleString("en-GB", format) : "";
    return make("a", { class: "card", href: "#/run/" + encodeURIComponent(run.id) },
      make("span", {}, make("b", {}, run.workflow || run.id), make("small", {}, run.id + (run.strategy ? " · " + run.strategy : ""))),
      make("span", { class: "pill " + run.state }, run.state),
      make("span", {}, progress, make("small", {}, run.why ?? count(run.done ?? 0) + " of " + plural(run.tasks ?? 0, "task"))),
      make("span", { class: "time" }, run.elapsedSeconds === undefined ? "" : time(run.elapsedSeconds), make("br"), make("small", {}, start)));
  }

  Theme.connect(element("theme"));

  addEventListener("hashchange", () => {
    show();
    element("main").focus();
  });
  show();
})();
