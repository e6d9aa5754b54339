/** When would a job start on a Slurm cluster? Snapshots of its queue, loaded into the batch engine, and what else can tell. */
@NullMarked
package io.sheaf.slurm.whatif;

import org.jspecify.annotations.NullMarked;
