package io.sheaf.strategy;

import io.sheaf.batch.Pools;
import io.sheaf.manager.ExpectedTasks;
import io.sheaf.manager.JobWidth;
import io.sheaf.manager.Lookahead;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.View;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A view of a run in which unknown run times are guessed, or walltimes have a stricter limit.
 *
 * @param view the view of the run
 * @param workflow its workflow with all times
 * @param limit of a walltime, in milliseconds, besides that of the run
 * @param nodes the maximum number of nodes of a pilot job with these times
 */
record TimedView(View view, Workflow workflow, long limit, int nodes) implements View {
    TimedView(View view, Workflow workflow) {
        this(view, workflow, Long.MAX_VALUE);
    }

    TimedView(View view, Workflow workflow, long limit) {
        this(view, workflow, limit, nodes(view, workflow));
    }

    private static int nodes(View view, Workflow workflow) {
        return view.limitsNodeTime() && workflow != view.workflow()
                ? JobWidth.of(view, task -> workflow.timeMillis(task))
                : view.nodes();
    }

    @Override
    public long room(int task) {
        long room = view.room(task);
        return TimeGuesses.isKnown(view.workflow(), task) ? room : Math.max(room, workflow.timeMillis(task));
    }

    @Override
    public long now() {
        return view.now();
    }

    @Override
    public Pools pools() {
        return view.pools();
    }

    @Override
    public int unavailablePools() {
        return view.unavailablePools();
    }

    @Override
    public long walltime() {
        return Math.min(limit, view.walltime());
    }

    @Override
    public long walltime(int nodes) {
        return Math.min(limit, view.walltime(nodes));
    }

    @Override
    public long longestRoom() {
        return limit == Long.MAX_VALUE
                ? view.longestRoom()
                : Math.min(view.longestRoom(), Math.max(1, limit - Move.MINUTE));
    }

    @Override
    public boolean limitsNodeTime() {
        return view.limitsNodeTime();
    }

    @Override
    public int coresPerNode() {
        return view.coresPerNode();
    }

    @Override
    public Resources node() {
        return view.node();
    }

    @Override
    public Resources node(int pool) {
        return view.node(pool);
    }

    @Override
    public int cap() {
        return view.cap();
    }

    @Override
    public List<PilotJob> jobs() {
        return view.jobs();
    }

    @Override
    public boolean isNamed(int task) {
        return view.isNamed(task);
    }

    @Override
    public boolean isDone(int task) {
        return view.isDone(task);
    }

    @Override
    public boolean isReady(int task) {
        return view.isReady(task);
    }

    @Override
    public int nextReady(int task) {
        return view.nextReady(task);
    }

    @Override
    public boolean isRunning(int task) {
        return view.isRunning(task);
    }

    @Override
    public int nextRunning(int task) {
        return view.nextRunning(task);
    }

    @Override
    public long startedAt(int task) {
        return view.startedAt(task);
    }

    @Override
    public Resources needs(int task) {
        return view.needs(task);
    }

    @Override
    public long runsIn(int task) {
        return view.runsIn(task);
    }

    @Override
    public long atLeast(int task) {
        return view.atLeast(task);
    }

    @Override
    public int runTimeError() {
        return view.runTimeError();
    }

    @Override
    public int walltimeMargin() {
        return view.walltimeMargin();
    }

    @Override
    public boolean hasUncertainTimes() {
        return view.hasUncertainTimes();
    }

    @Override
    public int unfinished(int level) {
        return view.unfinished(level);
    }

    @Override
    public int firstUnfinishedLevel() {
        return view.firstUnfinishedLevel();
    }

    @Override
    public boolean isOpen() {
        return view.isOpen();
    }

    @Override
    public List<ExpectedTasks> expected() {
        return view.expected();
    }

    @Override
    public boolean isAwaited() {
        return view.isAwaited();
    }

    @Override
    public boolean isAmple() {
        return view.isAmple();
    }

    @Override
    public @Nullable Lookahead lookahead() {
        return view.lookahead();
    }

    @Override
    public int expiries() {
        return view.expiries();
    }
}
