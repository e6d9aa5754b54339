@NullMarked
package io.sheaf.runtime.recorded;

import org.jspecify.annotations.NullMarked;
