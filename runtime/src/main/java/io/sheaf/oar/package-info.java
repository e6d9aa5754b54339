/** OAR: its commands, pilot jobs, and start-time estimates from its schedule. */
@NullMarked
package io.sheaf.oar;

import org.jspecify.annotations.NullMarked;
