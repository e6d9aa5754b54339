/** Synthetic load: published models of jobs and of their users' estimates, and presets fitted to published figures. */
@NullMarked
package io.sheaf.sim.model;

import org.jspecify.annotations.NullMarked;
