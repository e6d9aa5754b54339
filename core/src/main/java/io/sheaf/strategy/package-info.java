/**
 * Strategies: decide which tasks run in which batch jobs, their nodes and walltimes, and when to submit them.
 *
 * <p>They share {@link io.sheaf.strategy.RunTimes} (run times of levels on n nodes, by list scheduling) and {@link io.sheaf.strategy.Allocations}
 * (the n with the earliest end).
 */
@NullMarked
package io.sheaf.strategy;

import org.jspecify.annotations.NullMarked;
