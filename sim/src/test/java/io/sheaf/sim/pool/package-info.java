@NullMarked
package io.sheaf.sim.pool;

import org.jspecify.annotations.NullMarked;
