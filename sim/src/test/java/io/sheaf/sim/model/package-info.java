@NullMarked
package io.sheaf.sim.model;

import org.jspecify.annotations.NullMarked;
