@NullMarked
package io.sheaf.driver;

import org.jspecify.annotations.NullMarked;
