/** What strategies would have saved: past campaigns found in accounting, and their replay under each strategy. */
@NullMarked
package io.sheaf.lab.savings;

import org.jspecify.annotations.NullMarked;
