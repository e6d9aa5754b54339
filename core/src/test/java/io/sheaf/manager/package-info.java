@NullMarked
package io.sheaf.manager;

import org.jspecify.annotations.NullMarked;
