package io.sheaf.agent.protocol;

/** A message with the epoch of the manager that sends it, or that it is meant for. */
public record Frame(long epoch, Message message) {}
