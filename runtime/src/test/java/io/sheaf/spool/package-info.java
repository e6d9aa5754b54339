/** A batch system of one folder: the worked example of docs/how-to/add-a-batch-system.md. */
@NullMarked
package io.sheaf.spool;

import org.jspecify.annotations.NullMarked;
