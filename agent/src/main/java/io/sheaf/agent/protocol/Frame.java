package io.sheaf.agent.protocol;

/** A message with the epoch of the manager that sends or receives it. */
public record Frame(long epoch, Message message) {}
