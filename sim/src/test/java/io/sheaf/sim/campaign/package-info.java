@NullMarked
package io.sheaf.sim.campaign;

import org.jspecify.annotations.NullMarked;
