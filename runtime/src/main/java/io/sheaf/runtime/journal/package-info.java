/** The durable log of a run: append-only files of checksummed records, one per lease holder. */
@NullMarked
package io.sheaf.runtime.journal;

import org.jspecify.annotations.NullMarked;
