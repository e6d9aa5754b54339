package io.sheaf.slurm.doctor;

import io.sheaf.agent.link.HostNames;
import io.sheaf.driver.AwayException;
import io.sheaf.driver.Commands;
import io.sheaf.driver.ShellWord;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.runtime.site.BoundedBackend;
import io.sheaf.slurm.SlurmSite;
import io.sheaf.slurm.whatif.Submissions;
import io.sheaf.slurm.whatif.WhatIf;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Looks at a Slurm cluster, and by a job of one node and two minutes at a compute node: is there Java, are we reached from there, how late do files
 * come, do the clocks agree.
 */
public final class SlurmDoctor {
    private static final int OLDEST_JAVA = 17;
    private static final long SLOW_MILLIS = 5_000;
    private static final long LONG_LAG = 10_000;
    private static final long CLOCK_MILLIS = 2_000;
    private static final long LOOK_MILLIS = 200;
    private static final String TESTED = " 22.05";

    private final SlurmSite site;
    private final Submissions alike;
    private final Path folder;

    /** Looks with jobs that are submitted like this, from a folder that compute nodes see. */
    public SlurmDoctor(SlurmSite site, Submissions alike, Path folder) {
        this.site = site;
        this.alike = alike;
        this.folder = folder.toAbsolutePath();
    }

    /**
     * Everything that was found.
     *
     * @param patience how long to wait for the job, in milliseconds; 0 for no job
     */
    public List<Finding> findings(long patience) throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        try {
            findings.add(release());
            findings.addAll(cluster());
            if (patience > 0) {
                findings.addAll(node(patience));
            }
        } catch (AwayException e) {
            findings.add(Finding.bad(
                    "Slurm",
                    String.valueOf(e.getMessage()),
                    "log in where sbatch works, or set SLURM_CONF and PATH as there"));
        } catch (InputException e) {
            findings.add(Finding.bad("partition", e.problem(), "name another one with --partition"));
        } catch (IOException e) {
            findings.add(Finding.bad(
                    "node",
                    "could not be looked at (" + e.getMessage() + ")",
                    "go to a folder that compute nodes see"));
        }
        return findings;
    }

    private Finding release() throws AwayException, InterruptedException {
        long from = System.nanoTime();
        String release = site.commands().ask("sinfo", "--version").out().strip();
        Commands.Answer ping = site.commands().ask("scontrol", "ping");
        long millis = (System.nanoTime() - from) / 1_000_000;
        if (!ping.out().contains(" is UP")) {
            return Finding.bad("Slurm", release + ", but: " + ping.why(), "wait, or tell the site's engineers");
        }
        String found = release + ", answers in " + Rounded.time(millis);
        if (millis > SLOW_MILLIS) {
            return Finding.doubtful("Slurm", found, "the controller is busy: use a larger --queue-interval");
        }
        return Finding.good("Slurm", found + (release.contains(TESTED) ? "" : " (Sheaf was tested with 22.05)"));
    }

    private List<Finding> cluster() throws AwayException, InterruptedException {
        List<Finding> findings = new ArrayList<>();
        WhatIf.Condition condition = new WhatIf(site, alike).look(System.currentTimeMillis());
        WhatIf.Seen seen = condition.seen();
        findings.add(Finding.good(
                "partition",
                seen.partition() + ": " + seen.nodes() + " nodes, " + seen.taken() + " taken, " + seen.out()
                        + " more out of service"));
        findings.add(
                condition.hidesJobs()
                        ? Finding.doubtful(
                                "queue",
                                "others' jobs are hidden (PrivateData)",
                                "nothing to do: waits are estimated from taken nodes and from your own jobs")
                        : Finding.good(
                                "queue",
                                seen.queued() + " requests wait; " + Rounded.percent(seen.unmodelledShare())
                                        + " of their node-time is not modelled"));
        for (String problem : condition.problems()) {
            findings.add(Finding.doubtful("queue", problem, "estimates do without it"));
        }
        List<String> limits = new ArrayList<>();
        for (Map.Entry<String, String> limit : condition.limits().entrySet()) {
            limits.add(limit.getValue() + " " + limit.getKey());
        }
        findings.add(Finding.good("limits", limits.isEmpty() ? "none are told" : String.join(", ", limits)));
        return findings;
    }

    /** Submits the job, waits for its report, and leaves nothing. */
    private List<Finding> node(long patience) throws IOException, InterruptedException {
        if (!BoundedBackend.mayProbe(System.currentTimeMillis())) {
            return List.of(Finding.doubtful(
                    "node", "not looked at: this site allows you no further submissions now", "try again in an hour"));
        }
        Path probe = Files.createTempDirectory(folder, ".sheaf-doctor");
        try (Callers callers = new Callers(probe.resolve("written"))) {
            Path script = Files.writeString(
                    probe.resolve("script"),
                    NodeReport.script(
                            ShellWord.quoted(probe.toString()),
                            ShellWord.quoted(Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString()),
                            HostNames.addresses(""),
                            callers.port()));
            List<String> words = new ArrayList<>(List.of(
                    "sbatch",
                    "--parsable",
                    "--job-name=sheaf-doctor",
                    "--no-requeue",
                    "--nodes=1",
                    "--time=2",
                    "--output=" + probe.resolve("output")));
            words.addAll(alike.options());
            Commands.Answer said = site.commands().order(script, words.toArray(String[]::new));
            String job = said.out().strip().split(";", -1)[0];
            if (!said.isGood() || !job.matches("[0-9]+")) {
                return List.of(Finding.bad(
                        "submission", said.why(), "give what is asked for, e.g. --account, --partition or --qos"));
            }
            return await(job, probe, callers, patience);
        } finally {
            delete(probe);
        }
    }

    private List<Finding> await(String job, Path probe, Callers callers, long patience)
            throws IOException, InterruptedException {
        Path file = probe.resolve("report");
        String text = "";
        long from = System.nanoTime();
        while (!NodeReport.isWhole(text) && (System.nanoTime() - from) / 1_000_000 < patience) {
            Thread.sleep(LOOK_MILLIS);
            text = Files.exists(file) ? Files.readString(file) : "";
        }
        if (!NodeReport.isWhole(text)) {
            String state = site.commands()
                    .ask("squeue", "-h", "-j", job, "-o", "%T (%r)")
                    .out()
                    .strip();
            site.commands().order(null, "scancel", job);
            return List.of(Finding.doubtful(
                    "node",
                    "no report within " + Rounded.time(patience) + "; job " + job + " was "
                            + (state.isEmpty() ? "over" : state),
                    state.startsWith("PENDING")
                            ? "wait longer with --wait 30m, or look at the rest with --wait 0s"
                            : "is " + folder + " seen on compute nodes? Go to a folder that is"));
        }
        return judge(NodeReport.parse(text), callers);
    }

    private static List<Finding> judge(NodeReport report, Callers callers) {
        List<Finding> findings = new ArrayList<>();
        String on = " on " + report.host();
        if (report.javaRelease() >= OLDEST_JAVA) {
            findings.add(Finding.good("Java" + on, report.java()));
        } else {
            findings.add(Finding.bad(
                    "Java" + on,
                    report.java().isEmpty() ? "none" : report.java(),
                    "agents use the Java that Sheaf is started with: start it with one of release " + OLDEST_JAVA
                            + " or later that compute nodes see at the same place (JAVA_HOME)"));
        }
        findings.add(
                report.reached().isEmpty()
                        ? Finding.doubtful(
                                "ports" + on,
                                "this machine is not reached from there",
                                "use --listen files, or have a range of ports opened and name it by --ports")
                        : Finding.good("ports" + on, "reaches " + String.join(", ", report.reached())));
        findings.add(lag(on, callers.lag()));
        findings.add(clock(on, callers.clockAhead()));
        findings.add(Finding.good("limits" + on, report.files() + " open files"));
        return findings;
    }

    private static Finding lag(String on, long lag) {
        String what = "file system" + on;
        if (lag == Callers.UNKNOWN) {
            return Finding.good(what, "files written there are seen here; how soon could not be measured");
        }
        String found = "a file written there is seen here after " + Rounded.time(lag);
        return lag <= LONG_LAG
                ? Finding.good(what, found)
                : Finding.doubtful(
                        what, found, "tasks' outputs are waited for; use a file system with less lag if you can");
    }

    private static Finding clock(String on, long ahead) {
        if (ahead == Callers.UNKNOWN) {
            return Finding.doubtful("clock" + on, "could not be compared", "");
        }
        String found = Rounded.time(Math.abs(ahead)) + (ahead < 0 ? " behind" : " ahead");
        return Math.abs(ahead) <= CLOCK_MILLIS
                ? Finding.good("clock" + on, found)
                : Finding.doubtful("clock" + on, found, "let the machines set their clocks by NTP (chrony)");
    }

    private static void delete(Path probe) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(probe)) {
            files.addAll(all.toList());
        }
        files.add(probe);
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
