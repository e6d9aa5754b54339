@NullMarked
package io.sheaf.agent;

import org.jspecify.annotations.NullMarked;
