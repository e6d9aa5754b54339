package io.sheaf.runtime.batch.doctor;

import io.sheaf.agent.Trees;
import io.sheaf.agent.link.HostNames;
import io.sheaf.formats.ShellWords;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.runtime.site.Ledger;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks a compute node with a job of one node and two minutes: Java, connection to this machine, file system
 * delay, clock offset.
 */
final class NodeProbe {
    private static final int OLDEST_JAVA = 17;
    private static final long LONG_LAG = 10_000;
    private static final long CLOCK_MILLIS = 2_000;
    private static final long POLL_MILLIS = 200;

    private final ClusterDoctor<?> doctor;
    private final Path folder;
    private final String advice;

    /**
     * A check from a folder that compute nodes see.
     *
     * @param advice the advice if the job is refused
     */
    NodeProbe(ClusterDoctor<?> doctor, Path folder, String advice) {
        this.doctor = doctor;
        this.folder = folder.toAbsolutePath();
        this.advice = advice;
    }

    /** Submits the job, waits for its report, and removes all files. */
    List<Finding> findings(long timeout) throws IOException, InterruptedException {
        if (!Ledger.mayProbe(System.currentTimeMillis())) {
            return List.of(Finding.doubtful(
                    "node", "not checked: this site's limits allow no further submission now", "retry in an hour"));
        }
        Path probe = Files.createTempDirectory(folder, ".sheaf-doctor");
        try (Callers callers = new Callers(probe.resolve("written"))) {
            Path script = Files.writeString(
                    probe.resolve("script"),
                    NodeReport.script(
                            ShellWords.quote(probe.toString()),
                            ShellWords.quote(Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString()),
                            HostNames.addresses(""),
                            callers.port()));
            BatchCommands.Submitted submitted = doctor.submit(script, probe.resolve("output"));
            if (submitted.isRefused() || submitted.job() == BatchCommands.UNKNOWN) {
                return List.of(Finding.bad(
                        "submission",
                        submitted.isRefused() ? submitted.refusal() : "its job id could not be read",
                        advice));
            }
            return await(submitted.job(), probe, callers, timeout);
        } finally {
            Trees.delete(probe);
        }
    }

    private List<Finding> await(long job, Path probe, Callers callers, long timeout)
            throws IOException, InterruptedException {
        Path file = probe.resolve("report");
        String text = "";
        long from = System.nanoTime();
        while (!NodeReport.isWhole(text) && (System.nanoTime() - from) / 1_000_000 < timeout) {
            Thread.sleep(POLL_MILLIS);
            text = Files.exists(file) ? Files.readString(file) : "";
        }
        if (!NodeReport.isWhole(text)) {
            String state = doctor.state(job);
            doctor.commands.cancel(List.of(job));
            return List.of(Finding.doubtful(
                    "node",
                    "no report within " + Rounded.time(timeout) + "; job " + job + " was "
                            + (state.isEmpty() ? "over" : state),
                    doctor.isWaiting(state)
                            ? "wait longer with --wait 30m, or skip this check with --wait 0s"
                            : "is " + folder + " visible on compute nodes? Change to a folder that is"));
        }
        return judge(NodeReport.parse(text), callers);
    }

    private static List<Finding> judge(NodeReport report, Callers callers) {
        List<Finding> findings = new ArrayList<>();
        String suffix = " on " + report.host();
        if (report.javaRelease() >= OLDEST_JAVA) {
            findings.add(Finding.good("Java" + suffix, report.java()));
        } else {
            findings.add(Finding.bad(
                    "Java" + suffix,
                    report.java().isEmpty() ? "none" : report.java(),
                    "agents use the Java that Sheaf is started with: start it with one of release " + OLDEST_JAVA
                            + " or later that compute nodes see at the same path (JAVA_HOME)"));
        }
        findings.add(
                report.reached().isEmpty()
                        ? Finding.doubtful(
                                "ports" + suffix,
                                "the node cannot connect to this machine",
                                "use --listen files, or have a port range opened and set --ports")
                        : Finding.good("ports" + suffix, "reaches " + String.join(", ", report.reached())));
        findings.add(lag(suffix, callers.lag()));
        findings.add(clock(suffix, callers.clockAhead()));
        findings.add(Finding.good("limits" + suffix, report.files() + " open files"));
        return findings;
    }

    private static Finding lag(String suffix, long lag) {
        String subject = "file system" + suffix;
        if (lag == Callers.UNKNOWN) {
            return Finding.good(subject, "files written there are visible here; the delay could not be measured");
        }
        String found = "a file written there is visible here after " + Rounded.time(lag);
        return lag <= LONG_LAG
                ? Finding.good(subject, found)
                : Finding.doubtful(
                        subject,
                        found,
                        "Sheaf waits for outputs of tasks; use a file system with less delay if you can");
    }

    private static Finding clock(String suffix, long ahead) {
        if (ahead == Callers.UNKNOWN) {
            return Finding.doubtful("clock" + suffix, "could not be compared", "");
        }
        String found = Rounded.time(Math.abs(ahead)) + (ahead < 0 ? " behind" : " ahead");
        return Math.abs(ahead) <= CLOCK_MILLIS
                ? Finding.good("clock" + suffix, found)
                : Finding.doubtful("clock" + suffix, found, "synchronize the clocks with NTP, e.g. by chrony");
    }
}
