package io.sheaf.formats.yaml;

import io.sheaf.formats.yaml.Node.Text;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings that a task, a category or the defaults give; absent ones are left to the next level. */
final class TaskSettings {
    /** Nothing is said. */
    static final TaskSettings NONE = new TaskSettings();

    private Map<TaskSetting, Node> values = Map.of();

    /** Takes a key and its value if it is a setting; says whether it is. */
    boolean take(Text key, Node value) {
        TaskSetting setting = TaskSetting.find(key.text());
        if (setting == null) {
            return false;
        }
        setting.check(value);
        if (values.isEmpty()) {
            values = new EnumMap<>(TaskSetting.class);
        }
        values.put(setting, value);
        return true;
    }

    @Nullable
    Node get(TaskSetting setting) {
        return values.get(setting);
    }
}
