/**
 * The batch engine: a batch scheduler as a pure state machine that can be replayed, questioned and forked.
 *
 * <p>Nothing here knows a clock, a thread, a process or a job's real run time. {@link io.sheaf.batch.BatchScheduler} is the
 * contract, {@link io.sheaf.batch.BatchEngine} the engine, {@link io.sheaf.batch.PlainEngine} the same rules written as plainly
 * as possible.
 */
@NullMarked
package io.sheaf.batch;

import org.jspecify.annotations.NullMarked;
