/** Runs on clusters with OAR: pilot jobs are its jobs, and its own plan of the queue says when they start. */
@NullMarked
package io.sheaf.oar;

import org.jspecify.annotations.NullMarked;
