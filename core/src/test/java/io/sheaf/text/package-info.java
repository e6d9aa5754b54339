@NullMarked
package io.sheaf.text;

import org.jspecify.annotations.NullMarked;
