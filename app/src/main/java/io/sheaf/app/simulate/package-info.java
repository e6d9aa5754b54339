/** Simulated runs: simulate and compare. */
@NullMarked
package io.sheaf.app.simulate;

import org.jspecify.annotations.NullMarked;
