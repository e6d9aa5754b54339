/** Runs as their folders record them: history, status, and a comparison with other strategies afterwards. */
@NullMarked
package io.sheaf.runtime.recorded;

import org.jspecify.annotations.NullMarked;
