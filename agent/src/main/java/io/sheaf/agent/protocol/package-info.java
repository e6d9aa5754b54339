/** What the manager and its agents say to each other, and how it is written as bytes. */
@NullMarked
package io.sheaf.agent.protocol;

import org.jspecify.annotations.NullMarked;
