/** A batch system on this machine: the batch engine on the wall clock, with virtual nodes. */
@NullMarked
package io.sheaf.runtime.cluster;

import org.jspecify.annotations.NullMarked;
