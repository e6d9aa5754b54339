package io.sheaf.app.run;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.OwnCommand;
import io.sheaf.app.cli.Session;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.BatchSystem;
import io.sheaf.runtime.batch.ManagerJob;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.systems.BatchSystems;
import io.sheaf.text.InputException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for unattended runs: the manager as a background process or a batch job. */
@HelpHeading(HelpHeading.MANAGER)
public final class UnattendedOptions {
    /** File in the run's folder while the run is managed by a chain of jobs. */
    private static final String AWAITED = "manager-job";

    private static final String LOG = "manager.log";

    /** After this number of manager jobs in a row that ended before they managed the run, no further one is submitted. */
    private static final int MAX_FAILED = 3;

    private static final long TIMEOUT_NANOS = 60_000_000_000L;
    private static final long POLL_MILLIS = 200;

    @Option(names = "--detach", description = "Start the manager in the background, independent of this terminal.")
    boolean detach;

    @Option(
            names = "--manager-job",
            paramLabel = "PARTITION",
            description =
                    "Slurm: run the manager as a one-core job in this partition; it hands over to a new job before its walltime ends.")
    private @Nullable String managerJob;

    @Option(
            names = "--manager-time",
            paramLabel = "TIME",
            description = "Walltime of a manager job (default: ${DEFAULT-VALUE}).")
    String managerTime = "1d";

    @Option(
            names = "--hand-over",
            paramLabel = "TIME",
            description =
                    "Time before the end of its walltime at which a manager job hands over (default: ${DEFAULT-VALUE}).")
    String handOver = "2m";

    /** Set for a manager job. */
    @Option(names = "--as-manager", hidden = true)
    boolean asManager;

    private boolean managing;

    /** Whether a run is managed by a chain of jobs. */
    static boolean isAwaited(Path folder) {
        return Files.exists(folder.resolve(AWAITED));
    }

    /** Why a run that is managed by jobs and has no manager will not get one; null if a job is queued or running, or that is unknown. */
    static @Nullable String lost(Path folder, RunSpec spec, Session session) throws InterruptedException {
        try {
            boolean found = Clusters.commands(spec.where(), session)
                            .managerJob(folder, spec.id(), "", List.of(), 0)
                            .find()
                    != BatchCommands.UNKNOWN;
            return found ? null : "no manager job of this run is queued or running; see " + folder.resolve(LOG);
        } catch (IOException e) {
            // The batch system does not answer.
            return null;
        }
    }

    public boolean isRequested() {
        return detach || (managerJob != null && !asManager);
    }

    /** Rejects options that do not fit the batch system, before a run is created. */
    public void check(Placement where) {
        if (managerJob != null && where.equals(Placement.LOCAL)) {
            throw new InputException("--manager-job can only be used with --on "
                    + String.join(" or --on ", BatchSystems.names(BatchSystem.Feature.MANAGER_JOBS))
                    + "; on this machine use --detach");
        }
        if (managerJob != null && leaseMillis() < 1) {
            throw new InputException("--hand-over " + handOver + " must be less than --manager-time " + managerTime);
        }
    }

    /** Whether a process on this machine manages the run. */
    boolean isHere() {
        return managerJob == null;
    }

    /** Starts the manager of a new run in the background or as a job, and prints its id. */
    public int startManager(Path folder, RunSpec spec, Session session, ManagerOptions managerOptions)
            throws IOException, InterruptedException {
        String manager = managerJob == null
                ? background(folder, session, managerOptions)
                : "job " + job(folder, spec, session, managerJob).submit(words(folder, managerOptions));
        if (managerJob != null) {
            failed(folder, 0);
        }
        session.note(manager + " manages " + folder + "; follow it with: sheaf watch " + folder);
        return ExitStatus.DONE;
    }

    private List<String> words(Path folder, ManagerOptions managerOptions) {
        List<String> words = new ArrayList<>(List.of("resume", folder.toString(), "--plain", "--take-over"));
        words.addAll(managerOptions.words());
        if (managerJob != null) {
            words.addAll(List.of("--as-manager", "--manager-job", managerJob));
            words.addAll(List.of("--manager-time", managerTime, "--hand-over", handOver));
        }
        return OwnCommand.words(words.toArray(String[]::new));
    }

    /** Starts the manager in the background, and waits until it manages the run. */
    private String background(Path folder, Session session, ManagerOptions managerOptions)
            throws IOException, InterruptedException {
        File log = folder.resolve(LOG).toFile();
        Process process = OwnCommand.background(words(folder, managerOptions), log, session);
        long start = System.nanoTime();
        while (process.isAlive() && System.nanoTime() - start < TIMEOUT_NANOS) {
            if (RecordedRun.open(folder).isAttended()) {
                return "process " + process.pid();
            }
            Thread.sleep(POLL_MILLIS);
        }
        if (RecordedRun.open(folder).status(0).state().isFinished()) {
            return "process " + process.pid() + ", which has already ended,";
        }
        throw new InputException("the background manager did not start; see " + log);
    }

    private ManagerJob job(Path folder, RunSpec spec, Session session, String partition) {
        check(spec.where());
        return Clusters.commands(spec.where(), session)
                .managerJob(
                        folder,
                        spec.id(),
                        partition,
                        spec.where().options(),
                        OptionText.millis("--manager-time", managerTime));
    }

    /** The time that a manager job runs before it hands over, in milliseconds. */
    private long leaseMillis() {
        return OptionText.millis("--manager-time", managerTime) - OptionText.millis("--hand-over", handOver);
    }

    /** The number of manager jobs in a row that have begun and not managed the run. */
    private static int failed(Path folder) throws IOException {
        Path file = folder.resolve(AWAITED);
        String text = Files.exists(file) ? Files.readString(file).strip() : "";
        return text.matches("failed \\d{1,4}") ? Integer.parseInt(text.substring("failed ".length())) : 0;
    }

    private static void failed(Path folder, int number) throws IOException {
        RunFolder.replace(folder.resolve(AWAITED), "failed " + number + "\n");
    }

    /** Runs the session; a manager job hands over to its successor. */
    int execute(RunSession runSession, Path folder, RunSpec spec, Session session, ManagerOptions managerOptions)
            throws IOException, InterruptedException {
        if (!asManager || managerJob == null) {
            return runSession.execute(managerOptions);
        }
        int failed = failed(folder);
        if (failed >= MAX_FAILED) {
            Files.deleteIfExists(folder.resolve(AWAITED));
            session.note(failed + " manager jobs in a row ended before they managed the run (their messages are above);"
                    + " Sheaf submits no more of them. Continue with: sheaf resume " + folder + " --manager-job "
                    + managerJob);
            return ExitStatus.INTERRUPTED;
        }
        // Counts as failed until its first turn.
        failed(folder, failed + 1);
        HandOver next = new HandOver(
                job(folder, spec, session, managerJob),
                words(folder, managerOptions),
                leaseMillis(),
                runSession::handOver,
                session::note,
                HandOver.PAUSE_MILLIS);
        next.begin();
        runSession.eachTurn(manager -> manages(folder));
        int status = runSession.execute(managerOptions);
        if (!runSession.isLeft()) {
            Files.deleteIfExists(folder.resolve(AWAITED));
            next.end();
        }
        return status;
    }

    /** Notes at the first turn that this job manages the run. */
    private void manages(Path folder) {
        try {
            if (!managing) {
                failed(folder, 0);
                managing = true;
            }
        } catch (IOException e) {
            // The disk may be full; the next turn tries again.
            return;
        }
    }
}
