/**
 * The batch engine: a batch scheduler as a pure state machine for replays, what-if estimates and forks.
 *
 * <p>It has no clock, thread, process or real run times.
 */
@NullMarked
package io.sheaf.batch;

import org.jspecify.annotations.NullMarked;
