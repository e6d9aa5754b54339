/** The dashboard: runs, queue and results in a browser, over an API that programs may use as well. */
@NullMarked
package io.sheaf.app.dashboard;

import org.jspecify.annotations.NullMarked;
