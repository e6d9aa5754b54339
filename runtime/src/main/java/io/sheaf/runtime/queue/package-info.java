/** A queue of single tasks: an open run to which tasks are submitted one by one, with a state for each task. */
@NullMarked
package io.sheaf.runtime.queue;

import org.jspecify.annotations.NullMarked;
