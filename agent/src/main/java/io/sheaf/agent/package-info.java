/**
 * The agent: the process on a node that runs the manager's tasks as processes.
 *
 * <p>One thread owns all state ({@link io.sheaf.agent.Agent}); the link's threads and the ends of processes add events to its queue.
 */
@NullMarked
package io.sheaf.agent;

import org.jspecify.annotations.NullMarked;
