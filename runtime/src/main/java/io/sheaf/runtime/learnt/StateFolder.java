package io.sheaf.runtime.learnt;

import java.nio.file.Path;
import java.util.Map;

/**
 * The folder of the state that all processes of a user share: {@code SHEAF_STATE}, else {@code sheaf} in
 * {@code XDG_STATE_HOME}, else in {@code ~/.local/state}.
 */
public final class StateFolder {
    private StateFolder() {}

    public static Path of(Map<String, String> environment) {
        String own = environment.get("SHEAF_STATE");
        String shared = environment.get("XDG_STATE_HOME");
        Path folder = own != null
                ? Path.of(own)
                : shared != null ? Path.of(shared, "sheaf") : home(environment).resolve(".local/state/sheaf");
        return folder.toAbsolutePath();
    }

    /** The home folder; without {@code HOME} a temporary folder of this user, since the folder is shared with other users. */
    public static Path home(Map<String, String> environment) {
        String home = environment.get("HOME");
        return home != null
                ? Path.of(home)
                : Path.of(System.getProperty("java.io.tmpdir"), "sheaf-" + System.getProperty("user.name"));
    }
}
