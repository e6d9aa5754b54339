/** Slurm: its commands, pilot jobs as its jobs, and what its queue looks like. */
@NullMarked
package io.sheaf.slurm;

import org.jspecify.annotations.NullMarked;
