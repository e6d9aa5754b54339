package io.sheaf.formats.yaml;

import io.sheaf.formats.ShellWords;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.GpuText;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Retry;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the settings of one task or category as YAML values.
 *
 * <p>Further lines of a value are indented below its key. Defaults are omitted.
 */
final class TaskText {
    private TaskText() {}

    static Map<TaskSetting, String> settings(Workflow workflow, int task) {
        Map<TaskSetting, String> values = new EnumMap<>(TaskSetting.class);
        Resources needed = workflow.resources(task);
        if (needed.millicores() != Resources.CORE || workflow.scaling(task) != null) {
            values.put(TaskSetting.CORES, needed.coresText());
        }
        if (needed.memory() != 0) {
            values.put(TaskSetting.MEMORY, SizeText.text(needed.memory()));
        }
        if (needed.gpus() > 0) {
            values.put(TaskSetting.GPUS, Scalar.text(GpuText.text(needed)));
        }
        resources(values, needed.named());
        put(values, TaskSetting.NODES, needed.nodes(), 1);
        time(values, workflow, task);
        if (workflow.limitMicros(task) != Workflow.UNKNOWN) {
            values.put(TaskSetting.LIMIT, TimeText.text(workflow.limitMicros(task)));
        }
        if (workflow.retry(task).equals(Retry.DEFAULT)) {
            put(values, TaskSetting.RETRIES, workflow.retries(task), 0);
        } else {
            values.put(TaskSetting.RETRY, RetryRule.text(workflow.retries(task), workflow.retry(task)));
        }
        put(values, TaskSetting.PRIORITY, workflow.priority(task), 0);
        Command command = workflow.command(task);
        if (command != null) {
            values.put(TaskSetting.RUN, run(command));
            if (command.isScript() && !command.shell().equals(Command.STRICT)) {
                values.put(TaskSetting.SHELL, Scalar.text(Template.escape(ShellWords.join(command.shell()))));
            }
            if (!command.environment().isEmpty()) {
                values.put(TaskSetting.ENV, environment(command.environment()));
            }
        }
        return values;
    }

    private static void resources(Map<TaskSetting, String> values, NamedAmounts named) {
        List<String> entries = new ArrayList<>();
        named.map().forEach((name, amount) -> {
            if (!name.startsWith(NamedAmounts.GPU)) {
                entries.add(name + ": " + SizeText.text(amount));
            }
        });
        if (!entries.isEmpty()) {
            values.put(TaskSetting.RESOURCES, "{" + String.join(", ", entries) + "}");
        }
    }

    /** Settings of a category only. */
    static Map<TaskSetting, String> settings(Category category) {
        Map<TaskSetting, String> values = new EnumMap<>(TaskSetting.class);
        if (!category.setup().isEmpty()) {
            values.put(TaskSetting.SETUP, Scalar.list(texts(category.setup())));
        }
        String container = category.container();
        if (container != null) {
            values.put(TaskSetting.CONTAINER, Scalar.text(Template.escape(container)));
        }
        return values;
    }

    private static void put(Map<TaskSetting, String> values, TaskSetting setting, int value, int defaultValue) {
        if (value != defaultValue) {
            values.put(setting, Integer.toString(value));
        }
    }

    private static void time(Map<TaskSetting, String> values, Workflow workflow, int task) {
        long micros = workflow.timeMicros(task);
        Scaling scaling = workflow.scaling(task);
        if (scaling == null) {
            if (micros != Workflow.UNKNOWN) {
                values.put(TaskSetting.TIME, TimeText.text(micros));
            }
            return;
        }
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < scaling.size(); i++) {
            entries.add(scaling.cores(i) + ": " + TimeText.text(scaling.micros(i)));
        }
        Resources needed = workflow.resources(task);
        if (micros != new TimeTable(scaling, TimeTable.FROM_TABLE).expected((long) needed.cores() * needed.nodes())) {
            String expected = micros == Workflow.UNKNOWN ? TimeTable.UNKNOWN : TimeText.text(micros);
            entries.add(TimeTable.EXPECTED + ": " + expected);
        }
        values.put(TaskSetting.TIME, "{" + String.join(", ", entries) + "}");
    }

    private static String run(Command command) {
        return command.isScript()
                ? Scalar.block(Template.escape(command.script()))
                : Scalar.list(texts(command.argv()));
    }

    private static String environment(Map<String, String> variables) {
        StringBuilder out = new StringBuilder();
        variables.forEach(
                (name, value) -> out.append("\n" + Scalar.key(name) + " " + Scalar.text(Template.escape(value))));
        return out.toString();
    }

    static List<String> texts(List<String> texts) {
        return texts.stream()
                .map(text -> Scalar.inBrackets(Template.escape(text)))
                .toList();
    }
}
