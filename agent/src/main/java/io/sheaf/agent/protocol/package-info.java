/** The messages between the manager and its agents, and their encoding. */
@NullMarked
package io.sheaf.agent.protocol;

import org.jspecify.annotations.NullMarked;
