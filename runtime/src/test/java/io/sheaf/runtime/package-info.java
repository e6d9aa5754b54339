@NullMarked
package io.sheaf.runtime;

import org.jspecify.annotations.NullMarked;
