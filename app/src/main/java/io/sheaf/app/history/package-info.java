/** Statistics of recorded runs and the accuracy of their estimates: history. */
@NullMarked
package io.sheaf.app.history;

import org.jspecify.annotations.NullMarked;
