/** Many workflows at once on the same elements: ranks, the pool of ready jobs, and the policies that say whose goes first. */
@NullMarked
package io.sheaf.planner;

import org.jspecify.annotations.NullMarked;
