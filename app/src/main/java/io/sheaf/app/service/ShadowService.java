package io.sheaf.app.service;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.Session;
import io.sheaf.app.run.Clusters;
import io.sheaf.app.run.ShadowRun;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.control.ControlRequest;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * A service that submits nothing: each workflow that it receives is watched while another tool runs it, in a {@link ShadowRun}, and reported at its end.
 *
 * <p>A workflow stays in the inbox until it is reported, so that an interrupted service continues. A file in the service's folder has the prefix of job
 * names; a service with this file never submits jobs.
 */
final class ShadowService {
    private static final String MARK = "shadow";
    private static final String WORKFLOW = "{workflow}";

    private final Path folder;
    private final RunSpec spec;
    private final Session session;
    private final boolean json;
    private final ControlFolder inbox;
    private final WhatIf cluster;
    private final Map<String, ShadowRun> watched = new HashMap<>();

    ShadowService(Path folder, RunSpec spec, Session session, boolean json) throws IOException, InterruptedException {
        this.folder = folder;
        this.spec = spec;
        this.session = session;
        this.json = json;
        inbox = new ControlFolder(folder);
        cluster = Clusters.commands(spec.where(), session)
                .whatIf(spec.where().options(), spec.node().cores());
    }

    /** Whether the service in a folder submits nothing. */
    static boolean isIn(Path folder) {
        return Files.exists(folder.resolve(MARK));
    }

    /** Makes the service in a folder one that submits nothing. */
    static void mark(Path folder, String prefix) throws IOException {
        Files.writeString(folder.resolve(MARK), prefix);
    }

    /** Watches submitted workflows until the service is drained. */
    int run() throws IOException, InterruptedException {
        try (FileChannel channel = FileChannel.open(folder.resolve(MARK), StandardOpenOption.WRITE)) {
            if (channel.tryLock() == null) {
                throw new InputException("another process serves this folder").in(folder.toString());
            }
            while (!observe()) {
                Thread.sleep(ShadowRun.PAUSE);
            }
        }
        return ExitStatus.DONE;
    }

    /** Observes each workflow in the inbox; returns whether the service is drained. */
    private boolean observe() throws IOException, InterruptedException {
        String drain = "";
        int open = 0;
        for (String name : inbox.names()) {
            ControlRequest request = inbox.read(name);
            if (request instanceof ControlRequest.Submit submit) {
                open += ended(name, submit) ? 0 : 1;
            } else if (request instanceof ControlRequest.Drain) {
                drain = name;
            } else {
                inbox.refuse(name, "a shadow service cannot pause or cancel workflows that another tool runs");
            }
        }
        if (!drain.isEmpty() && open == 0) {
            inbox.removeSurely(drain);
            return true;
        }
        return false;
    }

    private boolean ended(String name, ControlRequest.Submit submit) throws IOException, InterruptedException {
        ShadowRun run = watched.get(name);
        if (run == null) {
            String prefix = Files.readString(folder.resolve(MARK))
                    .replace(WORKFLOW, submit.tasks().name());
            run = new ShadowRun(
                    submit.tasks(),
                    spec.forTasks(submit.tasks()),
                    Path.of(submit.origin().folder()),
                    folder.resolve("watched").resolve(submit.origin().id()),
                    cluster,
                    prefix);
            watched.put(name, run);
            session.note("watching jobs " + prefix + "* for " + submit.origin().id());
        }
        if (!run.observe(System.currentTimeMillis(), session.err())) {
            return false;
        }
        try {
            run.report(session, json);
            session.out().flush();
        } catch (InputException e) {
            session.note(e.getMessage());
        }
        watched.remove(name);
        inbox.removeSurely(name);
        return true;
    }
}
