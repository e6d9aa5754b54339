@NullMarked
package io.sheaf.runtime.journal;

import org.jspecify.annotations.NullMarked;
