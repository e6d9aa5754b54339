/** Tests of what a run saw of the queue. */
@NullMarked
package io.sheaf.runtime.past;

import org.jspecify.annotations.NullMarked;
