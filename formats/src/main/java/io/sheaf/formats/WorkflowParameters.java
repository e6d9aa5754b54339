package io.sheaf.formats;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Values that a user gives to the variables of a workflow, and the environment that it may name.
 *
 * @param values by the variable's name
 * @param environment the variables of the process
 */
public record WorkflowParameters(Map<String, Given> values, Map<String, String> environment) {
    public static final WorkflowParameters NONE = new WorkflowParameters(Map.of(), Map.of());

    /**
     * The value of a variable.
     *
     * @param list whether it is a list; otherwise there is one value
     * @param origin where it was given, for messages
     */
    public record Given(List<String> values, boolean list, String origin) {
        public Given {
            values = List.copyOf(values);
        }
    }

    public WorkflowParameters {
        values = new LinkedHashMap<>(values);
        environment = Map.copyOf(environment);
    }

    public @Nullable Given get(String name) {
        return values.get(name);
    }

    public Set<String> names() {
        return values.keySet();
    }
}
