package io.sheaf.app;

import io.sheaf.runtime.local.LocalRun;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Goes on with a run that was interrupted. */
@Command(
        name = "resume",
        description = "Goes on with a run that was interrupted, whatever interrupted it.",
        footer = {"", "Example: sheaf resume sheaf-runs/montage-mini-20261115-120000"})
final class ResumeCommand extends SheafCommand {
    @Parameters(paramLabel = "DIR", description = "The run's folder.")
    String folder = "";

    @Option(names = "--take-over", description = "Take charge although another process may be.")
    boolean takeOver;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path path = session().folder().toAbsolutePath().resolve(folder).normalize();
        LocalRun run = LocalRun.open(path, PlayedRun.kit(session()));
        return new PlayedRun(run, path, session(), json).play(takeOver);
    }
}
