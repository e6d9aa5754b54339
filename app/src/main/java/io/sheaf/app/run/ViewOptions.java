package io.sheaf.app.run;

import io.sheaf.app.cli.Session;
import picocli.CommandLine.Option;

/** How a run is shown while it goes on: on one screen, or as lines. */
public final class ViewOptions {
    @Option(
            names = "--plain",
            negatable = true,
            fallbackValue = "true",
            description = "Print progress as lines instead of a full-screen view.")
    boolean plain;

    /** Whether a screen is drawn: on a terminal where nobody objects. */
    public boolean isScreen(Session session) {
        String terminal = session.environment().getOrDefault("TERM", "");
        boolean unwanted = !session.environment().getOrDefault("NO_COLOR", "").isEmpty();
        return session.terminal() && !plain && !unwanted && !terminal.equals("dumb");
    }
}
