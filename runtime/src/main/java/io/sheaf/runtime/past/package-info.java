/** What a run saw of the jobs of others, kept in its folder, and the queue that it was in, made from that again. */
@NullMarked
package io.sheaf.runtime.past;

import org.jspecify.annotations.NullMarked;
