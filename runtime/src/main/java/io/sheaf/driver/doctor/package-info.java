/** Looks at a node of a cluster by a job, before a run does. */
@NullMarked
package io.sheaf.driver.doctor;

import org.jspecify.annotations.NullMarked;
