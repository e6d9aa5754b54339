/** What users want of a run, left in its folder: workflows to be added, held back, let go on or dropped. */
@NullMarked
package io.sheaf.runtime.inbox;

import org.jspecify.annotations.NullMarked;
