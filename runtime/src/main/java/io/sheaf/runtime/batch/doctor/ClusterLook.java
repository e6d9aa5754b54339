package io.sheaf.runtime.batch.doctor;

import io.sheaf.runtime.batch.AwayException;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A look at a cluster, from its release to one of its nodes. What goes wrong is a finding as well, and ends it.
 *
 * @param title the batch system's name
 * @param tested the release that Sheaf was tested with
 * @param whenAway what to do where its commands are not there or do not answer
 * @param whenBusy who is busy where they answer late
 * @param parts what jobs consist of, or come from: what {@link InputException} is about
 * @param whenRefused what to do then
 */
public record ClusterLook(
        String title, String tested, String whenAway, String whenBusy, String parts, String whenRefused) {
    private static final long SLOW_MILLIS = 5_000;

    /** What is looked at, one after the other. */
    public interface Steps {
        void into(List<Finding> findings) throws IOException, InterruptedException;
    }

    /**
     * What was found, at last at a node.
     *
     * @param patience how long to wait for the job that looks at it, in milliseconds; 0 for no job
     */
    public List<Finding> findings(Steps steps, NodeProbe node, long patience) throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        try {
            steps.into(findings);
            if (patience > 0) {
                findings.addAll(node.findings(patience));
            }
        } catch (AwayException e) {
            findings.add(Finding.bad(title, String.valueOf(e.getMessage()), whenAway));
        } catch (InputException e) {
            findings.add(Finding.bad(parts, e.problem(), whenRefused));
        } catch (IOException e) {
            findings.add(Finding.bad(
                    "node",
                    "could not be looked at (" + e.getMessage() + ")",
                    "go to a folder that compute nodes see"));
        }
        return findings;
    }

    /** Which release it is, and how soon it answered. */
    public Finding answered(String release, long millis) {
        String found = release + ", answers in " + Rounded.time(millis);
        if (millis > SLOW_MILLIS) {
            return Finding.doubtful(title, found, whenBusy + " is busy: use a larger --queue-interval");
        }
        return Finding.good(title, found + (release.contains(tested) ? "" : " (Sheaf was tested with " + tested + ")"));
    }
}
