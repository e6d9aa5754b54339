/** Tests of a site's bounds. */
@NullMarked
package io.sheaf.runtime.site;

import org.jspecify.annotations.NullMarked;
