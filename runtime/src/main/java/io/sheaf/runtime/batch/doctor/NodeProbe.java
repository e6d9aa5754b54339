package io.sheaf.runtime.batch.doctor;

import io.sheaf.agent.Trees;
import io.sheaf.agent.link.DaemonThread;
import io.sheaf.agent.link.HostNames;
import io.sheaf.formats.ShellWords;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.runtime.limits.Ledger;
import io.sheaf.text.Rounded;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks a compute node with a job of one node and two minutes: Java, connection to this machine, file system
 * delay, clock offset.
 *
 * @param folder one that compute nodes see
 * @param advice the advice if the job is refused
 */
record NodeProbe(ClusterDoctor<?> doctor, Path folder, String advice) {
    private static final int OLDEST_JAVA = 17;
    private static final long LONG_LAG = 10_000;
    private static final long CLOCK_MILLIS = 2_000;
    private static final long POLL_MILLIS = 200;

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
        try {
            while (!NodeReport.isWhole(text) && (System.nanoTime() - from) / 1_000_000 < timeout) {
                Thread.sleep(POLL_MILLIS);
                text = Files.exists(file) ? Files.readString(file) : "";
            }
            if (!NodeReport.isWhole(text)) {
                String state = doctor.state(job);
                return List.of(Finding.doubtful(
                        "node",
                        "no report within " + Rounded.time(timeout) + "; job " + job + " was "
                                + (state.isEmpty() ? "over" : state),
                        doctor.isWaiting(state)
                                ? "wait longer with --wait 30m, or skip this check with --wait 0s"
                                : "is " + folder + " visible on compute nodes? Change to a folder that is"));
            }
        } finally {
            if (!NodeReport.isWhole(text)) {
                doctor.commands.cancel(List.of(job));
            }
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
        findings.add(lag(suffix, callers.lag));
        findings.add(clock(suffix, callers.clockAhead));
        findings.add(Finding.good("limits" + suffix, report.files() + " open files"));
        return findings;
    }

    private static Finding lag(String suffix, long lag) {
        String subject = "file system" + suffix;
        if (lag == Callers.UNKNOWN) {
            return Finding.good(subject, "files written there are visible here; the delay could not be measured");
        }
        String found = "a file written there is visible here after " + Rounded.time(lag);
        return Finding.of(
                lag <= LONG_LAG,
                subject,
                found,
                "Sheaf waits for outputs of tasks; use a file system with less delay if you can");
    }

    private static Finding clock(String suffix, long ahead) {
        if (ahead == Callers.UNKNOWN) {
            return Finding.doubtful("clock" + suffix, "could not be compared", "");
        }
        String found = Rounded.time(Math.abs(ahead)) + (ahead < 0 ? " behind" : " ahead");
        return Finding.of(
                Math.abs(ahead) <= CLOCK_MILLIS,
                "clock" + suffix,
                found,
                "synchronize the clocks with NTP, e.g. by chrony");
    }

    /**
     * The report of a job on a compute node.
     *
     * @param host its host name
     * @param java the output of Java's version command there; empty if there is none
     * @param reached addresses of this machine that it could connect to
     * @param files its limit of open files
     */
    record NodeReport(String host, String java, List<String> reached, String files) {
        /** The last line of a report; without it the report is incomplete. */
        static final String END = "end";

        private static final Pattern RELEASE = Pattern.compile("\"(1\\.)?([0-9]{1,3})");

        /** The script of the job; {@code folder} and {@code java} are quoted for a shell. */
        static String script(String folder, String java, List<String> addresses, int port) {
            return """
                #!/bin/bash
                cd %s || exit 1
                exec 9>report
                echo "host $(hostname)" >&9
                echo "java $(%s -version 2>&1 | head -n 1)" >&9
                echo "files $(ulimit -n)" >&9
                for address in %s; do
                    if timeout 5 bash -c "exec 3<>/dev/tcp/$address/%d" 2>/dev/null; then
                        echo "reached $address" >&9
                        first=${first:-$address}
                    fi
                done
                if [ -n "$first" ]; then
                    exec 3<>"/dev/tcp/$first/%d"
                    echo "clock $(date +%%s%%N)" >&3
                    echo written >written.new && mv written.new written
                    echo written >&3
                    exec 3>&-
                fi
                echo end >&9
                """.formatted(folder, java, String.join(" ", addresses), port, port);
        }

        static boolean isWhole(String text) {
            return text.endsWith("\n" + END + "\n");
        }

        static NodeReport parse(String text) {
            String host = "?";
            String java = "";
            String files = "?";
            List<String> reached = new ArrayList<>();
            for (String line : text.lines().toList()) {
                int blank = line.indexOf(' ');
                String value = blank < 0 ? "" : line.substring(blank + 1).strip();
                switch (blank < 0 ? line : line.substring(0, blank)) {
                    case "host" -> host = value;
                    case "java" -> java = value.contains("version") ? value : "";
                    case "files" -> files = value;
                    case "reached" -> reached.add(value);
                    default -> {}
                }
            }
            return new NodeReport(host, java, reached, files);
        }

        /** The release of Java, such as 17 for {@code openjdk version "17.0.9" 2023-10-17}; 0 if unknown. */
        int javaRelease() {
            Matcher release = RELEASE.matcher(java);
            return release.find() ? Integer.parseInt(release.group(2)) : 0;
        }
    }

    /**
     * A server for a job on a compute node: measures the node's clock offset, and the delay until a file that the job
     * writes is visible here.
     */
    private static final class Callers implements AutoCloseable {
        /** Not measured. */
        static final long UNKNOWN = Long.MIN_VALUE;

        private static final long LAG_MILLIS = 60_000;
        private static final int SILENCE_MILLIS = 60_000;

        private final ServerSocket server = new ServerSocket(0);
        private final Path written;
        /** How far the node's clock is ahead of this machine's, in milliseconds, network latency included. */
        private volatile long clockAhead = UNKNOWN;

        private volatile long lag = UNKNOWN;

        /** Listens until it is closed; {@code written} is the file that the job writes. */
        Callers(Path written) throws IOException {
            this.written = written;
            DaemonThread.start("doctor", this::listen);
        }

        int port() {
            return server.getLocalPort();
        }

        private void listen() {
            while (!server.isClosed()) {
                try (Socket caller = server.accept()) {
                    caller.setSoTimeout(SILENCE_MILLIS);
                    read(new BufferedReader(new InputStreamReader(caller.getInputStream(), StandardCharsets.UTF_8)));
                } catch (IOException e) {
                    // The connection only tested the port; or the server is closed.
                }
            }
        }

        private void read(BufferedReader from) throws IOException {
            for (String line = from.readLine(); line != null; line = from.readLine()) {
                if (line.matches("clock [0-9]{15,19}")) {
                    clockAhead = Long.parseLong(line.substring(6)) / 1_000_000 - System.currentTimeMillis();
                } else if (line.equals("written")) {
                    lag = visibilityDelay();
                }
            }
        }

        /** The delay until the file is visible, in milliseconds; at most a minute. */
        private long visibilityDelay() {
            long from = System.nanoTime();
            long waited = 0;
            try {
                while (!Files.exists(written) && waited < LAG_MILLIS) {
                    Thread.sleep(20);
                    waited = (System.nanoTime() - from) / 1_000_000;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return waited;
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
