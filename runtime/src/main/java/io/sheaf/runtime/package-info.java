/** Real runs: the event loop that drives a manager with a journal, a back end and agents, and goes on after anything. */
@NullMarked
package io.sheaf.runtime;

import org.jspecify.annotations.NullMarked;
