package io.sheaf.nextflow;

import groovy.json.JsonException;
import groovy.json.JsonOutput;
import groovy.json.JsonSlurper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import nextflow.dag.DAG;

/**
 * The tasks that a run is likely to submit after its present ones: followers in Nextflow's DAG, with the numbers and run times of the last
 * complete run of the pipeline.
 *
 * <p>A process is expected while a process before it has unfinished or expected tasks. Its number of tasks is in the same proportion to
 * theirs as in that run. Its methods may be called by any thread.
 */
final class ExpectedProcesses {
    /**
     * The tasks of a process in a run.
     *
     * @param millis the mean run time
     */
    record Tasks(int count, long millis, int cores) {}

    private static final class TaskCounts {
        private int submitted;
        private int open;
        private int timed;
        private long millis;
        private int cores = 1;
    }

    private final Map<String, Set<String>> parents;
    private final Map<String, Tasks> last;
    private final Map<String, TaskCounts> counts = new LinkedHashMap<>();

    /**
     * No task yet.
     *
     * @param parents the processes before each process
     * @param last the tasks of each process in an earlier run
     */
    ExpectedProcesses(Map<String, Set<String>> parents, Map<String, Tasks> last) {
        this.parents = parents;
        this.last = last;
    }

    /** The processes before each process; operators between them are left out. */
    static Map<String, Set<String>> parents(DAG dag) {
        Map<DAG.Vertex, Set<DAG.Vertex>> before = new LinkedHashMap<>();
        for (DAG.Edge edge : dag.getEdges()) {
            if (edge.getFrom() != null && edge.getTo() != null) {
                before.computeIfAbsent(edge.getTo(), to -> new LinkedHashSet<>())
                        .add(edge.getFrom());
            }
        }
        Map<String, Set<String>> parents = new LinkedHashMap<>();
        for (DAG.Vertex each : dag.getVertices()) {
            if (each.getProcess() != null) {
                Set<String> found = new LinkedHashSet<>();
                collect(each, before, new HashSet<>(), found);
                parents.put(each.getProcess().getName(), found);
            }
        }
        return parents;
    }

    private static void collect(
            DAG.Vertex of, Map<DAG.Vertex, Set<DAG.Vertex>> before, Set<DAG.Vertex> visited, Set<String> found) {
        for (DAG.Vertex each : before.getOrDefault(of, Set.of())) {
            if (each.getProcess() != null) {
                found.add(each.getProcess().getName());
            } else if (visited.add(each)) {
                collect(each, before, visited, found);
            }
        }
    }

    synchronized void submitted(String process, int cores) {
        TaskCounts of = counts.computeIfAbsent(process, name -> new TaskCounts());
        of.submitted++;
        of.open++;
        of.cores = cores;
    }

    /**
     * A task has ended.
     *
     * @param millis its run time; negative if it is not known
     */
    synchronized void ended(String process, long millis) {
        TaskCounts of = counts.computeIfAbsent(process, name -> new TaskCounts());
        of.open--;
        if (millis >= 0) {
            of.timed++;
            of.millis += millis;
        }
    }

    /** What is expected now, as a request of {@code sheaf task-stream}; processes in no order. */
    synchronized List<Map<String, Object>> expected() {
        Map<String, Double> left = new LinkedHashMap<>();
        parents.keySet().forEach(process -> left(process, left));
        List<Map<String, Object>> stages = new ArrayList<>();
        left.forEach((process, count) -> {
            Tasks before = last.get(process);
            if (before != null && count >= 0.5 && before.millis > 0) {
                String time = Math.max(1, (before.millis + 999) / 1000) + "s";
                stages.add(Map.of("tasks", Math.round(count), "time", time, "cores", before.cores));
            }
        });
        return stages;
    }

    /** The expected tasks of a process that are not submitted. */
    private double left(String process, Map<String, Double> known) {
        Double before = known.get(process);
        if (before != null) {
            return before;
        }
        // Also ends a circle of processes.
        known.put(process, 0.0);
        Tasks own = last.get(process);
        if (own == null) {
            return 0;
        }
        double count = 0;
        for (String parent : parents.getOrDefault(process, Set.of())) {
            Tasks theirs = last.get(parent);
            double expected = left(parent, known);
            TaskCounts now = counts.getOrDefault(parent, new TaskCounts());
            if (theirs != null && (now.open > 0 || expected > 0)) {
                count = Math.max(count, own.count * (now.submitted + expected) / theirs.count);
            }
        }
        double left = Math.max(0, count - counts.getOrDefault(process, new TaskCounts()).submitted);
        known.put(process, left);
        return left;
    }

    /** Reads what a run has written; nothing if there is no such file. */
    static Map<String, Tasks> read(Path file) {
        Map<String, Tasks> tasks = new LinkedHashMap<>();
        try {
            if (Files.exists(file) && new JsonSlurper().parseText(Files.readString(file)) instanceof Map<?, ?> all) {
                all.forEach((process, value) -> {
                    if (value instanceof Map<?, ?> of
                            && of.get("tasks") instanceof Number count
                            && of.get("millis") instanceof Number millis
                            && of.get("cores") instanceof Number cores
                            && count.intValue() > 0) {
                        tasks.put(
                                String.valueOf(process),
                                new Tasks(count.intValue(), millis.longValue(), cores.intValue()));
                    }
                });
            }
        } catch (IOException | JsonException e) {
            SheafExecutor.LOG.debug("[SHEAF] {} cannot be read: {}", file, e.toString());
        }
        return tasks;
    }

    /** Writes the tasks of this run for later runs. */
    synchronized void write(Path file) {
        Map<String, Object> all = new LinkedHashMap<>();
        counts.forEach((process, of) -> all.put(
                process,
                Map.of("tasks", of.submitted, "millis", of.timed == 0 ? 0 : of.millis / of.timed, "cores", of.cores)));
        try {
            Path made = file.resolveSibling(file.getFileName() + ".tmp");
            Files.writeString(made, JsonOutput.toJson(all));
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            SheafExecutor.LOG.debug("[SHEAF] {} cannot be written: {}", file, e.toString());
        }
    }
}
