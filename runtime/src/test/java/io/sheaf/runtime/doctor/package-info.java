/** Tests of what is looked at before a run. */
@NullMarked
package io.sheaf.runtime.doctor;

import org.jspecify.annotations.NullMarked;
