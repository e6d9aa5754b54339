package io.sheaf.agent;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The processes of this agent's attempts, read from {@code /proc}.
 *
 * <p>A process belongs to the attempt whose mark is in its environment, or else to its parent's attempt. The first rule finds orphans, the
 * second processes that cleared their environment. What a {@link ForkServers fork server} has forked shows the server's environment; it belongs
 * to the attempt that it was forked for, or to its parent's.
 */
final class Processes {
    /** Linux counts processor time for user programs in these, on every machine. */
    private static final int MILLIS_PER_TICK = 10;

    private static final int STAT_BYTES = 1024;
    private static final int ENVIRONMENT_BYTES = 256 << 10;

    /** Processes of others are read again after this time; another process may have the id by then. */
    private static final long ALL_NANOS = 1_000_000_000L;

    /** One process: who it is, and what it has used together with those children that it has waited for. */
    private record ProcessInfo(int pid, int parent, long startTicks, long cpuMillis) {}

    /** The processes of one attempt. */
    static final class Group {
        private final List<Integer> pids = new ArrayList<>();
        private long cpuMillis;

        List<Integer> pids() {
            return pids;
        }

        long cpuMillis() {
            return cpuMillis;
        }

        /** Memory in use. Pages that several of them share count for each. */
        long residentBytes() {
            return sum("status", "VmRSS:");
        }

        /** Memory in use, each shared page counted once; slower to read. */
        long proportionalBytes() {
            long bytes = sum("smaps_rollup", "Pss:");
            return bytes > 0 ? bytes : residentBytes();
        }

        /** Peak memory of the largest process. */
        long peakOfOneBytes() {
            return pids.stream()
                    .mapToLong(pid -> number(pid, "status", "VmHWM:") << 10)
                    .max()
                    .orElse(0);
        }

        /** What they read by system calls, together with those children that they have waited for. */
        long readBytes() {
            return sumOf("io", "rchar:");
        }

        /** What they wrote by system calls. */
        long writtenBytes() {
            return sumOf("io", "wchar:");
        }

        private long sum(String file, String key) {
            return sumOf(file, key) << 10;
        }

        private long sumOf(String file, String key) {
            return pids.stream().mapToLong(pid -> number(pid, file, key)).sum();
        }
    }

    private final String prefix;
    private final int self = (int) ProcessHandle.current().pid();
    private final byte[] buffer = new byte[ENVIRONMENT_BYTES];
    /** Marks already read, by process id and start time, which together identify a process. */
    private Map<Long, String> marks = new HashMap<>();

    /** Ids of processes that belong to no attempt: most of a machine's, and read seldom. */
    private final Set<Integer> foreign = new HashSet<>();

    private long readAll = System.nanoTime() - ALL_NANOS;

    private final Map<Integer, String> forked;

    /**
     * For marks with this prefix.
     *
     * @param forked the attempts of processes that fork servers have forked, by process id
     */
    Processes(String prefix, Map<Integer, String> forked) {
        this.prefix = TaskCommand.MARK + "=" + prefix;
        this.forked = forked;
    }

    /** All living processes by the end of their mark, which names the attempt. */
    Map<String, Group> scan() {
        if (System.nanoTime() - readAll >= ALL_NANOS) {
            readAll = System.nanoTime();
            foreign.clear();
        }
        Map<Integer, ProcessInfo> entries = entries();
        Map<Integer, String> found = new HashMap<>();
        Map<Long, String> read = new HashMap<>();
        for (ProcessInfo entry : entries.values()) {
            long key = entry.startTicks << 24 ^ entry.pid;
            String mark = marks.get(key);
            // Only what was found is remembered: a process between fork and exec does not yet show what it will be.
            mark = mark == null ? mark(entry.pid) : mark;
            if (mark != null) {
                found.put(entry.pid, forked.getOrDefault(entry.pid, mark));
                read.put(key, mark);
            }
        }
        marks = read;
        Map<String, Group> groups = new HashMap<>();
        for (ProcessInfo entry : entries.values()) {
            String owner = owner(entry, entries, found);
            if (owner == null && !isOfAgent(entry, entries)) {
                foreign.add(entry.pid);
            } else if (owner != null) {
                Group group = groups.computeIfAbsent(owner, any -> new Group());
                group.pids.add(entry.pid);
                group.cpuMillis += entry.cpuMillis;
            }
        }
        return groups;
    }

    /** Whether a process descends from the agent, so that it may be between fork and exec. */
    private boolean isOfAgent(ProcessInfo entry, Map<Integer, ProcessInfo> entries) {
        Set<Integer> seen = new HashSet<>();
        ProcessInfo at = entry;
        while (at != null && at.parent != self && seen.add(at.pid)) {
            at = entries.get(at.parent);
        }
        return at != null && at.parent == self;
    }

    private static @Nullable String owner(
            ProcessInfo entry, Map<Integer, ProcessInfo> entries, Map<Integer, String> found) {
        Set<Integer> visited = new HashSet<>();
        ProcessInfo at = entry;
        String last = null;
        while (at != null && visited.add(at.pid)) {
            String mark = found.get(at.pid);
            if (mark != null && !mark.equals(ForkServers.SERVER)) {
                return mark;
            }
            last = mark == null ? last : mark;
            at = entries.get(at.parent);
        }
        return last;
    }

    private Map<Integer, ProcessInfo> entries() {
        Map<Integer, ProcessInfo> entries = new HashMap<>();
        String[] names = new File("/proc").list();
        for (String name : names == null ? new String[0] : names) {
            int pid = Character.isDigit(name.charAt(0)) ? Integer.parseInt(name) : self;
            if (pid != self && !foreign.contains(pid)) {
                ProcessInfo entry = entry(pid);
                if (entry != null) {
                    entries.put(entry.pid, entry);
                }
            }
        }
        return entries;
    }

    /** A living process, or null. */
    private @Nullable ProcessInfo entry(int pid) {
        int length = read("/proc/" + pid + "/stat", STAT_BYTES);
        if (length <= 0) {
            return null;
        }
        String stat = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
        // The name is in parentheses and may hold anything; after it come state, parent, ….
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        if (fields.length < 20 || fields[0].equals("Z")) {
            return null;
        }
        long ticks = 0;
        for (int i = 11; i <= 14; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return new ProcessInfo(pid, Integer.parseInt(fields[1]), Long.parseLong(fields[19]), ticks * MILLIS_PER_TICK);
    }

    /** The end of a process' mark, or null if it has none or is not readable. */
    private @Nullable String mark(int pid) {
        int length = read("/proc/" + pid + "/environ", ENVIRONMENT_BYTES);
        byte[] prefixBytes = prefix.getBytes(StandardCharsets.UTF_8);
        int start = 0;
        while (start < length) {
            int end = start;
            while (end < length && buffer[end] != 0) {
                end++;
            }
            int valueStart = start + prefixBytes.length;
            if (valueStart <= end && Arrays.equals(buffer, start, valueStart, prefixBytes, 0, prefixBytes.length)) {
                return new String(buffer, valueStart, end - valueStart, StandardCharsets.UTF_8);
            }
            start = end + 1;
        }
        return null;
    }

    /** Reads the beginning of a file into the buffer; -1 if it cannot be read, for example after the process has ended. */
    private int read(String file, int maxBytes) {
        try (FileInputStream in = new FileInputStream(file)) {
            return in.readNBytes(buffer, 0, maxBytes);
        } catch (IOException e) {
            return -1;
        }
    }

    /** The number after a key in a file of a process; 0 if it cannot be read. */
    private static long number(int pid, String file, String key) {
        try (FileInputStream in = new FileInputStream("/proc/" + pid + "/" + file)) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).split("\n")) {
                if (line.startsWith(key)) {
                    return Long.parseLong(
                            line.substring(key.length()).replace("kB", "").strip());
                }
            }
        } catch (IOException e) {
            // It has ended.
            return 0;
        }
        return 0;
    }

    /** Sends SIGTERM or SIGKILL; processes that have ended are ignored. */
    static void signal(List<Integer> pids, boolean kill) {
        for (int pid : pids) {
            ProcessHandle.of(pid).ifPresent(kill ? ProcessHandle::destroyForcibly : ProcessHandle::destroy);
        }
    }
}
