@NullMarked
package io.sheaf.runtime.rerun;

import org.jspecify.annotations.NullMarked;
