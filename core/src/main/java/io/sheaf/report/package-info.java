/** Records of runs on any batch system: pilot jobs, attempts, decisions and results. */
@NullMarked
package io.sheaf.report;

import org.jspecify.annotations.NullMarked;
