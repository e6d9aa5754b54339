/** Tests of what is looked at before a run. */
@NullMarked
package io.sheaf.slurm.doctor;

import org.jspecify.annotations.NullMarked;
