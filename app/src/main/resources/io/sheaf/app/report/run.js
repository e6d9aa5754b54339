"use strict";
/* The page of a run: its charts and the theme button. */
showRun(document.body, "", "");
Theme.connect(document.getElementById("theme"));
