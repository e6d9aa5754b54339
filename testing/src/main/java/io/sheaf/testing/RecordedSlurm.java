package io.sheaf.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * Slurm's commands as scripts that print what was recorded, for tests that need no cluster; {@code scontrol} and {@code sacctmgr} know nothing
 * unless told.
 *
 * <p>Columns, which the real commands separate by a control character, have bars between them here.
 */
public final class RecordedSlurm {
    private static final char BETWEEN = '\u001f';

    private final Path folder;

    public RecordedSlurm(Path folder) {
        this.folder = folder;
        does("scontrol", "exit 1");
        does("sacctmgr", "exit 1");
    }

    public RecordedSlurm prints(String command, String columns) {
        try {
            Path file = Files.writeString(folder.resolve(command + ".txt"), columns.replace('|', BETWEEN));
            return does(command, "cat '" + file + "'");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A command runs these lines of a shell. */
    public RecordedSlurm does(String command, String lines) {
        try {
            Path file = Files.writeString(folder.resolve(command), "#!/bin/sh\n" + lines + "\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The variables by which the commands are found; files that processes share are in the same folder. */
    public Map<String, String> environment() {
        return Map.of(
                "PATH",
                folder + ":/usr/local/bin:/usr/bin:/bin",
                "SHEAF_STATE",
                folder.resolve("state").toString(),
                "SHEAF_SITE_CONFIG",
                "nowhere");
    }
}
