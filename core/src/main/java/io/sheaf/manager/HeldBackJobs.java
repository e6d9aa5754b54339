package io.sheaf.manager;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Pilot jobs that a batch system does not take, because its limit on the number of jobs is reached. Their tasks are merged into as many jobs as
 * the run has in the batch system: each of these that ends makes room for one.
 *
 * <p>A merged job has the nodes of its parts together, at most an equal share of the run's nodes, and a walltime for all its tasks. Jobs that wait
 * for an instant or for another job are not merged.
 */
record HeldBackJobs(ManagedRun run, Lifecycle lifecycle) {
    /** Merges what is held back; does nothing if there is room for each of them in turn. */
    void merge(Event.Limited event, Effects out) {
        PilotJob refused = run.byToken.get(event.token());
        if (refused == null) {
            return;
        }
        List<PilotJob> waiting = new ArrayList<>();
        int places = 0;
        for (PilotJob p : run.pilotJobs) {
            if (isHeldBack(p) && p.request.pool() == refused.request.pool()) {
                waiting.add(p);
            } else if (!p.isEnding() && p.state != PilotJob.State.SUBMITTED) {
                places++;
            }
        }
        int parts = Math.max(1, places);
        for (int part = 0; part < parts && waiting.size() > parts; part++) {
            List<PilotJob> members = new ArrayList<>();
            for (int i = part; i < waiting.size(); i += parts) {
                members.add(waiting.get(i));
            }
            if (members.size() > 1) {
                replace(members, parts, out);
            }
        }
    }

    private static boolean isHeldBack(PilotJob p) {
        return p.state == PilotJob.State.SUBMITTED
                && p.request.notBefore() == Request.AT_ONCE
                && p.request.afterToken() == Request.NONE;
    }

    private void replace(List<PilotJob> members, int parts, Effects out) {
        int units = 0;
        int widest = 0;
        long longest = 0;
        Claim claim = members.get(0).claim;
        for (PilotJob p : members) {
            units += p.request.units();
            widest = Math.max(widest, p.request.units());
            longest = Math.max(longest, p.request.walltime());
            claim = union(claim, p.claim);
        }
        int nodes = Math.min(units, Math.max(widest, run.nodes() / parts));
        int rounds = (units + nodes - 1) / nodes;
        int pool = members.get(0).request.pool();
        long limit = run.sizes.walltime(pool, nodes);
        // A job that is longer than its tasks need at first must not start one that it would cut off.
        Claim merged = rounds > 1 ? claim.onlyWhatFits() : claim;
        long walltime = longest > limit / rounds ? limit : longest * rounds;
        Request request = new Request(pool, nodes, walltime, Request.AT_ONCE, Request.NONE)
                .needing(run.binding.work.atOnce(merged, run.node(pool)));
        members.forEach(p -> lifecycle.cancel(p, out));
        PilotJob submitted = run.enter(request, merged);
        out.submit(submitted.token, submitted.request);
    }

    private static Claim union(Claim one, Claim other) {
        int first = Math.min(one.firstLevel(), other.firstLevel());
        int last = Math.max(one.lastLevel(), other.lastLevel());
        boolean fits = one.onlyIfFits() || other.onlyIfFits();
        boolean sameLevelFirst = one.sameLevelFirst() && other.sameLevelFirst();
        boolean choosesCores = one.choosesCores() && other.choosesCores();
        if (one.tasks().isAll() || other.tasks().isAll()) {
            return new Claim(first, last, TaskGroup.ALL, fits, sameLevelFirst, choosesCores);
        }
        int[] tasks = IntStream.concat(one.tasks().stream(), other.tasks().stream())
                .distinct()
                .toArray();
        return new Claim(first, last, TaskGroup.of(tasks), fits, sameLevelFirst, choosesCores);
    }
}
