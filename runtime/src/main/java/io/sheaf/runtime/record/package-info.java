/** What a run's journal holds: events, decisions, results, as bytes. */
@NullMarked
package io.sheaf.runtime.record;

import org.jspecify.annotations.NullMarked;
