/** What is durable of a run: append-only files of checked records, one file for each process that was in charge. */
@NullMarked
package io.sheaf.runtime.journal;

import org.jspecify.annotations.NullMarked;
