/** Simulated time: the event kernel, replay of job logs through the batch engine, and what came of it. */
@NullMarked
package io.sheaf.sim;

import org.jspecify.annotations.NullMarked;
