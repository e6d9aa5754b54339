/** Experiments with many workflows at once on processing elements: classes of random graphs × settings × policies. */
@NullMarked
package io.sheaf.lab.pool;

import org.jspecify.annotations.NullMarked;
