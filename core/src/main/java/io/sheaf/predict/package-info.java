/** Estimators of start times and queue waits. */
@NullMarked
package io.sheaf.predict;

import org.jspecify.annotations.NullMarked;
