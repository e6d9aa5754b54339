/**
 * The application manager: carries out a strategy's decisions on a simulated, embedded or real batch system.
 *
 * <p>It defines the port to the batch system ({@link io.sheaf.manager.Event}, {@link io.sheaf.manager.Effects}) and the interface of strategies
 * ({@link io.sheaf.manager.View}, {@link io.sheaf.manager.Decision}).
 */
@NullMarked
package io.sheaf.manager;

import org.jspecify.annotations.NullMarked;
