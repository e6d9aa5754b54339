@NullMarked
package io.sheaf.random;

import org.jspecify.annotations.NullMarked;
