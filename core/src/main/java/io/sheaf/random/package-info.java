/** Random streams that give the same numbers on every JDK. */
@NullMarked
package io.sheaf.random;

import org.jspecify.annotations.NullMarked;
