/** Real runs: the event loop that drives a manager with a journal, a cluster and agents, and its recovery after a restart. */
@NullMarked
package io.sheaf.runtime.run;

import org.jspecify.annotations.NullMarked;
