/** Simulated time: the event kernel, replay of job logs through the batch engine, and the results. */
@NullMarked
package io.sheaf.sim;

import org.jspecify.annotations.NullMarked;
