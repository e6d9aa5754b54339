@NullMarked
package io.sheaf.runtime.spec;

import org.jspecify.annotations.NullMarked;
