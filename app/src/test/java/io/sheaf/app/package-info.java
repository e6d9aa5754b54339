@NullMarked
package io.sheaf.app;

import org.jspecify.annotations.NullMarked;
