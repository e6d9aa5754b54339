/** The specification of a run, the checks before it begins, and a service's settings. */
@NullMarked
package io.sheaf.runtime.spec;

import org.jspecify.annotations.NullMarked;
