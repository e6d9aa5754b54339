package io.sheaf.runtime.cluster;

import io.sheaf.formats.swf.SwfLog;
import io.sheaf.random.RandomStream;
import io.sheaf.sim.model.ClusterFigures;
import io.sheaf.sim.model.Presets;
import io.sheaf.sim.model.WorkloadModel;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The background jobs of an embedded cluster: the load of a preset model at a speed-up, scaled to the cluster's
 * nodes.
 *
 * <p>A job of w nodes on a cluster of N nodes gets w · n / N on one of n. The fraction becomes a node with that
 * probability; a job without nodes is omitted. So the mean load is the model's. Instants count from the run's
 * beginning; earlier jobs warm up the queue.
 */
final class ModelledLoad {
    /** The option of the specification, for messages. */
    private static final String OPTION = "--background";

    private static final Pattern SPEC = Pattern.compile("([a-z0-9-]+)(?:@([1-9][0-9]{0,5})x)?");
    static final long DAY = 86_400_000;
    /** A week and ten hours of the model: the run begins on a working morning, after a week of load. */
    private static final long WARM_UP = 7 * DAY + DAY * 10 / 24;

    private static final int FIRST_DAYS = 30;

    /** A background job. */
    record LoadJob(long at, int nodes, long run, long walltime) {}

    private final WorkloadModel model;
    private final int nodes;
    private final long speed;
    private final long seed;
    private List<LoadJob> jobs = List.of();
    private int days = FIRST_DAYS / 2;

    private ModelledLoad(WorkloadModel model, int nodes, long speed, long seed) {
        this.model = model;
        this.nodes = nodes;
        this.speed = speed;
        this.seed = seed;
    }

    /** The load of a specification such as {@code kth-like@60x}, on a cluster with this number of nodes. */
    static ModelledLoad of(String spec, int nodes, long seed) {
        Matcher matcher = SPEC.matcher(spec);
        if (!matcher.matches()) {
            throw new InputException("'" + spec + "' is not MODEL@SPEEDx; write e.g. kth-like@60x").in(OPTION);
        }
        List<String> names = Presets.all().stream().map(ClusterFigures::name).toList();
        String name = matcher.group(1);
        if (!names.contains(name)) {
            throw InputException.unknown("model", name, names).in(OPTION);
        }
        long speed = matcher.group(2) == null ? 1 : Long.parseLong(matcher.group(2));
        return new ModelledLoad(Presets.model(name), nodes, speed, seed);
    }

    /** The earliest arrival of a job. */
    long beginning() {
        return -WARM_UP / speed;
    }

    /** The length of a model week. */
    long week() {
        return 7 * DAY / speed;
    }

    /** The index-th job in order of arrival; the sequence is infinite. */
    LoadJob job(int index) {
        while (index >= jobs.size()) {
            days *= 2;
            jobs = generate(days);
        }
        return jobs.get(index);
    }

    private List<LoadJob> generate(int modelDays) {
        SwfLog log = model.generateDays(seed, modelDays);
        RandomStream rounding = new RandomStream(seed).split("background nodes");
        List<LoadJob> made = new ArrayList<>();
        for (int i = 0; i < log.size(); i++) {
            double share = log.procs(i) * (double) nodes / model.nodes();
            int width = (int) share;
            width += rounding.split(i).chance(share - width) ? 1 : 0;
            if (width > 0) {
                long run = Math.max(1, log.run(i) / speed);
                long walltime = Math.max(1, log.requestedTime(i) / speed);
                long at = (log.submit(i) - WARM_UP) / speed;
                made.add(new LoadJob(at, Math.min(nodes, width), Math.min(run, walltime), walltime));
            }
        }
        return made;
    }
}
