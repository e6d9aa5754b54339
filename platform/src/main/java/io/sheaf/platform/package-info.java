/** Several clusters with storage and network, the 36 list-scheduling algorithms of Casanova et al., and their portfolio. */
@NullMarked
package io.sheaf.platform;

import org.jspecify.annotations.NullMarked;
