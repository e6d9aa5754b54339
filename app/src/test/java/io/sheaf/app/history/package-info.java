/** Tests of what is told of past runs. */
@NullMarked
package io.sheaf.app.history;

import org.jspecify.annotations.NullMarked;
