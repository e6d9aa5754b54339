/** Reports of tables of runs: statistics, tables, pictures and pages. */
@NullMarked
package io.sheaf.lab.report;

import org.jspecify.annotations.NullMarked;
