/** Queue snapshots of background jobs in a run's folder, and the queue reconstructed from them. */
@NullMarked
package io.sheaf.runtime.past;

import org.jspecify.annotations.NullMarked;
