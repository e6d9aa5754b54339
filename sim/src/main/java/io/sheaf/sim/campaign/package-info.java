/** Campaigns of simulated runs on one background: workflows, strategies and start times, and their comparison. */
@NullMarked
package io.sheaf.sim.campaign;

import org.jspecify.annotations.NullMarked;
