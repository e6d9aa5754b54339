@NullMarked
package io.sheaf.runtime.inbox;

import org.jspecify.annotations.NullMarked;
