/** Scheduling of many workflows on shared elements: ranks, the pool of ready jobs, and the policies that order them. */
@NullMarked
package io.sheaf.planner;

import org.jspecify.annotations.NullMarked;
