package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.manager.Checkpoint;
import io.sheaf.manager.CheckpointMaker;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.predict.RunTimeUpdate;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.record.RunJournal;
import io.sheaf.runtime.run.Forest.ForestWorkflow;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;

/**
 * A checkpoint of a run without its completed workflows: the events and task results that restore the rest.
 *
 * <p>It lets a run start a new journal. Tasks get new indexes, but agents keep theirs ({@link
 * Forest.ForestWorkflow#number}).
 */
public record RunCheckpoint(List<Event> events, List<AttemptResult> results) {
    /**
     * Whether completed workflows that can be left out have at least this many tasks, and at least half of all
     * tasks.
     */
    public static boolean isNeeded(Manager manager, Forest forest, int tasks) {
        long size = manager.workflow().size();
        if (forest.endedTasks() < tasks || 2L * forest.endedTasks() < size) {
            return false;
        }
        CheckpointMaker maker = manager.checkpoint();
        long ended = 0;
        for (ForestWorkflow part : forest.parts()) {
            ended += hasEnded(part, maker) ? part.tasks().size() : 0;
        }
        return ended >= tasks && 2 * ended >= size;
    }

    private static boolean hasEnded(ForestWorkflow part, CheckpointMaker maker) {
        boolean added = !part.origin().id().isEmpty();
        return added
                && part.endedAt() >= 0
                && maker.isFinished(part.first(), part.tasks().size());
    }

    /** The checkpoint of a run that began at this instant and has these results. */
    public static RunCheckpoint of(Manager manager, Forest forest, List<AttemptResult> results, long begunAt) {
        RunCheckpoint made = new RunCheckpoint(new ArrayList<>(), new ArrayList<>());
        CheckpointMaker maker = manager.checkpoint();
        List<ForestWorkflow> kept = new ArrayList<>();
        for (ForestWorkflow part : forest.parts()) {
            if (hasEnded(part, maker)) {
                maker.leaveOut(part.first(), part.tasks().size());
            } else {
                kept.add(part);
            }
        }
        List<Checkpoint.WorkflowState> parts = new ArrayList<>();
        for (ForestWorkflow part : kept) {
            if (!part.origin().id().isEmpty()) {
                made.events.add(new Event.Grown(part.arrivedAt(), addition(part, manager.workflow(), maker)));
            }
            parts.add(new Checkpoint.WorkflowState(part.number(), part.isHeld(), part.isDropped(), part.endedAt()));
        }
        RunTimeUpdate times = maker.times();
        if (times != null) {
            made.events.add(new Event.Retimed(begunAt, times));
        }
        made.events.add(new Event.Restored(manager.now(), maker.create(parts, forest.nextNumber())));
        made.events.addAll(manager.placed());
        for (AttemptResult result : results) {
            AttemptId attempt = result.message().attempt();
            int called = maker.called(attempt.task());
            if (called >= 0) {
                made.results.add(result.of(new AttemptId(called, attempt.attempt())));
            }
        }
        return made;
    }

    private static Addition addition(ForestWorkflow part, Workflow all, CheckpointMaker maker) {
        Addition added = Addition.of(part.origin(), part.tasks());
        for (int task = 0; task < part.tasks().size(); task++) {
            for (int i = 0; i < all.parents(part.first() + task); i++) {
                int parent = all.parent(part.first() + task, i);
                if (parent < part.first()) {
                    added = added.after(maker.called(parent), task);
                }
            }
        }
        return added;
    }

    public void to(RunJournal.Listener listener) {
        events.forEach(listener::event);
        results.forEach(listener::result);
    }

    public void to(RunJournal journal) {
        events.forEach(journal::event);
        results.forEach(journal::result);
    }
}
