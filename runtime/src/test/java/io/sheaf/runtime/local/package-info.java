@NullMarked
package io.sheaf.runtime.local;

import org.jspecify.annotations.NullMarked;
