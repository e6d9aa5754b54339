/** Checks of a cluster and, by a job, of one of its compute nodes. */
@NullMarked
package io.sheaf.runtime.batch.doctor;

import org.jspecify.annotations.NullMarked;
