package io.sheaf.gridengine;

import io.sheaf.batch.Policy;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.runtime.batch.SnapshotForecast;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The queue of all users as a {@link QueueSnapshot}, for jobs whose nodes have some slots each.
 *
 * <p>Pending jobs are in Grid Engine's order. A job of other users counts with the nodes that its slots fill. Without
 * reservations, which is the default, Grid Engine starts whatever fits; otherwise it reserves for the first jobs.
 *
 * @param cores the slots per node of our jobs
 * @param tokens the token of the run's job of a name, or {@link QueueSnapshot#OTHERS}
 */
record GridEngineQueue(GridEngineCommands commands, QsubOptions options, int cores, ToLongFunction<String> tokens)
        implements SnapshotForecast.SnapshotSource {
    private static final String NEXT = "\n<!-- next -->\n";

    /** The assumed walltime of a job without a limit, in seconds. */
    private static final long NO_LIMIT = 86_400;

    /** The maximum number of tasks of a job array that are simulated. */
    private static final int MAX_TASKS = 1_000;

    @Override
    public String print(long now) throws IOException, InterruptedException {
        return commands.printed("qstat", "-f", "-xml")
                + NEXT
                + commands.printed("qstat", "-r", "-xml", "-u", "*")
                + NEXT
                + commands.printed("qconf", "-ssconf")
                + NEXT
                + commands.memory(options).text();
    }

    @Override
    public SnapshotForecast.SnapshotQueue parse(String text, long now) {
        String[] parts = text.split(NEXT, -1);
        if (parts.length < 3 || parts.length > 4) {
            throw new InputException("qstat printed no queue");
        }
        int units = QueueSlots.of(parts[0], options, "", 0).ofHosts().stream()
                .mapToInt(slots -> slots / cores)
                .sum();
        Consumables.MemoryPool memory = Consumables.MemoryPool.of(parts.length < 4 ? "" : parts[3]);
        List<QueueSnapshot.Job> jobs = new ArrayList<>();
        List<QueueSnapshot.Job> queued = new ArrayList<>();
        for (Map<String, String> job : GridEngineAnswers.elements("job_list", parts[1])) {
            String queue = job.getOrDefault("queue_name", "");
            String letters = GridEngineAnswers.letters(job);
            if (!queue.isEmpty() && options.takes(queue)) {
                long start = GridEngineAnswers.started(job.getOrDefault("JAT_start_time", ""));
                jobs.add(job(job, start < 0 ? now : start, memory));
            } else if (queue.isEmpty() && mayStart(letters) && options.takes(job.getOrDefault("hard_req_queue", ""))) {
                for (int task = tasks(job.getOrDefault("tasks", "")); task > 0; task--) {
                    queued.add(job(job, QueueSnapshot.QUEUED, memory));
                }
            }
        }
        jobs.addAll(queued);
        int reservations = number(QueueSlots.attribute("max_reservation", parts[2]));
        Policy policy = Policy.depth(Math.max(1, reservations)).withMemory(memory.memory());
        QueueSnapshot.Capacity capacity = new QueueSnapshot.Capacity(units, policy);
        return new SnapshotForecast.SnapshotQueue(new QueueSnapshot(now, capacity, jobs, List.of()), reservations == 0);
    }

    /** Whether a pending job is neither held nor in error. */
    private static boolean mayStart(String letters) {
        return !letters.contains("h") && !letters.contains("E");
    }

    private QueueSnapshot.Job job(Map<String, String> job, long start, Consumables.MemoryPool memory) {
        int slots = number(job.getOrDefault("slots", "1"));
        String name = job.getOrDefault("full_job_name", job.getOrDefault("JB_name", ""));
        int nodes = (slots + cores - 1) / cores;
        return new QueueSnapshot.Job(
                        job.getOrDefault("JB_job_number", ""),
                        nodes,
                        seconds(job.getOrDefault("hard_request h_rt", "")) * 1000,
                        start,
                        Long.MIN_VALUE,
                        -1,
                        tokens.applyAsLong(name))
                .needing(memory.requested(job.getOrDefault("hard_request " + memory.name(), ""), slots) / nodes);
    }

    /** Parses a time limit: seconds, or {@code h:m:s} with empty parts. */
    static long seconds(String text) {
        if (!text.matches("[0-9]{0,9}(:[0-9]{0,9}){0,2}") || text.isEmpty()) {
            return NO_LIMIT;
        }
        long seconds = 0;
        for (String part : text.split(":", -1)) {
            seconds = 60 * seconds + number(part);
        }
        return seconds;
    }

    /** The number of tasks of a pending job array, such as {@code 3-9:2,12}; one for another job. */
    static int tasks(String text) {
        int tasks = 0;
        for (String range : text.matches("[0-9,:-]+") ? text.split(",") : new String[0]) {
            String[] ends = range.split("[-:]");
            int step = ends.length > 2 ? Math.max(1, number(ends[2])) : 1;
            tasks += ends.length > 1 ? (number(ends[1]) - number(ends[0])) / step + 1 : 1;
        }
        return Math.max(1, Math.min(MAX_TASKS, tasks));
    }

    private static int number(String text) {
        try {
            return text.isEmpty() ? 0 : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new InputException("Grid Engine printed '" + text + "' for a number");
        }
    }

    @Override
    public String place() {
        return options.queues().isEmpty() ? "all queues" : String.join(",", options.queues());
    }

    @Override
    public long memory(long ofTasks) {
        return commands.requested(ofTasks);
    }

    @Override
    public long occupied(long walltime) {
        return GridEngineScript.seconds(walltime) * 1000;
    }
}
