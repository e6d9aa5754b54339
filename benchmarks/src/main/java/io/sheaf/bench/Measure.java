package io.sheaf.bench;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** What benchmarks without JMH measure, and how they print it. */
final class Measure {
    private Measure() {}

    /** Prints a line; numbers do not depend on the locale. */
    static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    /** The folder of logs and workflows that cannot be redistributed. */
    static Path shared() {
        return Path.of(System.getenv().getOrDefault("SHEAF_SHARED", "../shared"));
    }

    static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }

    /** The processor time of this thread, in nanoseconds. */
    static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** The used memory after a collection, in bytes. */
    static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** Processor time of all ended child processes and their children. */
    static double childrensSeconds() throws IOException {
        String stat = Files.readString(Path.of("/proc/self/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) / 100.0;
    }

    /** A command without input, whose output is dropped. */
    static ProcessBuilder quiet(Path folder, List<String> command) {
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.DISCARD);
    }

    /** Tasks that do nothing, with two logs each, by xargs. */
    static ProcessBuilder xargs(Path folder, int tasks, int processes, String program) {
        String script = "seq " + tasks + " | xargs -P " + processes + " -I{} sh -c '" + program + " >{}.out 2>{}.err'";
        return quiet(folder, List.of("sh", "-c", script));
    }
}
