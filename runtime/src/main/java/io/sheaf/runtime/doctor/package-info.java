/** Checks of a machine before a run: problems and suggested fixes. */
@NullMarked
package io.sheaf.runtime.doctor;

import org.jspecify.annotations.NullMarked;
