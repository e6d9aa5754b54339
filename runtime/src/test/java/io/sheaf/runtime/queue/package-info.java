@NullMarked
package io.sheaf.runtime.queue;

import org.jspecify.annotations.NullMarked;
