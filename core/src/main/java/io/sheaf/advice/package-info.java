/**
 * Advice for programs that embed Sheaf: which jobs to submit for a workflow and a queue.
 *
 * <p>{@link io.sheaf.advice.ObservedQueue} is the queue snapshot, {@link io.sheaf.advice.Advice} the answer. To follow a workflow to its end, drive
 * {@link io.sheaf.manager.Manager} with the events of the batch system instead.
 */
@NullMarked
package io.sheaf.advice;

import org.jspecify.annotations.NullMarked;
