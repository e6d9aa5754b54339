/** The dashboard: runs, queue and results in a browser, with an API for programs. */
@NullMarked
package io.sheaf.app.dashboard;

import org.jspecify.annotations.NullMarked;
