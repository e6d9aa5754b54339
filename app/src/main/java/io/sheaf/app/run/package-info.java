/** Runs: run, resume, cancel, status, watch, explain and report. */
@NullMarked
package io.sheaf.app.run;

import org.jspecify.annotations.NullMarked;
