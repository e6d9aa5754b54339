"use strict";
/* The page of a run: one run, and a button for the theme. */
(() => {
  showRun(document.body, "", "");

  const button = document.getElementById("theme");
  const themes = ["system", "light", "dark"];
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(document.documentElement.dataset.theme ?? "system") + 1) % themes.length];
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    button.textContent = "Theme: " + next;
    Theme.changed();
  });
})();
