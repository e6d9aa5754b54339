/** Experiments: a file says which workflows, clusters and strategies; all combinations are run, put down in a table, and compared. */
@NullMarked
package io.sheaf.lab;

import org.jspecify.annotations.NullMarked;
