package io.sheaf.formats.dax;

import io.sheaf.formats.NumberText;
import io.sheaf.formats.ScalingText;
import io.sheaf.text.CoresText;
import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The resources that a job's profiles request, over all systems that they address.
 *
 * <p>Pegasus counts cores over all nodes and writes {@code ppn} for one node; Sheaf counts those of one node. The later of two profiles
 * wins, so that a job's own follow its executable's. Metadata with the prefix {@code sheaf.} is exact and overrides profiles.
 */
final class PegasusRequirements {
    private static final int UNSET = -1;
    /** No time at all, not even a negative one, which is to be refused. */
    private static final long NO_TIME = Long.MIN_VALUE;

    final Map<String, String> environment = new LinkedHashMap<>();
    private long time = NO_TIME;
    private long timePlace;
    private boolean timeIsAttribute;
    private long limit = NO_TIME;
    private long exactLimit = NO_TIME;
    private int cores = UNSET;
    private int coresOfNode = UNSET;
    /** In thousandths. */
    private long exactCores = Workflow.UNKNOWN;

    private int nodes = 1;
    private int gpus;
    private long memory;
    private long exactMemory = Workflow.UNKNOWN;
    private int retries;
    private int priority;
    private @Nullable Scaling scaling;

    /** The run time in the job's attribute, which outdoes a profile. */
    void runtime(long micros, long place) {
        time = micros;
        timePlace = place;
        timeIsAttribute = true;
    }

    void add(PegasusProfile profile) {
        try {
            set(profile);
        } catch (InputException e) {
            throw e.at(profile.place());
        }
    }

    private void set(PegasusProfile profile) {
        String namespace = profile.namespace();
        String value = profile.value();
        String label = namespace + " profile '" + profile.key() + "'";
        if (namespace.equals("env")) {
            environment.put(profile.key(), value);
            return;
        }
        String key = namespace.equals("sheaf") ? profile.key() : profile.key().toLowerCase(Locale.ROOT);
        switch (namespace + "." + key) {
            case "pegasus.runtime" -> {
                if (!timeIsAttribute) {
                    time = NumberText.seconds(value, label);
                    timePlace = profile.place();
                }
            }
            case "pegasus.maxwalltime", "globus.maxwalltime" ->
                limit = NumberText.count(value, 1, label) * TimeText.MINUTE;
            case "pegasus.cores", "globus.count" -> cores = NumberText.count(value, 1, label);
            case "pegasus.ppn", "condor.request_cpus", "globus.xcount" ->
                coresOfNode = NumberText.count(value, 1, label);
            case "pegasus.nodes", "globus.hostcount" -> nodes = NumberText.count(value, 1, label);
            case "pegasus.gpus", "condor.request_gpus" -> gpus = NumberText.count(value, 0, label);
            case "pegasus.memory", "condor.request_memory", "globus.maxmemory" ->
                memory = NumberText.mebibytes(value.strip());
            case "condor.priority", "dagman.priority" -> priority = NumberText.integer(value, label);
            case "dagman.retry" -> retries = NumberText.count(value, 0, label);
            case "sheaf.limit" -> exactLimit = NumberText.seconds(value, label);
            case "sheaf.cores" -> exactCores = CoresText.millicores(value);
            case "sheaf.memory" -> exactMemory = NumberText.bytes(value, label);
            case "sheaf.scaling" -> scaling = ScalingText.read(value);
            default -> {
                // Nothing that a task needs: staging, scripts of Pegasus, queues, settings of a later Sheaf.
            }
        }
    }

    void apply(WorkflowBuilder builder, int task) {
        if (time != NO_TIME) {
            builder.time(task, time, timePlace);
        }
        long hardLimit = exactLimit == NO_TIME ? limit : exactLimit;
        if (hardLimit != NO_TIME) {
            builder.limit(task, hardLimit, 0);
        }
        int onOne = coresOfNode != UNSET ? coresOfNode : cores != UNSET ? (cores - 1) / nodes + 1 : 1;
        long millicores = exactCores == Workflow.UNKNOWN ? (long) onOne * Resources.CORE : exactCores;
        if (millicores < Resources.CORE && nodes > 1) {
            throw new InputException("a job of " + nodes + " nodes needs whole cores, not " + CoresText.text(millicores)
                    + " (metadata sheaf.cores)");
        }
        Resources needed =
                Resources.of(millicores, exactMemory == Workflow.UNKNOWN ? memory : exactMemory, gpus, nodes);
        if (!needed.equals(Resources.ONE_CORE)) {
            builder.resources(task, needed);
        }
        if (retries != 0) {
            builder.retries(task, retries);
        }
        if (priority != 0) {
            builder.priority(task, priority);
        }
        if (scaling != null) {
            builder.scaling(task, scaling);
        }
    }
}
