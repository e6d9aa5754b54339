package io.sheaf.app.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** All settings, with their defaults and the reasons for them. */
public final class Settings {
    private static final List<Setting> ALL = List.of(
            new Setting("json", Setting.Kind.SWITCH, "false", "Print results as JSON instead of text."),
            new Setting(
                    "notify-command",
                    Setting.Kind.TEXT,
                    "",
                    "Shell command that receives a JSON message on standard input when a run ends, pauses or waits. None by default."),
            new Setting(
                    "notify-headers",
                    Setting.Kind.TEXT,
                    "",
                    "HTTP headers for notify-url: a file with one 'Name: value' per line, or $NAME for an environment variable. A header here would be shown by 'sheaf config'."),
            new Setting(
                    "notify-on",
                    Setting.Kind.TEXT,
                    "done,failed,cancelled,paused,waiting",
                    "Events that send a notification. All by default."),
            new Setting(
                    "notify-url",
                    Setting.Kind.TEXT,
                    "",
                    "Address that receives the message by HTTP POST, or $NAME for an environment variable with a secret address. None by default."),
            new Setting(
                    "notify-wait",
                    Setting.Kind.TIME,
                    "1h",
                    "Queue wait with no job running after which the event 'waiting' is sent. Shorter waits are common."),
            new Setting(
                    "power-core",
                    Setting.Kind.AMOUNT,
                    "0",
                    "Additional power of a busy core in watts, for energy estimates. 0 with power-node 0: no estimate, since machines differ."),
            new Setting(
                    "power-node", Setting.Kind.AMOUNT, "0", "Power of an idle node in watts, for energy estimates."),
            new Setting(
                    "seed", Setting.Kind.WHOLE_NUMBER, "1", "Random seed. Fixed, so that a command is reproducible."),
            new Setting(
                    "verbose",
                    Setting.Kind.SWITCH,
                    "false",
                    "Print a stack trace with errors. Otherwise an error is one line."));

    private Settings() {}

    public static List<Setting> all() {
        return ALL;
    }

    static @Nullable Setting named(String name) {
        return ALL.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
    }

    static List<String> names() {
        return ALL.stream().map(Setting::name).toList();
    }

    /** A configuration file with every setting at its default, commented. */
    public static String reference() {
        StringBuilder out = new StringBuilder();
        out.append(
                "# Every setting of Sheaf at its default. Copy what you change into ./sheaf.conf.yaml (one project),\n");
        out.append(
                "# sheaf/sheaf.conf.yaml in your configuration folder (you), or /etc/sheaf/sheaf.conf.yaml (a site).\n");
        for (Setting setting : ALL) {
            out.append("\n# " + setting.about() + "\n# Environment: " + setting.variable() + "\n");
            out.append(setting.name() + ": " + setting.defaultValue() + "\n");
        }
        return out.toString();
    }
}
