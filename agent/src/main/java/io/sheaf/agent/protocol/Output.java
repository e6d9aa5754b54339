package io.sheaf.agent.protocol;

/** An output as it was found after the attempt: its declared name, its size, and when it was last written (file system's clock). */
public record Output(String name, long bytes, long modifiedMillis) {}
