package io.sheaf.app.run;

import io.sheaf.report.JobRecord;
import io.sheaf.sim.SimulatedRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of a shadow run at the time when they were made: a file of lines, to which each observation appends what is new.
 *
 * <p>The first line is the makespan that was predicted with the first decision. An order is not revised: if a later simulation, which knows more run times,
 * would have decided otherwise, {@link #matching} counts it as different.
 */
final class ShadowOrders {
    /**
     * A job that the strategy would have submitted; instants in milliseconds.
     *
     * @param decided when the decision was made
     * @param start when the job was expected to start; {@link JobRecord#NEVER} if unknown
     */
    record ShadowJob(long decided, long submitted, int nodes, long walltime, long start) {}

    private static final String FILE = "decisions";
    private static final int CELLS = 5;

    private final Path file;
    private final List<ShadowJob> orders = new ArrayList<>();
    private long predicted;

    /** Opens the record in a folder, with the decisions of earlier processes. */
    ShadowOrders(Path folder) throws IOException {
        file = folder.resolve(FILE);
        for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
            String[] cells = line.split(" ", -1);
            if (cells.length == 2 && cells[0].equals("predicted")) {
                predicted = Long.parseLong(cells[1]);
            } else if (cells.length == CELLS + 1 && cells[CELLS].equals("order")) {
                orders.add(new ShadowJob(
                        Long.parseLong(cells[0]),
                        Long.parseLong(cells[1]),
                        Integer.parseInt(cells[2]),
                        Long.parseLong(cells[3]),
                        Long.parseLong(cells[4])));
            }
        }
    }

    /** Records the jobs that a run submits up to now and that are not recorded yet; returns these. */
    List<ShadowJob> add(long now, SimulatedRun run) throws IOException {
        List<ShadowJob> added = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        if (!Files.exists(file)) {
            predicted = run.completed() ? run.makespanMillis() : 0;
            text.append("predicted " + predicted + "\n");
        }
        List<JobRecord> submitted =
                run.pilotJobs().stream().filter(job -> job.submitted() <= now).toList();
        for (JobRecord job : submitted.subList(Math.min(orders.size(), submitted.size()), submitted.size())) {
            ShadowJob order = new ShadowJob(now, job.submitted(), job.nodes(), job.walltime(), job.started());
            added.add(order);
            text.append(now + " " + order.submitted + " " + order.nodes + " " + order.walltime + " " + order.start
                    + " order\n");
        }
        orders.addAll(added);
        if (text.length() > 0) {
            Files.writeString(file, text, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        return added;
    }

    int size() {
        return orders.size();
    }

    /** How many decisions are the same in the simulation of the whole run. */
    int matching(List<JobRecord> jobs) {
        int matching = 0;
        for (int i = 0; i < Math.min(orders.size(), jobs.size()); i++) {
            ShadowJob order = orders.get(i);
            matching += order.nodes == jobs.get(i).nodes()
                            && order.walltime == jobs.get(i).walltime()
                    ? 1
                    : 0;
        }
        return matching;
    }

    /** The makespan that was predicted with the first decision, in milliseconds; null if none was. */
    @Nullable
    Long predicted() {
        return predicted == 0 ? null : predicted;
    }
}
