package io.sheaf.app.run;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message;
import io.sheaf.app.cli.Fields;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.TaskState;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.run.RunListener;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import io.sheaf.workflow.Workflow;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Shows a run as plain lines, each with the time since the run's start. */
public class RunLines implements RunListener {
    /** Up to this size, a line is printed for every task; for larger workflows only counts. */
    private static final int MAX_TASK_LINES = 100;

    private static final long COUNT_INTERVAL_MILLIS = 5_000;

    private Workflow workflow;
    private final LongSupplier beginning;
    private final LongSupplier now;
    private final PrintWriter err;
    private final Map<Long, Long> submitted = new HashMap<>();
    private final Map<Long, Long> started = new HashMap<>();
    /** Pilot jobs whose walltime stopped a task. */
    private final Set<Long> cutOff = new HashSet<>();
    /** Idle pilot jobs that were reported as kept. */
    private final Set<Long> kept = new HashSet<>();
    /** Tasks whose last failure does not count as a retry, with the node that may have caused it. */
    private final Map<Integer, String> uncounted = new HashMap<>();

    private long lastToken;
    /** The result of an attempt; its time is in the following event. */
    private @Nullable AttemptResult lastResult;

    private long lastPrinted;
    private int done;
    private String opening = "resumed";

    /**
     * Creates the lines of a run.
     *
     * @param beginning when the run began, 0 while unknown
     * @param now the run's clock
     */
    public RunLines(Workflow workflow, LongSupplier beginning, LongSupplier now, PrintWriter err) {
        this.workflow = workflow;
        this.beginning = beginning;
        this.now = now;
        this.err = err;
    }

    /** Lines for a reader that does not manage the run. */
    RunLines watching() {
        opening = "so far";
        return this;
    }

    @Override
    public void begins(Manager manager) {
        workflow = manager.workflow();
        for (int task = 0; task < workflow.size(); task++) {
            done += manager.state(task) == TaskState.DONE ? 1 : 0;
        }
        for (int i = 0; i < manager.pilotJobs(); i++) {
            PilotJob p = manager.pilotJob(i);
            lastToken = Math.max(lastToken, p.token());
            if (p.isQueued()) {
                submitted.put(p.token(), p.submittedAt());
            } else {
                started.put(p.token(), p.startedAt());
            }
        }
        if (manager.pilotJobs() + done > 0) {
            print(
                    now.getAsLong(),
                    opening + ": " + done + " of " + workflow.size() + " tasks done, " + started.size()
                            + (started.size() == 1 ? " pilot job running, " : " pilot jobs running, ")
                            + submitted.size() + " queued");
        }
    }

    @Override
    public void happened(Event event, Manager manager) {
        workflow = manager.workflow();
        if (event instanceof Event.Grown grown) {
            Workflow added = grown.added().tasks();
            String category = added.size() == 1 ? added.category(0).name() : "";
            print(
                    grown.at(),
                    grown.added().origin().id() + " added: " + Rounded.count(added.size())
                            + (added.size() == 1 ? " task" : " tasks")
                            + (category.isEmpty() ? "" : " (" + category + ")"));
        } else if (event instanceof Event.Started start && !started.containsKey(start.token())) {
            Long since = submitted.remove(start.token());
            started.put(start.token(), start.at());
            print(
                    start.at(),
                    "pilot job " + start.token() + " started"
                            + (since == null ? "" : " after a queue wait of " + Rounded.time(start.at() - since)));
        } else if (event instanceof Event.Granted granted) {
            print(
                    granted.at(),
                    "pilot job " + granted.token() + " was granted " + nodes(granted.units()) + " × "
                            + Rounded.time(granted.walltime()));
        } else if (event instanceof Event.Ended ended) {
            printJobEnd(ended);
        } else if (event instanceof Event.Refused refused) {
            submitted.remove(refused.token());
            print(refused.at(), "pilot job " + refused.token() + " rejected: " + refused.reason());
        } else if (event instanceof Event.NodeLost lost) {
            print(lost.at(), "node " + lost.node() + " of pilot job " + lost.token() + " lost");
        } else if (event instanceof Event.TaskEnded ended) {
            if (ended.outcome() == Event.Outcome.SUCCEEDED) {
                done++;
                taskDone(ended);
            }
            AttemptResult result = lastResult;
            lastResult = null;
            if (result != null) {
                noteCause(ended, result.node(), manager);
                printFailure(ended.at(), result.message());
            }
        }
    }

    private void noteCause(Event.TaskEnded ended, int node, Manager manager) {
        PilotJob p = manager.find(ended.token());
        if (p == null) {
            return;
        }
        if (JobRecord.isCutOff(ended.outcome(), ended.at(), p.limit())) {
            cutOff.add(p.token());
        }
        boolean failed = ended.outcome() == Event.Outcome.FAILED || ended.outcome() == Event.Outcome.NOT_RUNNABLE;
        if (failed && manager.failures(ended.task()) == 0 && !manager.isFinal(ended.task())) {
            uncounted.put(ended.task(), String.valueOf(p.host(node)));
        }
    }

    /** Prints the end of a pilot job once; a batch system may report it again. */
    private void printJobEnd(Event.Ended ended) {
        boolean waited = submitted.remove(ended.token()) != null;
        Long since = started.remove(ended.token());
        if (waited || since != null) {
            print(
                    ended.at(),
                    "pilot job " + ended.token() + " ended ("
                            + JobRecord.End.of(ended.how(), cutOff.remove(ended.token()))
                                    .word() + ")"
                            + (since == null ? "" : " after " + Rounded.time(ended.at() - since)));
        }
    }

    private void taskDone(Event.TaskEnded ended) {
        if (workflow.size() <= MAX_TASK_LINES) {
            print(ended.at(), "task " + named(ended.task()) + " done (" + done + " of " + workflow.size() + ")");
        } else if (ended.at() - lastPrinted >= COUNT_INTERVAL_MILLIS || done == workflow.size()) {
            lastPrinted = ended.at();
            print(ended.at(), done + " of " + workflow.size() + " tasks done");
        }
    }

    @Override
    public void started(long token, int node, int task, int attempt) {
        if (attempt > 1) {
            String failedOn = uncounted.remove(task);
            String why = failedOn == null
                    ? ""
                    : "; not counted as a retry, because node " + failedOn + " may have caused the failure";
            print(now.getAsLong(), "task " + named(task) + " retried (attempt " + attempt + why + ")");
        }
    }

    @Override
    public void ended(AttemptResult result) {
        lastResult = result;
    }

    private void printFailure(long at, Message.Ended ended) {
        if (ended.outcome() == AttemptOutcome.SUCCEEDED || ended.outcome() == AttemptOutcome.KILLED) {
            return;
        }
        String id = named(ended.attempt().task());
        String verb = ended.outcome() == AttemptOutcome.CUT_OFF || ended.outcome() == AttemptOutcome.PREEMPTED
                ? " stopped: "
                : " failed: ";
        print(at, "task " + id + verb + ended.reason());
        ended.lastLines().forEach(line -> err.println("    " + Fields.plain(line)));
        err.flush();
    }

    @Override
    public void decided(Decision decision, @Nullable Considerations considered, Manager manager) {
        for (int i = 0; i < manager.pilotJobs(); i++) {
            PilotJob p = manager.pilotJob(i);
            if (p.token() > lastToken) {
                lastToken = p.token();
                submitted.put(p.token(), p.submittedAt());
                print(
                        p.submittedAt(),
                        "pilot job " + p.token() + ": " + nodes(p.request().units()) + " × "
                                + Rounded.time(p.request().walltime())
                                + (p.request().pool() == Pools.ANY
                                        ? ""
                                        : " in "
                                                + manager.pools()
                                                        .name(p.request().pool()))
                                + " submitted for "
                                + RunRecord.words(p.claim(), workflow)
                                + (considered == null || considered.chosen().isEmpty()
                                        ? ""
                                        : " (" + considered.chosen() + ")"));
            }
        }
    }

    @Override
    public void turned(Manager manager) {
        for (int i = 0; i < manager.pilotJobs(); i++) {
            PilotJob p = manager.pilotJob(i);
            if (!p.isKept() || !p.isRunning()) {
                kept.remove(p.token());
            } else if (kept.add(p.token())) {
                print(manager.now(), "pilot job " + p.token() + " is idle; kept because more tasks are expected");
            }
        }
    }

    /** The id of a task and, if the id does not contain it, its category: a rule of Snakemake, for example. */
    private String named(int task) {
        String id = workflow.id(task);
        String category = workflow.category(task).name();
        return category.isEmpty() || id.startsWith(category) ? id : id + " (" + category + ")";
    }

    private static String nodes(int count) {
        return count + (count == 1 ? " node" : " nodes");
    }

    @Override
    public void message(String text) {
        print(now.getAsLong(), text);
    }

    private void print(long at, String text) {
        long from = beginning.getAsLong();
        String seconds = DecimalText.fixed(from == 0 ? 0 : Math.max(0, at - from) / 1000.0, 1);
        synchronized (err) {
            err.println(String.format(Locale.ROOT, "%8s s  ", seconds) + Fields.plain(text));
            err.flush();
        }
    }
}
