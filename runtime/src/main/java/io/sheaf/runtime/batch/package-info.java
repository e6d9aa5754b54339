/** Clusters whose batch system is driven by commands. Each batch system is a package of its own. */
@NullMarked
package io.sheaf.runtime.batch;

import org.jspecify.annotations.NullMarked;
