"use strict";
/* The page of a run: one run, and a button for the theme. */
showRun(document.body, "", "");
Theme.chosenWith(document.getElementById("theme"));
