/** The port between a run and the cluster that its pilot jobs run on, and the embedded cluster of this machine. */
@NullMarked
package io.sheaf.runtime.cluster;

import org.jspecify.annotations.NullMarked;
