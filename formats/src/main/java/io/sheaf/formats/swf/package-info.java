/** The Standard Workload Format of the Parallel Workloads Archive: job logs as columns, reader, writer, figures. */
@NullMarked
package io.sheaf.formats.swf;

import org.jspecify.annotations.NullMarked;
