@NullMarked
package io.sheaf.runtime.record;

import org.jspecify.annotations.NullMarked;
