/** Simulation of many workflows on processing elements: arrivals, runs and results. */
@NullMarked
package io.sheaf.sim.pool;

import org.jspecify.annotations.NullMarked;
