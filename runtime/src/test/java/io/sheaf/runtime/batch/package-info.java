@NullMarked
package io.sheaf.runtime.batch;

import org.jspecify.annotations.NullMarked;
