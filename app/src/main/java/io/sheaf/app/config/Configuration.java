package io.sheaf.app.config;

import io.sheaf.formats.yaml.ConfigFile;
import io.sheaf.systems.BatchSystems;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values of all settings, with their origins.
 *
 * <p>Precedence: command line (applied by the commands), environment, {@code ./sheaf.conf.yaml}, the user's file, the
 * site's file, the default.
 */
public final class Configuration {
    private static final String FILE = "sheaf.conf.yaml";
    private static final String SITE = "/etc/sheaf/" + FILE;
    /** What these settings begin with runs commands or sends data. */
    private static final List<String> TRUSTED = List.of("notify-", SiteSettings.KEY);

    /** A value and its origin: {@code default}, {@code SHEAF_SEED}, or {@code file:line}. */
    public record Value(Setting setting, String text, String origin) {}

    private final Map<String, Value> values = new LinkedHashMap<>();
    private final Map<String, SiteSettings> sites = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    private Configuration() {
        for (Setting setting : Settings.all()) {
            values.put(setting.name(), new Value(setting, setting.defaultValue(), "default"));
        }
    }

    /** Loads all values, lowest precedence first. */
    public static Configuration load(Map<String, String> environment, Path folder) {
        Configuration configuration = new Configuration();
        for (Path file : files(environment, folder)) {
            configuration.read(file, file.equals(folder.resolve(FILE)));
        }
        configuration.read(environment);
        return configuration;
    }

    /** The configuration files, lowest precedence first. */
    static List<Path> files(Map<String, String> environment, Path folder) {
        List<Path> files = new ArrayList<>();
        files.add(Path.of(environment.getOrDefault("SHEAF_SITE_CONFIG", SITE)));
        String config = environment.getOrDefault("XDG_CONFIG_HOME", "");
        String home = environment.getOrDefault("HOME", "");
        if (!config.isEmpty()) {
            files.add(Path.of(config, "sheaf", FILE));
        } else if (!home.isEmpty()) {
            files.add(Path.of(home, ".config", "sheaf", FILE));
        }
        files.add(folder.resolve(FILE));
        return files;
    }

    /** Reads a file if it exists; one that was only found in the current folder may belong to anyone. */
    private void read(Path file, boolean found) {
        if (!Files.exists(file)) {
            return;
        }
        Map<String, SiteSettings> siteSettings = new LinkedHashMap<>();
        String stranger = found ? stranger(file) : "";
        for (ConfigFile.ConfigEntry entry : ConfigFile.read(file, Set.of(SiteSettings.KEY))) {
            try {
                read(entry, file, stranger, siteSettings);
            } catch (InputException e) {
                throw e.at(entry.place()).in(file.toString());
            }
        }
        sites.putAll(siteSettings);
    }

    private void read(
            ConfigFile.ConfigEntry entry, Path file, String stranger, Map<String, SiteSettings> siteSettings) {
        String name = entry.name();
        if (!stranger.isEmpty() && TRUSTED.stream().anyMatch(name::startsWith)) {
            throw new InputException(stranger + ", so it may not set '" + name
                    + "', which runs commands or sends data; set it in a file of your own");
        }
        if (name.startsWith(SiteSettings.KEY)) {
            SiteSettings.add(siteSettings, entry);
            return;
        }
        Setting setting = Settings.named(name);
        if (setting == null) {
            throw new InputException(
                    "unknown setting '" + name + "'." + Nearest.hint(name, Settings.names()) + " See 'sheaf config'.");
        }
        setting.check(entry.value());
        values.put(name, new Value(setting, entry.value(), file + ":" + entry.line()));
    }

    /**
     * Why a file is not as trusted as the user's own: another user than root owns it, or all can write to it; otherwise empty. A command
     * may be started in a folder that other users can write to.
     */
    private static String stranger(Path file) {
        try {
            PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
            String owner = attributes.owner().getName();
            // Java prints users without a name as "?".
            if (!owner.equals("root") && !List.of(owner, "?").contains(System.getProperty("user.name", "?"))) {
                return "the file belongs to the user " + owner;
            }
            return attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE)
                    ? "all users can write to the file"
                    : "";
        } catch (IOException e) {
            throw new InputException("cannot be read: " + e.getMessage()).in(file.toString());
        }
    }

    /** The sites by name; one of a later file replaces that of an earlier file. */
    public Map<String, SiteSettings> sites() {
        return Collections.unmodifiableMap(sites);
    }

    private void read(Map<String, String> environment) {
        for (Setting setting : Settings.all()) {
            String value = environment.get(setting.variable());
            if (value != null) {
                try {
                    setting.check(value);
                } catch (InputException e) {
                    throw e.in("environment variable " + setting.variable());
                }
                values.put(setting.name(), new Value(setting, value, setting.variable()));
            }
        }
        List<String> known = new ArrayList<>();
        for (String name : "SITE_CONFIG CACHE STATE NO_ARCHIVE SHARED REQUIRE_SHARED".split(" ", -1)) {
            known.add("SHEAF_" + name);
        }
        BatchSystems.names().forEach(name -> known.add("SHEAF_REQUIRE_" + name.toUpperCase(Locale.ROOT)));
        Settings.all().forEach(setting -> known.add(setting.variable()));
        environment.keySet().stream()
                .filter(name -> name.startsWith("SHEAF_") && !known.contains(name))
                .sorted()
                .forEach(name -> notes.add(
                        "the environment variable " + name + " is not used by Sheaf." + Nearest.hint(name, known)));
    }

    /** The value of a setting, or null if there is no such setting. */
    public @Nullable String find(String name) {
        Value value = values.get(name);
        return value == null ? null : value.text();
    }

    /** The value of an existing setting. */
    public String get(String name) {
        Value value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no setting " + name);
        }
        return value.text();
    }

    public List<Value> values() {
        return List.copyOf(values.values());
    }

    /** Warnings about probable mistakes. */
    public List<String> notes() {
        return Collections.unmodifiableList(notes);
    }
}
