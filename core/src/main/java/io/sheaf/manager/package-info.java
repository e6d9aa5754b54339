/**
 * The application manager: carries out what a strategy decides, on a batch system that may be simulated, embedded or real.
 *
 * <p>The port is here ({@link io.sheaf.manager.Event}, {@link io.sheaf.manager.Effects}), and so is
 * what a strategy sees and says ({@link io.sheaf.manager.View}, {@link io.sheaf.manager.Decision}).
 */
@NullMarked
package io.sheaf.manager;

import org.jspecify.annotations.NullMarked;
