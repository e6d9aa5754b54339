/** Tests of recorded queue snapshots. */
@NullMarked
package io.sheaf.runtime.past;

import org.jspecify.annotations.NullMarked;
