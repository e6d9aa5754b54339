package io.sheaf.formats.yaml;

import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Settings that all tasks, or all tasks of a category, share. */
final class CommonSettings {
    private final Map<TaskSetting, String> all;
    private final List<Map<TaskSetting, String>> ofCategory = new ArrayList<>();

    CommonSettings(Workflow workflow) {
        CommonValues ofAll = new CommonValues();
        List<CommonValues> categories = new ArrayList<>();
        workflow.categories().forEach(category -> categories.add(new CommonValues()));
        for (int task = 0; task < workflow.size(); task++) {
            Map<TaskSetting, String> values = TaskText.settings(workflow, task);
            ofAll.add(values);
            categories.get(workflow.categoryNumber(task)).add(values);
        }
        boolean several =
                categories.stream().filter(category -> category.tasks > 0).count() > 1;
        all = several ? ofAll.values() : Map.of();
        for (CommonValues category : categories) {
            Map<TaskSetting, String> values = category.values();
            values.keySet().removeAll(all.keySet());
            ofCategory.add(values);
        }
    }

    Map<TaskSetting, String> ofAll() {
        return all;
    }

    Map<TaskSetting, String> ofCategory(int number) {
        return ofCategory.get(number);
    }

    /** The values that several tasks share. */
    private static final class CommonValues {
        int tasks;
        private @Nullable Map<TaskSetting, String> values;

        void add(Map<TaskSetting, String> task) {
            tasks++;
            if (values == null) {
                values = new EnumMap<TaskSetting, String>(TaskSetting.class);
                values.putAll(task);
            } else {
                values.entrySet().removeIf(entry -> !entry.getValue().equals(task.get(entry.getKey())));
            }
        }

        /** A value of a single task remains with the task. */
        Map<TaskSetting, String> values() {
            return values == null || tasks < 2 ? new EnumMap<>(TaskSetting.class) : values;
        }
    }
}
