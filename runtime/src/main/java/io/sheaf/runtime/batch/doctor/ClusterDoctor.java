package io.sheaf.runtime.batch.doctor;

import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.SystemCommands;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks a cluster, from its release to one of its nodes, which a probe job checks. A failure is also a finding, and ends the
 * checks.
 *
 * @param <C> the commands of its batch system
 */
public abstract class ClusterDoctor<C extends SystemCommands> {
    private static final long SLOW_MILLIS = 5_000;

    protected final C commands;
    protected final List<String> options;
    private final SystemAdvice advice;

    /**
     * What to say about a batch system.
     *
     * @param tested the release that Sheaf was tested with
     * @param whenUnavailable the advice if its commands are missing or do not answer
     * @param whenBusy the busy component if they answer late
     * @param parts what jobs consist of, or come from: the subject of an {@link InputException}
     * @param whenRefused the advice in that case
     * @param required options that a site may require, if it refuses the probe job
     */
    public record SystemAdvice(
            String tested,
            String whenUnavailable,
            String whenBusy,
            String parts,
            String whenRefused,
            String required) {}

    /** A doctor whose probe jobs use these options. */
    protected ClusterDoctor(C commands, List<String> options, SystemAdvice advice) {
        this.commands = commands;
        this.options = List.copyOf(options);
        this.advice = advice;
    }

    /**
     * Runs all checks.
     *
     * @param folder one that compute nodes see
     * @param timeout how long to wait for the probe job, in milliseconds; 0 for no job
     */
    public final List<Finding> findings(Path folder, long timeout) throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        try {
            check(findings);
            if (timeout > 0) {
                findings.addAll(new NodeProbe(
                                this, folder.toAbsolutePath(), "give what the site requires, e.g. " + advice.required)
                        .findings(timeout));
            }
        } catch (UnreachableException e) {
            findings.add(Finding.bad(commands.title(), String.valueOf(e.getMessage()), advice.whenUnavailable));
        } catch (InputException e) {
            findings.add(Finding.bad(advice.parts, e.problem(), advice.whenRefused));
        } catch (IOException e) {
            findings.add(Finding.bad(
                    "node",
                    "could not be checked (" + e.getMessage() + ")",
                    "change to a folder that compute nodes see"));
        }
        return findings;
    }

    /** Makes all checks but that of a node. */
    protected abstract void check(List<Finding> findings) throws IOException, InterruptedException;

    /** The finding about the release and its response time, which has passed since an instant of the monotonic clock. */
    protected final Finding answered(String release, long sinceNanos) {
        long millis = (System.nanoTime() - sinceNanos) / 1_000_000;
        String found = release + ", answers in " + Rounded.time(millis);
        if (millis > SLOW_MILLIS) {
            return Finding.doubtful(
                    commands.title(), found, advice.whenBusy + " is busy: use a larger --queue-interval");
        }
        String tested = release.contains(advice.tested) ? "" : " (Sheaf was tested with " + advice.tested + ")";
        return Finding.good(commands.title(), found + tested);
    }

    // --- the probe job, of one node and two minutes ---

    protected abstract BatchCommands.Submitted submit(Path script, Path output)
            throws IOException, InterruptedException;

    /** The job's state in the batch system's terms; empty if it has ended. */
    protected abstract String state(long job) throws IOException, InterruptedException;

    protected abstract boolean isWaiting(String state);
}
