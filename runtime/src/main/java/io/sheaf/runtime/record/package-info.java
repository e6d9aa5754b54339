/** The records of a run's journal: events, decisions and results, encoded as bytes. */
@NullMarked
package io.sheaf.runtime.record;

import org.jspecify.annotations.NullMarked;
