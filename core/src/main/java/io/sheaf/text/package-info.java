/** Text formats of times, sizes and numbers, and errors with their place in a file. */
@NullMarked
package io.sheaf.text;

import org.jspecify.annotations.NullMarked;
