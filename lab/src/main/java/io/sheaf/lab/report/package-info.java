/** What comes of a table of runs: statistics, tables and figures. */
@NullMarked
package io.sheaf.lab.report;

import org.jspecify.annotations.NullMarked;
