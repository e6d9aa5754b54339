@NullMarked
package io.sheaf.runtime.control;

import org.jspecify.annotations.NullMarked;
