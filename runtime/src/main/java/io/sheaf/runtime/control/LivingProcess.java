package io.sheaf.runtime.control;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A process of this machine that lives, as Linux tells of it.
 *
 * @param session the number of the process that leads its session: what was started from one terminal
 * @param born when it was started, in ticks since the machine was: an instant would be another one after the clock was set
 */
public record LivingProcess(long pid, String name, long parent, long session, String born) {
    private static final int SESSION = 3;
    private static final int BORN = 19;

    /** The process of this number; null if there is none, or one that has ended and nobody took notice, or the system does not tell. */
    public static @Nullable LivingProcess of(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            // Behind the name, which may hold anything: the state is the first, then the parent.
            int behind = stat.lastIndexOf(')');
            String[] fields = stat.substring(behind + 2).split(" ");
            boolean ended = fields[0].equals("Z") || fields[0].equals("X");
            String name = stat.substring(stat.indexOf('(') + 1, behind);
            return ended
                    ? null
                    : new LivingProcess(
                            pid, name, Long.parseLong(fields[1]), Long.parseLong(fields[SESSION]), fields[BORN]);
        } catch (IOException e) {
            return null;
        }
    }
}
