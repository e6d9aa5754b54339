@NullMarked
package io.sheaf.gridengine;

import org.jspecify.annotations.NullMarked;
