/** Slurm: its commands, placeholders as its jobs, and what its queue looks like. */
@NullMarked
package io.sheaf.slurm;

import org.jspecify.annotations.NullMarked;
