@NullMarked
package io.sheaf.platform;

import org.jspecify.annotations.NullMarked;
