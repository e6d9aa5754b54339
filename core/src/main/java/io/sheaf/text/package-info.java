/** What people write and read: times, sizes, and errors that name their place in a file. */
@NullMarked
package io.sheaf.text;

import org.jspecify.annotations.NullMarked;
