package io.sheaf.runtime.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The resources of this machine. */
public final class Machine {
    private Machine() {}

    /** Its memory in bytes; 0 if unknown. */
    public static long memory() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
                if (line.startsWith("MemTotal:")) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
                }
            }
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
        return 0;
    }
}
