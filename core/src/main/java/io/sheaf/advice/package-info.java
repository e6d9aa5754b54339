/**
 * For programs that embed Sheaf: given this workflow and this queue, what should be submitted?
 *
 * <p>{@link io.sheaf.advice.QueuePicture} takes what a batch system tells of its jobs, {@link io.sheaf.advice.Advice} is the answer. Who wants to be advised
 * until the workflow's end drives {@link io.sheaf.manager.Manager} with the events of its batch system instead.
 */
@NullMarked
package io.sheaf.advice;

import org.jspecify.annotations.NullMarked;
