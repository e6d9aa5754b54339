package io.sheaf.app.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of Sheaf, its commit, and the version of Java. */
public final class Version implements IVersionProvider {
    private static final String UNKNOWN = "unknown";

    @Override
    public String[] getVersion() {
        String commit = property("commit");
        String built = number().equals(UNKNOWN) ? "unknown version (not built by Maven)" : number();
        return new String[] {
            "sheaf " + built + (commit.equals(UNKNOWN) ? "" : " (commit " + commit + ")"),
            "Java " + System.getProperty("java.version") + " (" + System.getProperty("java.vm.name") + ", "
                    + System.getProperty("java.home") + ")"
        };
    }

    public static String number() {
        return property("version");
    }

    /** A property from the build; unknown if the classes were compiled without it. */
    private static String property(String name) {
        Properties built = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            if (in != null) {
                built.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String value = built.getProperty(name, "");
        return value.isEmpty() || value.startsWith("${") ? UNKNOWN : value;
    }
}
