package io.sheaf.manager;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The sites of other running pilot jobs, for the choice of tasks in one pilot job at one instant.
 *
 * <p>A task whose inputs reach another site sooner waits for a core there if it would begin earlier: the expected end of a running attempt plus the
 * transfer there is before now plus the transfer here. Each core that is expected to be free is waited for by one task. Overdue attempts are not waited
 * for.
 */
final class NearerSites {
    /** A core that is free or expected to be, in a pilot job. */
    private record Core(long at, PilotJob in) {}

    private final ManagedRun run;
    private final int localSite;
    /** The cores of each other site, by its first pool, in order of time. */
    private final Map<Integer, List<Core>> otherSites = new TreeMap<>();

    /** The tasks that wait. */
    private final Set<Integer> waiting = new HashSet<>();

    long until = Decision.NEVER;

    private NearerSites(ManagedRun run, int localSite) {
        this.run = run;
        this.localSite = localSite;
    }

    static NearerSites of(ManagedRun run, PilotJob p) {
        NearerSites sites = new NearerSites(run, run.places.site(p.request.pool()));
        for (PilotJob other : run.pilotJobs) {
            if (sites.isElsewhere(other)) {
                List<Core> cores = sites.otherSites.computeIfAbsent(
                        run.places.site(other.request.pool()), first -> new ArrayList<>());
                cores.addAll(Collections.nCopies(other.freeTotal, new Core(run.now, other)));
            }
        }
        for (int task = run.nextRunning(0);
                task >= 0 && !sites.otherSites.isEmpty();
                task = run.nextRunning(task + 1)) {
            RunningAttempt attempt = run.binding.running(task);
            if (attempt != null && !attempt.ahead && sites.isElsewhere(attempt.in)) {
                long end = attempt.startedAt + run.workflow.timeMillis(task, attempt.needs);
                if (end > run.now) {
                    sites.otherSites
                            .getOrDefault(run.places.site(attempt.in.request.pool()), new ArrayList<>())
                            .add(new Core(end, attempt.in));
                }
            }
        }
        sites.otherSites.values().forEach(cores -> cores.sort((a, b) -> Long.compare(a.at, b.at)));
        return sites;
    }

    private boolean isElsewhere(PilotJob p) {
        return p.isRunning() && !p.closing && !p.draining && run.places.site(p.request.pool()) != localSite;
    }

    private long millis(int task, int site) {
        return run.places.millis(run.workflow, task, site);
    }

    /** How long the inputs of a task are on their way to the pilot job, in milliseconds. */
    long transfer(int task) {
        return millis(task, localSite);
    }

    /** How much sooner the inputs of a task reach another site, in milliseconds; 0 if they reach none sooner. */
    long gain(int task) {
        long local = millis(task, localSite);
        long nearest = local;
        for (int site : otherSites.keySet()) {
            nearest = Math.min(nearest, local == 0 ? 0 : millis(task, site));
        }
        return local - nearest;
    }

    /** Whether a task should wait for a core of another site. */
    boolean shouldWait(int task) {
        if (waiting.contains(task)) {
            return true;
        }
        long begin = run.now + millis(task, localSite);
        for (Map.Entry<Integer, List<Core>> each : otherSites.entrySet()) {
            long transfer = millis(task, each.getKey());
            for (Core core : each.getValue()) {
                if (core.at + transfer >= begin) {
                    break;
                }
                if (run.binding.couldRun(core.in, task, core.at + transfer)) {
                    each.getValue().remove(core);
                    waiting.add(task);
                    until = core.at > run.now ? Math.min(until, core.at) : until;
                    return true;
                }
            }
        }
        return false;
    }
}
