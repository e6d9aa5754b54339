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
            switch (profile.namespace()) {
                case "env" -> environment.put(profile.key(), profile.value());
                case "pegasus" -> pegasus(profile);
                case "condor" -> condor(profile);
                case "dagman" -> dagman(profile);
                case "globus" -> globus(profile);
                case "sheaf" -> exact(profile);
                default -> {
                    // hints, selector, stat: nothing that a task needs.
                }
            }
        } catch (InputException e) {
            throw e.at(profile.place());
        }
    }

    private void pegasus(PegasusProfile profile) {
        String value = profile.value();
        String label = label(profile);
        switch (key(profile)) {
            case "runtime" -> {
                if (!timeIsAttribute) {
                    time = NumberText.seconds(value, label);
                    timePlace = profile.place();
                }
            }
            case "maxwalltime" -> limit = minutes(value, label);
            case "cores" -> cores = NumberText.count(value, 1, label);
            case "ppn" -> coresOfNode = NumberText.count(value, 1, label);
            case "nodes" -> nodes = NumberText.count(value, 1, label);
            case "gpus" -> gpus = NumberText.count(value, 0, label);
            case "memory" -> memory = NumberText.mebibytes(value.strip());
            default -> {
                // Clustering, staging, data configuration: Pegasus's own affairs.
            }
        }
    }

    private void condor(PegasusProfile profile) {
        String value = profile.value();
        String label = label(profile);
        switch (key(profile)) {
            case "request_cpus" -> coresOfNode = NumberText.count(value, 1, label);
            case "request_gpus" -> gpus = NumberText.count(value, 0, label);
            case "request_memory" -> memory = NumberText.mebibytes(value.strip());
            case "priority" -> priority = NumberText.integer(value, label);
            default -> {
                // Universe, requirements and the like.
            }
        }
    }

    private void dagman(PegasusProfile profile) {
        switch (key(profile)) {
            case "retry" -> retries = NumberText.count(profile.value(), 0, label(profile));
            case "priority" -> priority = NumberText.integer(profile.value(), label(profile));
            default -> {
                // Scripts of Pegasus, throttling categories.
            }
        }
    }

    private void globus(PegasusProfile profile) {
        String value = profile.value();
        String label = label(profile);
        switch (key(profile)) {
            case "maxwalltime" -> limit = minutes(value, label);
            case "count" -> cores = NumberText.count(value, 1, label);
            case "hostcount" -> nodes = NumberText.count(value, 1, label);
            case "xcount" -> coresOfNode = NumberText.count(value, 1, label);
            case "maxmemory" -> memory = NumberText.mebibytes(value.strip());
            default -> {
                // Queue, project: Sheaf chooses its own requests to the batch system.
            }
        }
    }

    private void exact(PegasusProfile profile) {
        switch (profile.key()) {
            case "limit" -> exactLimit = NumberText.seconds(profile.value(), label(profile));
            case "cores" -> exactCores = CoresText.millicores(profile.value());
            case "memory" -> exactMemory = NumberText.bytes(profile.value(), label(profile));
            case "scaling" -> scaling = ScalingText.read(profile.value());
            default -> {
                // Of a later Sheaf.
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

    private static String key(PegasusProfile profile) {
        return profile.key().toLowerCase(Locale.ROOT);
    }

    private static String label(PegasusProfile profile) {
        return profile.namespace() + " profile '" + profile.key() + "'";
    }

    private static long minutes(String text, String label) {
        return NumberText.count(text, 1, label) * TimeText.MINUTE;
    }
}
