package io.sheaf.app.cli;

import io.sheaf.app.config.Configuration;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;

/**
 * What a command runs in: where it prints, what is configured, its environment and folder.
 *
 * @param terminal whether standard error is a terminal
 */
public record Session(
        PrintWriter out,
        PrintWriter err,
        Configuration configuration,
        Map<String, String> environment,
        Path folder,
        boolean terminal) {}
