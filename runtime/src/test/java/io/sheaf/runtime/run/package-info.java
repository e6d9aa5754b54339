@NullMarked
package io.sheaf.runtime.run;

import org.jspecify.annotations.NullMarked;
