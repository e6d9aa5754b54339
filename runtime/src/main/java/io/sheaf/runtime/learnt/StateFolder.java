package io.sheaf.runtime.learnt;

import java.nio.file.Path;
import java.util.Map;

/**
 * The folder of the state that all processes of a user share: {@code SHEAF_STATE}, else {@code sheaf} in
 * {@code XDG_STATE_HOME}, else in {@code ~/.local/state}.
 */
public final class StateFolder {
    private static final int MAX_NAME = 120;

    private StateFolder() {}

    public static Path of(Map<String, String> environment) {
        String own = environment.get("SHEAF_STATE");
        String shared = environment.get("XDG_STATE_HOME");
        Path folder = own != null
                ? Path.of(own)
                : shared != null ? Path.of(shared, "sheaf") : home(environment).resolve(".local/state/sheaf");
        return folder.toAbsolutePath();
    }

    /**
     * A valid file name for a name of the user's choice. Characters that a file name should not have become {@code _}; of a long name only the beginning stays, with a hash
     * of the whole.
     */
    public static String fileName(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9_.@+-]", "_");
        String visible = plain.isEmpty() || plain.startsWith(".") ? "_" + plain : plain;
        return visible.length() <= MAX_NAME
                ? visible
                : visible.substring(0, MAX_NAME) + "-" + Integer.toHexString(name.hashCode());
    }

    /** The home folder; without {@code HOME} a temporary folder of this user, since the folder is shared with other users. */
    public static Path home(Map<String, String> environment) {
        String home = environment.get("HOME");
        return home != null
                ? Path.of(home)
                : Path.of(System.getProperty("java.io.tmpdir"), "sheaf-" + System.getProperty("user.name"));
    }
}
