package io.sheaf.oar;

import io.sheaf.batch.Policy;
import io.sheaf.batch.QueueSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * OAR's schedule of the whole queue, {@code oarstat --gantt -J}, as a {@link QueueSnapshot}.
 *
 * <p>OAR places queued jobs in order, each into the first free slot, and replans when a job ends early. A new job comes
 * last and gets the first free slot, unless fair sharing moves it ahead. A queued job keeps the start that OAR planned,
 * since its order and the properties of nodes are not visible. All instants are in milliseconds.
 */
final class OarSchedule {
    /** OAR's default gap between two jobs ({@code SCHEDULER_JOB_SECURITY_TIME}), in milliseconds. */
    static final long BETWEEN = 60_000;

    private OarSchedule() {}

    /** The allocation of a job: some of the cores of each of its nodes. */
    private record CoreAllocation(String name, long from, long until, Map<String, Integer> cores) {}

    /**
     * Parses a schedule.
     *
     * @param cores the cores per node that a job needs; a node with fewer free cores counts as in use
     * @param tokens the token of the run's job of a name, or {@link QueueSnapshot#OTHERS}
     */
    static QueueSnapshot parse(String text, int cores, long now, ToLongFunction<String> tokens) {
        OarJson all = OarJson.parse("oarstat --gantt", text);
        Map<Long, String> nodeOf = new HashMap<>();
        Map<String, Integer> size = new TreeMap<>();
        for (OarJson resource : all.list("resources")) {
            if (OarAnswers.isUsable(resource, now / 1000)) {
                String node = resource.text("network_address");
                nodeOf.put(resource.number("resource_id"), node);
                size.merge(node, 1, Integer::sum);
            }
        }
        size.values().removeIf(nodeCores -> nodeCores < cores);
        List<CoreAllocation> running = new ArrayList<>();
        List<CoreAllocation> queued = new ArrayList<>();
        for (OarJson job : all.object("jobs").objects().values()) {
            String state = job.text("state");
            if (!state.equals("Terminated") && !state.equals("Error")) {
                Map<String, Integer> used = new TreeMap<>();
                for (String id : job.words("resource_id")) {
                    String node = nodeOf.get(Long.parseLong(id));
                    if (node != null && size.containsKey(node)) {
                        used.merge(node, 1, Integer::sum);
                    }
                }
                long until = job.number("stop_time") * 1000 + BETWEEN;
                (state.equals("Waiting") ? queued : running)
                        .add(new CoreAllocation(job.text("job_name"), job.number("start_time") * 1000, until, used));
            }
        }
        List<QueueSnapshot.Job> jobs = new ArrayList<>(allocatedJobs(size, running, cores));
        queued.sort(Comparator.comparingLong(CoreAllocation::from));
        for (CoreAllocation job : queued) {
            int nodes = (int) job.cores.entrySet().stream()
                    .filter(node -> node.getValue() > size.getOrDefault(node.getKey(), 0) - cores)
                    .count();
            if (nodes > 0) {
                jobs.add(new QueueSnapshot.Job(
                        job.name,
                        nodes,
                        job.until - job.from,
                        QueueSnapshot.QUEUED,
                        job.from,
                        -1,
                        tokens.applyAsLong(job.name)));
            }
        }
        QueueSnapshot.Capacity capacity = new QueueSnapshot.Capacity(size.size(), Policy.conservative());
        return new QueueSnapshot(now, capacity, jobs, List.of());
    }

    /**
     * Nodes on which running jobs leave too few cores, each as a job of one node until they leave enough.
     */
    private static List<QueueSnapshot.Job> allocatedJobs(
            Map<String, Integer> size, List<CoreAllocation> running, int cores) {
        List<QueueSnapshot.Job> jobs = new ArrayList<>();
        running.sort(Comparator.comparingLong(CoreAllocation::until));
        size.forEach((node, nodeCores) -> {
            int free = nodeCores;
            for (CoreAllocation job : running) {
                free -= job.cores.getOrDefault(node, 0);
            }
            long from = Long.MAX_VALUE;
            long until = 0;
            for (CoreAllocation job : running) {
                int used = job.cores.getOrDefault(node, 0);
                if (free < cores && used > 0) {
                    from = Math.min(from, job.from);
                    until = job.until;
                    free += used;
                }
            }
            if (until > 0) {
                jobs.add(QueueSnapshot.Job.of(node, 1, until - from, from));
            }
        });
        return jobs;
    }
}
