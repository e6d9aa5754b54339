/** A batch system of one folder: the worked example of docs/adding-a-batch-system.md. */
@NullMarked
package io.sheaf.spool;

import org.jspecify.annotations.NullMarked;
