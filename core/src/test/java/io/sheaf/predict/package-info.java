@NullMarked
package io.sheaf.predict;

import org.jspecify.annotations.NullMarked;
