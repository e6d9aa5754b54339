/** Limits of a facility on Sheaf's use of the batch system, independent of user configuration. */
@NullMarked
package io.sheaf.runtime.limits;

import org.jspecify.annotations.NullMarked;
