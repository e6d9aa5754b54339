"use strict";
/* Which page is shown is in the address behind #: the list, a run, the lab. */
(() => {
  const run = new RunPage();
  const lab = new LabPage();
  let list = null;

  function show() {
    const [page = "", name = ""] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
    const which = page === "run" && name ? "run" : page === "lab" ? "lab" : "runs";
    for (const each of ["runs", "run", "lab"]) element(each + "-page").hidden = each !== which;
    for (const link of document.querySelectorAll("[data-page]")) {
      if (link.dataset.page === which) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (list) list.close();
    list = null;
    if (which === "run") run.open(name);
    else run.close();
    if (which === "runs") {
      document.title = "Runs · Sheaf";
      list = Api.follow("/api/events", "runs", ({ runs }) => showList(runs));
    }
    if (which === "lab") {
      document.title = "Lab · Sheaf";
      lab.open(name).then(() => Api.link("live", "live"), error => Api.link("gone", error.message));
    }
  }

  function showList(runs) {
    element("runs-none").hidden = runs.length > 0;
    element("runs").replaceChildren(...runs.map(card));
  }

  function card(each) {
    const progress = make("div", { class: "progress", role: "img", "aria-label": each.done + " of " + each.tasks + " tasks done" });
    for (const [name, number] of [["done", each.done], ["running", each.running], ["failed", each.failed]]) {
      const bar = progress.appendChild(make("i", { class: "st-" + name }));
      bar.style.width = (number ?? 0) / Math.max(1, each.tasks) * 100 + "%";
    }
    const begun = each.begunSeconds > 1e9 ? new Date(each.begunSeconds * 1000).toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }) : "";
    return make("a", { class: "card", href: "#/run/" + encodeURIComponent(each.id) },
      make("span", {}, make("b", {}, each.workflow || each.id), make("small", {}, each.id + (each.strategy ? " · " + each.strategy : ""))),
      make("span", { class: "pill " + each.state }, each.state),
      make("span", {}, progress, make("small", {}, each.why ?? count(each.done ?? 0) + " of " + plural(each.tasks ?? 0, "task"))),
      make("span", { class: "time" }, each.elapsedSeconds === undefined ? "" : time(each.elapsedSeconds), make("br"), make("small", {}, begun)));
  }

  Theme.chosenWith(element("theme"));

  addEventListener("hashchange", () => {
    show();
    element("main").focus();
  });
  show();
})();
