package io.sheaf.runtime.run;

import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.control.ControlRequest;
import io.sheaf.runtime.spec.Service;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A client of a service: submits, holds and cancels workflows through the service's inbox, whether or not a manager
 * is running.
 *
 * <p>It refuses invalid requests before it writes them.
 */
public final class ServiceClient {
    private static final Pattern OWNER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.@+-]{0,63}");
    private static final int MAX_PRIORITY = 1_000;
    private static final int MAX_TASKS = 200_000;
    private static final int LONGEST_NAME = 40;
    private static final String LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path folder;
    private final ControlFolder inbox;

    public ServiceClient(Path folder) throws IOException {
        this.folder = folder;
        if (!RunFiles.isRun(folder) || Service.of(folder) == null) {
            throw new InputException(
                            "there is no service in this folder; start one with: sheaf serve --state " + folder)
                    .in(folder.toString());
        }
        inbox = new ControlFolder(folder);
    }

    /**
     * Submits a workflow and returns its id.
     *
     * @param owner the user it belongs to
     * @param priority higher goes first
     * @param workFolder where its tasks run
     * @param site the cluster of the service
     */
    public String submit(Workflow workflow, String owner, int priority, Path workFolder, ClusterAccess site)
            throws IOException {
        if (!OWNER.matcher(owner).matches()) {
            throw new InputException("'" + owner + "' is not a valid owner; use up to 64 letters, digits and _.@+-");
        }
        if (Math.abs(priority) > MAX_PRIORITY) {
            throw new InputException("priority " + priority + ": give -" + MAX_PRIORITY + " to " + MAX_PRIORITY);
        }
        if (workflow.size() > MAX_TASKS) {
            throw new InputException("the workflow has " + workflow.size() + " tasks, a service accepts at most "
                    + MAX_TASKS + " at once. Maybe split it");
        }
        String where = workFolder.toAbsolutePath().normalize().toString();
        site.check(RunFiles.spec(folder).at(where), workflow);
        String id = id(workflow.name());
        inbox.put(new ControlRequest.Submit(
                new Origin(id, owner, priority, where), workflow.prefixed(id + "/"), List.of()));
        return id;
    }

    /**
     * The workflow's name without characters that are invalid in file names, the time in seconds, and four random
     * letters.
     */
    private static String id(String name) {
        String safe = name.replaceAll("[^A-Za-z0-9_.-]", "_").replaceAll("^[.-]+", "");
        String begin = safe.isEmpty() ? "workflow" : safe.substring(0, Math.min(LONGEST_NAME, safe.length()));
        StringBuilder id = new StringBuilder(begin).append('-');
        id.append(Long.toString(System.currentTimeMillis() / 1000, 36).toLowerCase(Locale.ROOT));
        for (int i = 0; i < 4; i++) {
            id.append(LETTERS.charAt(RANDOM.nextInt(LETTERS.length())));
        }
        return id.toString();
    }

    /** Holds a workflow or resumes it. Running tasks of a held workflow continue; no more are started. */
    public void hold(String id, boolean held) throws IOException {
        inbox.put(new ControlRequest.Hold(id, held));
    }

    /** Cancels a workflow: running tasks are stopped, the rest are skipped. */
    public void drop(String id) throws IOException {
        inbox.put(new ControlRequest.Drop(id));
    }

    /** Closes the service to new workflows: it ends when all are completed. */
    public void drain() throws IOException {
        inbox.put(new ControlRequest.Drain());
    }

    /** The number of requests in the inbox. */
    public int waiting() {
        return inbox.names().size();
    }

    /** Whether the inbox has a workflow with this id. */
    public boolean isWaiting(String id) throws IOException {
        return inbox.has(id);
    }

    /** Refuses an id that is neither in the run nor in its inbox. */
    public void refuseUnknown(String id, Forest known) throws IOException {
        if (known.named(id) == null && !inbox.has(id)) {
            throw new InputException("there is no workflow '" + id + "' in this service; see: sheaf serve list");
        }
    }
}
