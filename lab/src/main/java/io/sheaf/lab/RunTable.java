package io.sheaf.lab;

import io.sheaf.sim.OthersWait;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.text.DecimalText;
import java.util.List;

/**
 * The table of all runs: a row for each, every parameter a column, numbers with fixed decimals, no time stamps.
 *
 * <p>A run that could not complete has a row like any other; {@code completed} is 0, its makespan is the time until it was given up, and {@code failure}
 * says why.
 */
final class RunTable {
    static final List<String> COLUMNS = List.of(
            "run",
            "cluster",
            "load",
            "nodes",
            "policy",
            "order",
            "placement",
            "cancelled",
            "scale_load",
            "from_seconds",
            "profile",
            "estimates",
            "cores_per_node",
            "task_times",
            "cap",
            "seed",
            "workflow",
            "group",
            "source",
            "tasks",
            "levels",
            "width",
            "work_seconds",
            "strategy",
            "start_seconds",
            "completed",
            "makespan_seconds",
            "lower_bound_seconds",
            "wait_seconds",
            "perceived_wait_seconds",
            "held_node_seconds",
            "used_node_seconds",
            "jobs",
            "expired",
            "reruns",
            "foreseen_jobs",
            "foreseen_wait_seconds",
            "foreseen_actual_seconds",
            "start_error_seconds",
            "on_time_jobs",
            "background_jobs",
            "background_wait_delta_seconds",
            "failure");

    private RunTable() {}

    /** Whether a row tells of a run that could not complete: its last column says why. */
    static boolean isFailed(String row) {
        return !row.endsWith(",");
    }

    /** The columns that are the same for all runs of a block, ready to be put into rows. */
    record Setting(List<String> values) {
        Setting(QueueBlock block) {
            this(valuesOf(block));
        }

        /** As in a row. */
        String text() {
            return String.join(",", values);
        }

        /** For people: each value with the name of its column. */
        String words() {
            StringBuilder words = new StringBuilder(values.get(0));
            for (int i = 1; i < values.size(); i++) {
                // The first column is the number of the run.
                words.append(", ").append(COLUMNS.get(i + 1).replace('_', ' '));
                words.append(' ').append(values.get(i));
            }
            return words.toString();
        }

        private static List<String> valuesOf(QueueBlock block) {
            Cluster cluster = block.cluster();
            return List.of(
                    quoted(cluster.name()),
                    quoted(cluster.load().name()),
                    Integer.toString(cluster.nodes()),
                    ClusterEntry.depthText(cluster.policy().depth()),
                    Section.name(cluster.order()),
                    Section.name(cluster.policy().placement()),
                    Section.name(cluster.cancelled()),
                    cluster.scaleLoad(),
                    seconds(cluster.from()),
                    Section.name(block.conventions()),
                    block.accuracy().toString(),
                    Integer.toString(block.coresPerNode()),
                    block.taken().toString(),
                    Integer.toString(block.cap()),
                    Long.toString(block.seed()));
        }
    }

    /** The columns of a workflow. */
    static String subject(Subject subject) {
        var workflow = subject.workflow();
        return String.join(
                ",",
                quoted(subject.name()),
                quoted(subject.group()),
                subject.isGenerated() ? "generated" : "file",
                Integer.toString(workflow.size()),
                Integer.toString(workflow.levels()),
                Integer.toString(workflow.maxWidth()),
                seconds(workflow.totalMicros() / 1000));
    }

    /** The columns of what came out. */
    static void append(StringBuilder row, QueueBlock block, long start, long bound, SimulatedRun run) {
        long makespan = run.completed() ? block.conventions().makespanMillis(run) : run.makespanMillis();
        row.append(seconds(start))
                .append(run.completed() ? ",1," : ",0,")
                .append(seconds(makespan))
                .append(',')
                .append(seconds(bound))
                .append(',')
                .append(seconds(run.waitMillis()))
                .append(',')
                .append(seconds(run.perceivedWaitMillis()))
                .append(',')
                .append(seconds(run.heldNodeMillis()))
                .append(',')
                .append(seconds(run.usedNodeMillis()))
                .append(',')
                .append(run.jobsSubmitted())
                .append(',')
                .append(run.jobsExpired())
                .append(',')
                .append(run.tasksRerun())
                .append(',')
                .append(block.expectedStarts() ? StartErrors.of(run.pilotJobs()).text() : StartErrors.NOT_ASKED)
                .append(',')
                .append(others(run.others()))
                .append(',')
                .append(quoted(run.why().replace('\t', ' ')));
    }

    private static String others(OthersWait others) {
        return others.isKnown() ? others.jobs() + "," + DecimalText.fixed(others.meanSeconds(), 3) : ",";
    }

    /** Milliseconds as seconds with three decimals. */
    static String seconds(long millis) {
        long rest = Math.abs(millis % 1000);
        return (millis < 0 ? "-" : "") + Math.abs(millis / 1000) + (rest < 10 ? ".00" : rest < 100 ? ".0" : ".") + rest;
    }

    /** A text as a field of CSV: in quotes where it must be. */
    static String quoted(String text) {
        boolean plain = text.indexOf(',') < 0 && text.indexOf('"') < 0 && text.indexOf('\n') < 0;
        return plain ? text : "\"" + text.replace("\"", "\"\"").replace("\n", " ") + "\"";
    }
}
