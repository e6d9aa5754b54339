/** Tests of the checks before a run. */
@NullMarked
package io.sheaf.runtime.doctor;

import org.jspecify.annotations.NullMarked;
