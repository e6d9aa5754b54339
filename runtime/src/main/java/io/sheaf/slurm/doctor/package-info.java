/** Looks at a Slurm cluster and at one of its nodes before a run does. */
@NullMarked
package io.sheaf.slurm.doctor;

import org.jspecify.annotations.NullMarked;
