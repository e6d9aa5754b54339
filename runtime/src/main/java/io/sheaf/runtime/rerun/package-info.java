/** Edit and run again: what tasks found and left when they were committed, and which of them have to run again. */
@NullMarked
package io.sheaf.runtime.rerun;

import org.jspecify.annotations.NullMarked;
