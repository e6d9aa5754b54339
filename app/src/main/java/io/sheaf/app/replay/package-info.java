/** A log under a scheduling policy: replay and its page. */
@NullMarked
package io.sheaf.app.replay;

import org.jspecify.annotations.NullMarked;
