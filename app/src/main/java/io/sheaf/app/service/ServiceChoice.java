package io.sheaf.app.service;

import io.sheaf.app.cli.Session;
import io.sheaf.app.run.RunChoice;
import io.sheaf.text.InputException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Selects a service. */
final class ServiceChoice {
    static final String DEFAULT = RunChoice.RUNS + "/service";

    @Option(
            names = {"--state", "--to"},
            paramLabel = "DIR",
            description = "Folder of the service (default: ${DEFAULT-VALUE}).")
    String state = DEFAULT;

    Path folder(Session session) {
        try {
            return session.folder().toAbsolutePath().resolve(state).normalize();
        } catch (InvalidPathException e) {
            throw new InputException("invalid folder name: " + e.getReason()).in(state);
        }
    }
}
