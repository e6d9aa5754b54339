package io.sheaf.runtime.control;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A living process of this machine, from Linux's {@code /proc}.
 *
 * @param session the process id of its session leader: the processes of one terminal
 * @param born its start in ticks since boot, which does not change when the clock is set
 */
public record LivingProcess(long pid, String name, long parent, long session, String born) {
    private static final int SESSION = 3;
    private static final int BORN = 19;

    /** The process with this id; null if there is none, it is a zombie, or the system does not provide the data. */
    public static @Nullable LivingProcess of(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            // The fields follow the name, which may contain any character: first the state, then the parent.
            int end = stat.lastIndexOf(')');
            String[] fields = stat.substring(end + 2).split(" ");
            boolean ended = fields[0].equals("Z") || fields[0].equals("X");
            String name = stat.substring(stat.indexOf('(') + 1, end);
            return ended
                    ? null
                    : new LivingProcess(
                            pid, name, Long.parseLong(fields[1]), Long.parseLong(fields[SESSION]), fields[BORN]);
        } catch (IOException e) {
            return null;
        }
    }
}
