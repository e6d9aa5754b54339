/** Tests of a facility's limits. */
@NullMarked
package io.sheaf.runtime.limits;

import org.jspecify.annotations.NullMarked;
