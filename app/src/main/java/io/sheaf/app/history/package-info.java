/** Recorded runs and what they say about estimates: history. */
@NullMarked
package io.sheaf.app.history;

import org.jspecify.annotations.NullMarked;
