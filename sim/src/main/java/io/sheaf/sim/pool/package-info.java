/** Many workflows on processing elements, simulated: arrivals, the run itself, and what came of it. */
@NullMarked
package io.sheaf.sim.pool;

import org.jspecify.annotations.NullMarked;
