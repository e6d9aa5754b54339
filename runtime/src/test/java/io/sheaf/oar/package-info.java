@NullMarked
package io.sheaf.oar;

import org.jspecify.annotations.NullMarked;
