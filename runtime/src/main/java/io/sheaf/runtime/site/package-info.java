/** What a site allows Sheaf to do to its batch system, whatever its users configure. */
@NullMarked
package io.sheaf.runtime.site;

import org.jspecify.annotations.NullMarked;
