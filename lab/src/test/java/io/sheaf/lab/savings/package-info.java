@NullMarked
package io.sheaf.lab.savings;

import org.jspecify.annotations.NullMarked;
