package io.sheaf.sim.pool;

import io.sheaf.planner.RankedDag;

/**
 * The arrival of a workflow.
 *
 * @param at in milliseconds
 * @param owner by number
 */
public record Arrival(RankedDag dag, long at, int owner) {}
