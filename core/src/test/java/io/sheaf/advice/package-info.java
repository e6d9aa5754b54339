@NullMarked
package io.sheaf.advice;

import org.jspecify.annotations.NullMarked;
