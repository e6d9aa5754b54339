/** Control requests of users: workflows to add, hold, resume or cancel, left in the run's folder. */
@NullMarked
package io.sheaf.runtime.control;

import org.jspecify.annotations.NullMarked;
