/** Tests of the strategies and of what they share. */
@NullMarked
package io.sheaf.strategy;

import org.jspecify.annotations.NullMarked;
