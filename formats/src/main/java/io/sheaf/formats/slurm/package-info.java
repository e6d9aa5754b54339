/** Reads the output of Slurm's commands: accounting records as a job log. */
@NullMarked
package io.sheaf.formats.slurm;

import org.jspecify.annotations.NullMarked;
