/** Many simulated runs on one background: workflows, strategies and start times, and what comes of comparing them. */
@NullMarked
package io.sheaf.sim.campaign;

import org.jspecify.annotations.NullMarked;
