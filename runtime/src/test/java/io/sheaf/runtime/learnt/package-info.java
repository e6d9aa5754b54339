@NullMarked
package io.sheaf.runtime.learnt;

import org.jspecify.annotations.NullMarked;
