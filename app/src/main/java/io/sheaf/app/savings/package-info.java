/** The command {@code savings} and its report. */
@NullMarked
package io.sheaf.app.savings;

import org.jspecify.annotations.NullMarked;
