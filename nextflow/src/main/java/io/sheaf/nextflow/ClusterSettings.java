package io.sheaf.nextflow;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import nextflow.exception.AbortOperationException;
import org.jspecify.annotations.Nullable;

/**
 * The scope {@code sheaf} of {@code nextflow.config}, and how {@code queue} and {@code clusterOptions} of a process change
 * it.
 *
 * @param command the {@code sheaf} command
 * @param time the expected run time of a task whose process has no {@code time}
 * @param options options of {@code sheaf task-stream}, by name without the dashes; tasks with the same options share a
 *     queue
 */
record ClusterSettings(String command, String time, Map<String, String> options) {
    /** The keys of the scope; each sets the option of the same name, with dashes. */
    private static final List<String> KEYS = List.of(
            ("on partition account qos constraint reservation nodes strategy coresPerNode gpusPerNode keepIdleNodes"
                            + " batchWindow managerIdle queueInterval listen ports")
                    .split(" ", -1));

    /** The words of {@code clusterOptions} and the option that each sets. */
    private static final Map<String, String> WORDS =
            new TreeMap<>(Map.of("-A", "account", "-p", "partition", "-q", "qos", "-C", "constraint"));

    static {
        for (String option : List.of("account", "partition", "qos", "constraint", "reservation")) {
            WORDS.put("--" + option, option);
        }
    }

    ClusterSettings {
        options = new TreeMap<>(options);
    }

    /**
     * Reads the scope.
     *
     * @param environment variables of this process; {@code SHEAF} is the command if the scope names none
     */
    static ClusterSettings read(@Nullable Object scope, Map<String, String> environment) {
        if (scope != null && !(scope instanceof Map)) {
            throw new AbortOperationException(
                    "nextflow.config: 'sheaf' is '" + scope + "', not a scope; write e.g. sheaf.on = 'slurm'");
        }
        String command = environment.getOrDefault("SHEAF", "sheaf");
        String time = "10m";
        Map<String, String> options = new TreeMap<>();
        Map<?, ?> values = scope == null ? Map.of() : (Map<?, ?>) scope;
        for (Map.Entry<?, ?> each : values.entrySet()) {
            String key = String.valueOf(each.getKey());
            String value = String.valueOf(each.getValue());
            if (key.equals("command")) {
                command = value;
            } else if (key.equals("time")) {
                time = value.replace(" ", "");
            } else if (KEYS.contains(key)) {
                String option = key.replaceAll("[A-Z]", "-$0").toLowerCase(Locale.ROOT);
                options.put(option, value.replace(" ", ""));
            } else {
                throw new AbortOperationException("nextflow.config: unknown setting 'sheaf." + key
                        + "'; there are command, time, " + String.join(", ", KEYS));
            }
        }
        return new ClusterSettings(command, time, options);
    }

    /**
     * The settings for a process.
     *
     * @param process its name, for messages
     * @param partition its {@code queue}; null if it has none
     * @param clusterOptions its {@code clusterOptions}, split into words
     */
    ClusterSettings of(String process, @Nullable Object partition, Collection<String> clusterOptions) {
        if (partition == null && clusterOptions.isEmpty()) {
            return this;
        }
        Map<String, String> changed = new TreeMap<>(options);
        if (partition != null) {
            changed.put("partition", partition.toString());
        }
        List<String> words = new ArrayList<>(clusterOptions);
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            String option = WORDS.get(equals < 0 ? word : word.substring(0, equals));
            if (option == null || (equals < 0 && i + 1 == words.size())) {
                throw new AbortOperationException("process '" + process + "': clusterOptions has '" + word
                        + "', which the executor 'sheaf' cannot apply to a task; it accepts "
                        + WORDS.keySet().stream()
                                .filter(each -> each.startsWith("--"))
                                .collect(Collectors.joining(", "))
                        + ". Remove it with 'clusterOptions = null' in nextflow.config");
            }
            changed.put(option, equals < 0 ? words.get(++i) : word.substring(equals + 1));
        }
        return new ClusterSettings(command, time, changed);
    }

    List<String> arguments() {
        List<String> words = new ArrayList<>();
        options.forEach((option, value) -> words.add("--" + option + "=" + value));
        return words;
    }
}
