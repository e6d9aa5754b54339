@NullMarked
package io.sheaf.agent.link;

import org.jspecify.annotations.NullMarked;
