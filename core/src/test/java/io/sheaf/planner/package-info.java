@NullMarked
package io.sheaf.planner;

import org.jspecify.annotations.NullMarked;
