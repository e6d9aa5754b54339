package io.sheaf.runtime.batch.doctor;

import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The checks of a cluster, from its release to one of its nodes. A failure is also a finding, and ends the checks.
 *
 * @param title the batch system's name
 * @param tested the release that Sheaf was tested with
 * @param whenAway the advice if its commands are missing or do not answer
 * @param whenBusy the busy component if they answer late
 * @param parts what jobs consist of, or come from: the subject of an {@link InputException}
 * @param whenRefused the advice in that case
 */
public record ClusterChecks(
        String title, String tested, String whenAway, String whenBusy, String parts, String whenRefused) {
    private static final long SLOW_MILLIS = 5_000;

    /** The checks, in order. */
    public interface Steps {
        void into(List<Finding> findings) throws IOException, InterruptedException;
    }

    /**
     * The findings; the check of a node is last.
     *
     * @param timeout how long to wait for the job that checks it, in milliseconds; 0 for no job
     */
    public List<Finding> findings(Steps steps, NodeProbe node, long timeout) throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        try {
            steps.into(findings);
            if (timeout > 0) {
                findings.addAll(node.findings(timeout));
            }
        } catch (UnreachableException e) {
            findings.add(Finding.bad(title, String.valueOf(e.getMessage()), whenAway));
        } catch (InputException e) {
            findings.add(Finding.bad(parts, e.problem(), whenRefused));
        } catch (IOException e) {
            findings.add(Finding.bad(
                    "node",
                    "could not be checked (" + e.getMessage() + ")",
                    "change to a folder that compute nodes see"));
        }
        return findings;
    }

    /** The finding about the release and its response time. */
    public Finding answered(String release, long millis) {
        String found = release + ", answers in " + Rounded.time(millis);
        if (millis > SLOW_MILLIS) {
            return Finding.doubtful(title, found, whenBusy + " is busy: use a larger --queue-interval");
        }
        return Finding.good(title, found + (release.contains(tested) ? "" : " (Sheaf was tested with " + tested + ")"));
    }
}
