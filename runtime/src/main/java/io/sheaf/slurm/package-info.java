/** Slurm: its commands, pilot jobs and queue. */
@NullMarked
package io.sheaf.slurm;

import org.jspecify.annotations.NullMarked;
