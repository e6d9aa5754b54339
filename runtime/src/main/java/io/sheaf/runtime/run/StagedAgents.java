package io.sheaf.runtime.run;

import io.sheaf.agent.link.DaemonThread;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Output;
import io.sheaf.agent.protocol.TaskFiles;
import io.sheaf.agent.protocol.Usage;
import io.sheaf.runtime.cluster.Agents;
import io.sheaf.runtime.cluster.FileStaging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection to agents of which some are at sites without a shared file system.
 *
 * <p>A start message goes to such an agent when the inputs are there. The end of an attempt is passed on when its outputs and
 * logs are here; until then the agent keeps it, so a killed manager loses nothing. An attempt whose files cannot be transferred
 * has failed, with the reason.
 *
 * <p>Used by the event loop's thread; transfers run in other threads.
 */
final class StagedAgents implements Agents {
    /** The time limit of a fetch of the results that a lost agent left, in milliseconds. */
    private static final long RESULTS_LIMIT = 60_000;

    /** How often that limit fits in that of the fetch of the outputs of one such result. */
    private static final int OUTPUTS_FACTOR = 10;

    private final Agents link;
    private final RunFolder run;
    private final EventQueue inbox;
    private final long resultsLimit;
    private LongFunction<@Nullable FileStaging> sites = token -> null;

    /** Attempts whose inputs are on their way. */
    private final Set<AttemptId> copying = new HashSet<>();
    /** Attempts whose outputs are on their way or here. */
    private final Set<AttemptId> fetching = new HashSet<>();
    /** Agents of attempts whose outputs are on their way, once for each. */
    private final List<AgentId> awaited = new ArrayList<>();
    /** The last messages of agents whose attempts are awaited. */
    private final Map<AgentId, Message> byes = new HashMap<>();
    /** Messages that this class re-queued and passes on without a check. */
    private final Set<Message> passed = new HashSet<>();
    /** What is left to do in the loop's thread after transfers. */
    private final Queue<Runnable> completed = new ConcurrentLinkedQueue<>();

    StagedAgents(Agents link, RunFolder run, EventQueue inbox) {
        this(link, run, inbox, RESULTS_LIMIT);
    }

    StagedAgents(Agents link, RunFolder run, EventQueue inbox, long resultsLimit) {
        this.link = link;
        this.run = run;
        this.inbox = inbox;
        this.resultsLimit = resultsLimit;
    }

    /** Sets the files of the site of a pilot job; null for one with a shared file system. */
    void at(LongFunction<@Nullable FileStaging> files) {
        sites = files;
    }

    @Override
    public void send(AgentId agent, Message.ToAgent message) {
        FileStaging files = sites.apply(agent.token());
        if (files != null && message instanceof Message.Start start) {
            if (copying.add(start.attempt())) {
                copy(agent, start, files);
            }
        } else {
            if (files != null && message instanceof Message.Kill kill && copying.remove(kill.attempt())) {
                pass(agent, ended(kill.attempt(), AttemptOutcome.KILLED, "killed before its inputs were copied"));
            }
            link.send(agent, message);
        }
    }

    private void copy(AgentId agent, Message.Start start, FileStaging files) {
        TaskFiles its = start.files();
        Path folder = Path.of(its.folder());
        TaskFiles remote = new TaskFiles(
                files.remotePath(folder).toString(),
                its.isolated(),
                its.inputs(),
                its.outputs(),
                files.remotePath(folder.resolve(its.out())).toString(),
                files.remotePath(folder.resolve(its.err())).toString(),
                its.outputTimeoutMillis());
        transfer(
                files,
                () -> {
                    files.makeFolders(Set.of(remote.folder()));
                    files.copy(folder, its.inputs());
                },
                trouble -> {
                    if (!copying.remove(start.attempt())) {
                        return;
                    }
                    if (trouble == null) {
                        link.send(agent, new Message.Start(start.attempt(), start.work(), start.needs(), remote));
                    } else {
                        pass(
                                agent,
                                ended(
                                        start.attempt(),
                                        AttemptOutcome.FAILED,
                                        "its inputs could not be copied: " + trouble));
                    }
                });
    }

    /** A message for the loop that is not to be held. */
    private void pass(AgentId agent, Message message) {
        passed.add(message);
        inbox.add(agent, message);
    }

    private static Message.Ended ended(AttemptId attempt, AttemptOutcome outcome, String reason) {
        return new Message.Ended(
                attempt, outcome, -1, reason, Usage.none(System.currentTimeMillis()), List.of(), List.of());
    }

    /** Transfers files and then calls, in the loop's thread, with the reason of a failure. */
    private void transfer(FileStaging files, DaemonThread.Body transfer, Consumer<@Nullable String> after) {
        files.background(() -> {
            String trouble = null;
            try {
                transfer.run();
            } catch (IOException e) {
                trouble = String.valueOf(e.getMessage());
            } catch (InterruptedException e) {
                // The process is ending; the next manager repeats it.
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException e) {
                // For example a name that this file system does not allow.
                trouble = e.toString();
            }
            String why = trouble;
            completed.add(() -> after.accept(why));
            inbox.wake();
        });
    }

    @Override
    public boolean holdsBack(AgentId agent, Message message, Supplier<List<Message.Start>> open) {
        FileStaging files = sites.apply(agent.token());
        if (files == null || passed.remove(message)) {
            return false;
        }
        if (message instanceof Message.Bye && awaited.contains(agent)) {
            // After the ends of its attempts.
            byes.put(agent, message);
            return true;
        }
        Message.Start start = message instanceof Message.Ended ended && ended.exitStatus() >= 0
                ? of(open.get(), ended.attempt())
                : null;
        if (start != null && fetching.add(start.attempt())) {
            awaited.add(agent);
            fetch(agent, (Message.Ended) message, start, files);
        }
        return start != null;
    }

    private static Message.@Nullable Start of(List<Message.Start> open, AttemptId attempt) {
        return open.stream()
                .filter(start -> start.attempt().equals(attempt))
                .findFirst()
                .orElse(null);
    }

    private void fetch(AgentId agent, Message.Ended ended, Message.Start start, FileStaging files) {
        List<Output> outputs = new ArrayList<>();
        transfer(files, () -> outputs.addAll(fetched(ended, start, files)), trouble -> {
            awaited.remove(agent);
            pass(agent, local(ended, outputs, trouble));
            Message bye = awaited.contains(agent) ? null : byes.remove(agent);
            if (bye != null) {
                pass(agent, bye);
            }
        });
    }

    private static List<Output> fetched(Message.Ended ended, Message.Start start, FileStaging files)
            throws IOException, InterruptedException {
        Path folder = Path.of(start.files().folder());
        List<Path> toFetch = new ArrayList<>(List.of(
                folder.resolve(start.files().out()),
                folder.resolve(start.files().err())));
        ended.outputs().forEach(output -> toFetch.add(folder.resolve(output.name())));
        files.fetch(toFetch);
        List<Output> outputs = new ArrayList<>();
        for (Output output : ended.outputs()) {
            Path file = folder.resolve(output.name());
            outputs.add(new Output(
                    output.name(),
                    Files.size(file),
                    Files.getLastModifiedTime(file).toMillis()));
        }
        files.written(
                outputs.stream().map(Output::name).toList(),
                outputs.stream().map(Output::bytes).toList());
        return outputs;
    }

    private static Message.Ended local(Message.Ended ended, List<Output> outputs, @Nullable String trouble) {
        boolean lost = trouble != null && ended.outcome() == AttemptOutcome.SUCCEEDED;
        return new Message.Ended(
                ended.attempt(),
                lost ? AttemptOutcome.OUTPUT_ABSENT : ended.outcome(),
                ended.exitStatus(),
                lost ? "its outputs could not be fetched: " + trouble : ended.reason(),
                ended.usage(),
                lost ? List.of() : outputs,
                ended.lastLines());
    }

    @Override
    public boolean isConnected(AgentId agent) {
        return link.isConnected(agent);
    }

    @Override
    public void flush() {
        for (Runnable each = completed.poll(); each != null; each = completed.poll()) {
            each.run();
        }
        link.flush();
    }

    /**
     * Results that a lost agent left, as far as they and their outputs can be fetched in limited time. The caller waits, since the agent's end follows
     * them.
     */
    @Override
    public List<Message.Ended> storedResults(AgentId agent, List<Message.Start> open) {
        FileStaging files = sites.apply(agent.token());
        if (files == null) {
            return link.storedResults(agent, open);
        }
        if (open.isEmpty()) {
            return List.of();
        }
        List<Message.Ended> left = new ArrayList<>();
        try {
            within(resultsLimit, () -> {
                files.fetch(List.of(run.agent(agent)));
                return true;
            });
            for (Message.Ended ended : link.storedResults(agent, List.of())) {
                Message.Start start = of(open, ended.attempt());
                if (start != null) {
                    List<Output> outputs = within(resultsLimit * OUTPUTS_FACTOR, () -> fetched(ended, start, files));
                    left.add(local(ended, outputs, null));
                }
            }
        } catch (IOException e) {
            // Their tasks run again.
            return left;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return left;
    }

    /** Transfers files in another thread, which is interrupted after a time in milliseconds. */
    private static <T> T within(long millis, Callable<T> transfer) throws IOException, InterruptedException {
        FutureTask<T> task = new FutureTask<>(transfer);
        DaemonThread.of("stored results", task).start();
        try {
            return task.get(millis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException(e);
        } finally {
            task.cancel(true);
        }
    }

    @Override
    public void forget(AgentId agent) {
        awaited.removeIf(agent::equals);
        link.forget(agent);
    }
}
