"use strict";
/* The page of a lab report: shows the run that the user selects, or the command that writes a page about it. */
(() => {
  const LABELS = ["typical", "worst", "best"];
  const element = id => document.getElementById(id);

  document.addEventListener("click", event => {
    const clicked = event.target.closest("[data-run]");
    if (clicked) open(clicked.dataset.run.split(" "));
  });
  element("select-run").addEventListener("submit", event => {
    event.preventDefault();
    const number = element("number").value.trim();
    if (/^[0-9]+$/.test(number)) open([number]);
  });
  element("close").addEventListener("click", () => element("run-dialog").close());

  /** Opens the dialog with the first of these runs and a button for each. */
  function open(numbers) {
    const buttons = element("run-buttons");
    buttons.textContent = "";
    numbers.forEach((number, i) => {
      const button = buttons.appendChild(document.createElement("button"));
      button.type = "button";
      button.textContent = (numbers.length === LABELS.length ? LABELS[i] + ": " : "run ") + number;
      button.addEventListener("click", () => show(number));
    });
    element("run-dialog").showModal();
    show(numbers[0]);
  }

  function show(number) {
    const packed = element("r" + number + "-pilot-jobs");
    const view = element("view");
    view.textContent = "";
    element("no-data").hidden = packed !== null;
    element("run-title").textContent = "Run " + number + (packed ? ": " + packed.dataset.title : "");
    element("command").textContent = document.body.dataset.show.replace("RUN", number).replace("RUN", number);
    if (packed) {
      const root = view.appendChild(document.createElement("div"));
      Object.assign(root.dataset, packed.dataset);
      root.appendChild(element("run-view").content.cloneNode(true));
      showRun(root, "r" + number + "-", packed.dataset.workflow);
    }
  }
})();
