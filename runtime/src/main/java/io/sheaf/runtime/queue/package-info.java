/** A queue of single tasks: an open run to which tasks are handed one by one, and of which the state of each is asked. */
@NullMarked
package io.sheaf.runtime.queue;

import org.jspecify.annotations.NullMarked;
