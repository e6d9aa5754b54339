/**
 * The link between the manager and its agents, both sides: {@link io.sheaf.agent.link.AgentServer} at the manager, {@link
 * io.sheaf.agent.link.AgentLink} in an agent. The same frames go over TLS or through files in the run's folder.
 */
@NullMarked
package io.sheaf.agent.link;

import org.jspecify.annotations.NullMarked;
