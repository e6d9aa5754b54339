/** Tests of the commands that describe past runs. */
@NullMarked
package io.sheaf.app.history;

import org.jspecify.annotations.NullMarked;
