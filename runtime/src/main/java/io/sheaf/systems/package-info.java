/** The registry of batch systems. */
@NullMarked
package io.sheaf.systems;

import org.jspecify.annotations.NullMarked;
