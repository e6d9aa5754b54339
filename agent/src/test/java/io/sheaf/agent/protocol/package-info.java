@NullMarked
package io.sheaf.agent.protocol;

import org.jspecify.annotations.NullMarked;
