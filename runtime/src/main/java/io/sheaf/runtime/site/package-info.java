/** Site limits on Sheaf's use of the batch system, independent of user configuration. */
@NullMarked
package io.sheaf.runtime.site;

import org.jspecify.annotations.NullMarked;
