package io.sheaf.runtime.run;

import io.sheaf.agent.link.ServerSettings;

/**
 * How a process takes charge of a run.
 *
 * @param takeOver whether although another process may be in charge
 * @param listening where agents reach it
 */
public record ManagerLease(boolean takeOver, ServerSettings listening) {}
