/** What the tests of several modules share. */
@NullMarked
package io.sheaf.testing;

import org.jspecify.annotations.NullMarked;
