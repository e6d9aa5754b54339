package io.sheaf.sim;

import io.sheaf.batch.Policy;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.RunController;
import io.sheaf.strategy.Profile;
import io.sheaf.testing.BackEnd;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The simulated batch system, driven by a test instead of a manager. */
final class SimulatedBackEnd implements BackEnd, RunController {
    private final SimulatedQueue queue = new SimulatedQueue(JobLog.builder().build(), Policy.conservative(), 4);
    private final ArrayDeque<Event> reports = new ArrayDeque<>();
    private final WorkflowSimulation simulation;

    SimulatedBackEnd(Workflow workflow, Faults faults) {
        SimulationSetup setup =
                SimulationSetup.of(Profile.OWN, Resources.node(1), 16).with(faults);
        simulation = new WorkflowSimulation(queue, 0, workflow, setup, this);
    }

    @Override
    public Effects effects() {
        return simulation.out;
    }

    @Override
    public int nodes() {
        return 4;
    }

    @Override
    public long now() {
        return queue.now();
    }

    @Override
    public @Nullable Event await(long millis) {
        long until = now() + millis;
        simulation.rounds(now());
        while (reports.isEmpty() && now() < until) {
            simulation.instant(Math.min(simulation.next(), until));
        }
        return reports.poll();
    }

    @Override
    public void close() {
        reports.clear();
    }

    @Override
    public void on(Event event, Effects out) {
        reports.add(event);
    }

    @Override
    public @Nullable Decision settle(long at, Effects out) {
        return null;
    }

    @Override
    public boolean isFinished() {
        return false;
    }

    @Override
    public @Nullable String paused() {
        return null;
    }
}
