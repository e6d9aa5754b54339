/** Incremental reruns: records of committed tasks, and which tasks must run again. */
@NullMarked
package io.sheaf.runtime.rerun;

import org.jspecify.annotations.NullMarked;
