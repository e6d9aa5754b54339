package io.sheaf.sim;

import io.sheaf.batch.BatchEngine;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Request;
import io.sheaf.manager.RunController;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.WaitObservation;
import io.sheaf.report.RunLog;
import io.sheaf.report.RunRecord;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Several workflows that run concurrently in one simulated queue, each with its own manager and strategy.
 *
 * <p>For the simulation they are one workflow without edges between its parts; tokens and tasks are renumbered. They share a learner.
 */
public final class ConcurrentRuns {
    private ConcurrentRuns() {}

    /** Runs the workflows from a start that the queue has not reached yet, without events before it. Records no attempts and decisions. */
    public static List<RunRecord> run(
            SimulatedQueue queue,
            long start,
            List<Workflow> workflows,
            List<Strategy> strategies,
            SimulationSetup setup) {
        List<ConcurrentRun> parts = new ArrayList<>();
        WorkflowBuilder all = new WorkflowBuilder("all");
        for (int i = 0; i < workflows.size(); i++) {
            Workflow workflow = workflows.get(i);
            Manager manager =
                    WorkflowSimulation.manager(queue, workflow, strategies.get(i), setup, DecisionSink.NOTHING);
            RunLog log = new RunLog(queue.engine().policy().pools());
            parts.add(
                    new ConcurrentRun(manager, strategies.get(i).name(), log, i, workflows.size(), all.size(), start));
            add(workflow, i, all);
        }
        Conductor conductor = new Conductor(parts);
        new WorkflowSimulation(queue, start, all.build(), setup, conductor).simulate();
        return parts.stream().map(ConcurrentRun::record).toList();
    }

    private static void add(Workflow workflow, int part, WorkflowBuilder all) {
        int first = all.size();
        for (int task = 0; task < workflow.size(); task++) {
            int added = all.task(part + "/" + workflow.id(task));
            all.time(added, workflow.timeMicros(task)).resources(added, workflow.resources(task));
            Scaling scaling = workflow.scaling(task);
            if (scaling != null) {
                all.scaling(added, scaling);
            }
        }
        for (int task = 0; task < workflow.size(); task++) {
            for (int i = 0; i < workflow.children(task); i++) {
                all.edge(first + task, first + workflow.child(task, i));
            }
        }
    }

    /** One of the workflows. */
    private static final class ConcurrentRun {
        final Manager manager;
        final String strategy;
        final RunLog log;
        final int number;
        final int parts;
        final int firstTask;
        final long begunAt;
        long wakeAt = BatchEngine.NEVER;
        long lastEnd;

        ConcurrentRun(
                Manager manager, String strategy, RunLog log, int number, int parts, int firstTask, long begunAt) {
            this.manager = manager;
            this.strategy = strategy;
            this.log = log;
            this.number = number;
            this.parts = parts;
            this.firstTask = firstTask;
            this.begunAt = begunAt;
            lastEnd = begunAt;
        }

        long outside(long token) {
            return token == Request.NONE ? token : token * parts + number;
        }

        RunRecord record() {
            boolean done = manager.firstUnfinishedLevel() == manager.workflow().levels();
            return new RunRecord(
                    manager.workflow(),
                    strategy,
                    manager.nodes(),
                    manager.coresPerNode(),
                    done,
                    begunAt,
                    done ? lastEnd : begunAt,
                    log.jobs(),
                    List.of(),
                    List.of());
        }

        void note(Event event) {
            if (event instanceof Event.Started started) {
                log.started(started.token(), started.at());
            } else if (event instanceof Event.Ended ended) {
                log.ended(ended.token(), ended.at(), ended.how());
            } else if (event instanceof Event.TaskEnded ended && ended.outcome() == Event.Outcome.SUCCEEDED) {
                lastEnd = ended.at();
            }
        }
    }

    /** Forwards events to the manager that they concern. */
    private static final class Conductor implements RunController {
        private final List<ConcurrentRun> parts;
        private long now;

        Conductor(List<ConcurrentRun> parts) {
            this.parts = parts;
        }

        @Override
        public void on(Event event, Effects out) {
            now = Math.max(now, event.at());
            if (event instanceof Event.Woken woken) {
                for (ConcurrentRun part : parts) {
                    if (part.wakeAt <= woken.at()) {
                        part.wakeAt = BatchEngine.NEVER;
                        part.manager.on(woken, new ForwardedEffects(part, out));
                    }
                }
                wake(out);
            } else if (event instanceof Event.Accepted e) {
                deliver(e.token(), (part, token) -> new Event.Accepted(e.at(), token), out);
            } else if (event instanceof Event.Refused e) {
                deliver(e.token(), (part, token) -> new Event.Refused(e.at(), token, e.reason()), out);
            } else if (event instanceof Event.Started e) {
                deliver(e.token(), (part, token) -> new Event.Started(e.at(), token, e.nodesUp()), out);
            } else if (event instanceof Event.Ended e) {
                deliver(e.token(), (part, token) -> new Event.Ended(e.at(), token, e.how()), out);
            } else if (event instanceof Event.TaskEnded e) {
                deliver(
                        e.token(),
                        (part, token) -> new Event.TaskEnded(
                                e.at(), token, e.task() - part.firstTask, e.attempt(), e.outcome(), e.took()),
                        out);
            } else {
                throw new IllegalStateException(event + " cannot occur in a simulation without faults");
            }
        }

        /** Forwards an event of a job to its manager, with the token and the task as that manager numbers them. */
        private void deliver(long outside, BiFunction<ConcurrentRun, Long, Event> renumbered, Effects out) {
            ConcurrentRun part = parts.get((int) (outside % parts.size()));
            Event inside = renumbered.apply(part, outside / parts.size());
            part.note(inside);
            part.manager.on(inside, new ForwardedEffects(part, out));
        }

        @Override
        public @Nullable Decision settle(long at, Effects out) {
            now = Math.max(now, at);
            parts.forEach(part -> part.manager.settle(at, new ForwardedEffects(part, out)));
            return null;
        }

        @Override
        public boolean isFinished() {
            return parts.stream().allMatch(part -> part.manager.isFinished());
        }

        @Override
        public @Nullable String paused() {
            return null;
        }

        private void wake(Effects out) {
            long next = BatchEngine.NEVER;
            for (ConcurrentRun part : parts) {
                next = Math.min(next, part.wakeAt);
            }
            if (next != BatchEngine.NEVER) {
                out.wake(next);
            }
        }

        /** Forwards the commands of a manager. */
        private final class ForwardedEffects implements Effects {
            private final ConcurrentRun part;
            private final Effects out;

            ForwardedEffects(ConcurrentRun part, Effects out) {
                this.part = part;
                this.out = out;
            }

            @Override
            public void submit(long token, Request r) {
                part.log.submitted(token, r, now);
                out.submit(part.outside(token), r.after(part.outside(r.afterToken())));
            }

            @Override
            public void cancel(long token) {
                out.cancel(part.outside(token));
            }

            @Override
            public void shorten(long token, long walltime) {
                out.shorten(part.outside(token), walltime);
            }

            @Override
            public void start(long token, int[] nodes, int task, int attempt) {
                out.start(part.outside(token), nodes, part.firstTask + task, attempt);
            }

            @Override
            public void start(long token, int[] nodes, Resources needs, int task, int attempt) {
                out.start(part.outside(token), nodes, needs, part.firstTask + task, attempt);
            }

            @Override
            public void stop(long token, int task, int attempt) {
                out.stop(part.outside(token), part.firstTask + task, attempt);
            }

            @Override
            public void release(long token) {
                out.release(part.outside(token));
            }

            @Override
            public void wake(long at) {
                part.wakeAt = at;
                Conductor.this.wake(out);
            }

            @Override
            public void learn(WaitObservation observation) {
                out.learn(observation);
            }
        }
    }
}
