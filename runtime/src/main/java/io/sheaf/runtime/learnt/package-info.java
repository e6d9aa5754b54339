/** Learnt queue waits and run times on disk, shared by all runs. */
@NullMarked
package io.sheaf.runtime.learnt;

import org.jspecify.annotations.NullMarked;
