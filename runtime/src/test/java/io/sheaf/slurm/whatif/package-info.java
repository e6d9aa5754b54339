/** Tests of what-if questions about Slurm queues. */
@NullMarked
package io.sheaf.slurm.whatif;

import org.jspecify.annotations.NullMarked;
