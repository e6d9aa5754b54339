/** Looks at a machine before a run does: what is missing, and what to do. */
@NullMarked
package io.sheaf.runtime.doctor;

import org.jspecify.annotations.NullMarked;
