package io.sheaf.app.run;

import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.Paint;
import io.sheaf.app.cli.Session;
import picocli.CommandLine.Option;

/** Option of the display of a run: full screen or lines. */
@HelpHeading(HelpHeading.PROGRESS)
public final class ViewOptions {
    @Option(
            names = "--plain",
            negatable = true,
            fallbackValue = "true",
            description = "Print progress as lines instead of a full-screen view.")
    boolean plain;

    /** Whether to use the full-screen view: on a terminal, unless switched off. */
    public boolean isScreen(Session session) {
        return !plain && Paint.isEnabled(session.terminal(), session.environment());
    }
}
