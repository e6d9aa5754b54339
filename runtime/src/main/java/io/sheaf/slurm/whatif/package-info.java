/** Start-time estimates on Slurm clusters: queue snapshots, loaded into the batch engine, and other estimators. */
@NullMarked
package io.sheaf.slurm.whatif;

import org.jspecify.annotations.NullMarked;
