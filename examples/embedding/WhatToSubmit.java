import io.sheaf.advice.Advice;
import io.sheaf.advice.ObservedQueue;
import io.sheaf.batch.Policy;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.time.Duration;

/**
 * An example of another workflow system that gets advice from Sheaf on what to submit. The workflow is a split, sixteen
 * analyses of forty minutes, and a merge. Of 64 nodes, 54 are busy.
 */
public final class WhatToSubmit {
    private WhatToSubmit() {}

    public static void main(String[] args) {
        WorkflowBuilder draft = new WorkflowBuilder("analysis");
        int split = task(draft, "split", Duration.ofMinutes(10));
        int merge = task(draft, "merge", Duration.ofMinutes(15));
        for (int i = 0; i < 16; i++) {
            int analysis = task(draft, "analysis-" + i, Duration.ofMinutes(40));
            draft.edge(split, analysis).edge(analysis, merge);
        }
        Workflow workflow = draft.build();

        // The queue as squeue shows it: 54 nodes busy for three hours, and a queued job of 60 nodes with a reservation.
        ObservedQueue queue = new ObservedQueue(Policy.conservative(), 64)
                .running(54, Duration.ofHours(3))
                .waiting(60, Duration.ofHours(6));

        for (String strategy : new String[] {"onejob", "zhang", "glume", "auto"}) {
            Advice advice = Advice.of(workflow, queue, 1, strategy, 4);
            System.out.println(strategy);
            for (Advice.Job job : advice.jobs()) {
                Duration wait = job.startsIn();
                System.out.printf(
                        "  submit %d nodes x %d min for %d tasks, starts %s%n",
                        job.nodes(),
                        job.walltime().toMinutes(),
                        job.tasks().size(),
                        wait == null ? "never" : "in " + wait.toMinutes() + " min");
            }
        }
    }

    private static int task(WorkflowBuilder draft, String id, Duration time) {
        int task = draft.task(id);
        draft.time(task, time.toMillis() * 1000);
        return task;
    }
}
