/**
 * Strategies: which tasks to bind into which batch jobs, with how many nodes and how much time, and when to submit them.
 *
 * <p>Beside them stands what they share: {@link io.sheaf.strategy.RunTimes} (how long some levels of a workflow take on n nodes, by
 * list scheduling) and {@link io.sheaf.strategy.Allocations} (which n ends earliest).
 */
@NullMarked
package io.sheaf.strategy;

import org.jspecify.annotations.NullMarked;
