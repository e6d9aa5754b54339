package io.sheaf.runtime.run;

import io.sheaf.agent.link.ServerSettings;

/**
 * How a process takes the lease of a run.
 *
 * @param takeOver whether to take it although another process may have it
 * @param listening where agents connect
 */
public record ManagerLease(boolean takeOver, ServerSettings listening) {}
