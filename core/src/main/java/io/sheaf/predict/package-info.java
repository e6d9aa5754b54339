/** When would a job start? Estimators of queue waits. */
@NullMarked
package io.sheaf.predict;

import org.jspecify.annotations.NullMarked;
