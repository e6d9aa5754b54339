/** The sheaf command. */
@NullMarked
package io.sheaf.app;

import org.jspecify.annotations.NullMarked;
