@NullMarked
package io.sheaf.runtime.waits;

import org.jspecify.annotations.NullMarked;
