package io.sheaf.formats.yaml;

import io.sheaf.formats.yaml.Node.Text;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of a task, a category or the defaults; absent ones are inherited. */
final class TaskSettings {
    /** No settings. */
    static final TaskSettings NONE = new TaskSettings();

    private Map<TaskSetting, Node> values = Map.of();

    /** Stores a key and its value if it is a setting; returns whether it is. */
    boolean put(Text key, Node value) {
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

    /** The value at the nearest of some levels that has one; null if none has. */
    static @Nullable Node find(TaskSettings[] levels, TaskSetting setting) {
        for (TaskSettings level : levels) {
            Node value = level.get(setting);
            if (value != null) {
                return value;
            }
        }
        return null;
    }
}
