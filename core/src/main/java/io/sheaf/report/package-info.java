/** What a run left behind: pilot jobs, attempts, decisions and what they came to, whichever batch system it was on. */
@NullMarked
package io.sheaf.report;

import org.jspecify.annotations.NullMarked;
