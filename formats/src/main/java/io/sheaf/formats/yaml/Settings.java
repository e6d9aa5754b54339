package io.sheaf.formats.yaml;

import io.sheaf.formats.yaml.Node.Text;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings that a task, a category or the defaults give; absent ones are left to the next level. */
final class Settings {
    /** Nothing is said. */
    static final Settings NONE = new Settings();

    private Map<Setting, Node> values = Map.of();

    /** Takes a key and its value if it is a setting; says whether it is. */
    boolean take(Text key, Node value) {
        Setting setting = Setting.find(key.text());
        if (setting == null) {
            return false;
        }
        setting.check(value);
        if (values.isEmpty()) {
            values = new EnumMap<>(Setting.class);
        }
        values.put(setting, value);
        return true;
    }

    @Nullable
    Node get(Setting setting) {
        return values.get(setting);
    }
}
