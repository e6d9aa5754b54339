package io.sheaf.agent;

import java.io.PrintStream;

/** The log of the agent: lines with the seconds since its start. */
final class AgentLog {
    private final PrintStream out;
    private final long startNanos = System.nanoTime();

    AgentLog(PrintStream out) {
        this.out = out;
    }

    void write(String text) {
        long millis = (System.nanoTime() - startNanos) / 1_000_000;
        String fraction = String.valueOf(1000 + millis % 1000).substring(1);
        out.println("+" + millis / 1000 + "." + fraction + " " + text);
    }
}
