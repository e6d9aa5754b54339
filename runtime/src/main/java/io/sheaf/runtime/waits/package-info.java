/** What was learnt about waits, on disk, shared by all runs. */
@NullMarked
package io.sheaf.runtime.waits;

import org.jspecify.annotations.NullMarked;
