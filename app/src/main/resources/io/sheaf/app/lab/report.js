"use strict";
/* The page of a report: shows the run that was clicked on, or the command that makes a page of it. */
(() => {
  const WORDS = ["typical", "worst", "best"];
  const element = id => document.getElementById(id);

  document.addEventListener("click", event => {
    const pointed = event.target.closest("[data-run]");
    if (pointed) open(pointed.dataset.run.split(" "));
  });
  element("any").addEventListener("submit", event => {
    event.preventDefault();
    const number = element("number").value.trim();
    if (/^[0-9]+$/.test(number)) open([number]);
  });
  element("close").addEventListener("click", () => element("shown").close());

  /** Shows the first of these runs, with a button for each. */
  function open(numbers) {
    const choice = element("choice");
    choice.textContent = "";
    numbers.forEach((number, i) => {
      const button = choice.appendChild(document.createElement("button"));
      button.type = "button";
      button.textContent = (numbers.length === WORDS.length ? WORDS[i] + ": " : "run ") + number;
      button.addEventListener("click", () => show(number));
    });
    element("shown").showModal();
    show(numbers[0]);
  }

  function show(number) {
    const packed = element("r" + number + "-pilot-jobs");
    const view = element("view");
    view.textContent = "";
    element("absent").hidden = packed !== null;
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
