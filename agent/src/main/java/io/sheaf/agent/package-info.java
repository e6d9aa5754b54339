/**
 * The agent: the process on a node that runs tasks as the manager says, in processes of their own.
 *
 * <p>One thread owns everything ({@link io.sheaf.agent.Agent}); the link's threads and the ends of processes only put events into its queue.
 */
@NullMarked
package io.sheaf.agent;

import org.jspecify.annotations.NullMarked;
