package io.sheaf.runtime.control;

import io.sheaf.agent.link.HostNames;
import io.sheaf.agent.link.RunFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The programs that submit tasks by repeated calls of the command, as Snakemake does: a file {@code from-…} for
 * each in the inbox. A line has the program and the id of a task.
 *
 * <p>While a program is alive, more tasks are expected; when all have ended, none are. A shell does not count: it
 * is started for each call, or lives as long as the user's session. Parents in another session do not count either.
 * The shell launcher, which submits without Java, writes the same files.
 */
record Submitters(Path inbox) {
    private static final String PREFIX = "from-";
    private static final Set<String> SHELLS = Set.of("sh", "dash", "bash", "ash", "ksh", "zsh", "fish");

    /**
     * The submitting program: the nearest ancestor of this process in its session that is not a shell; null if
     * there is none.
     */
    static @Nullable LivingProcess above() {
        LivingProcess self = LivingProcess.of(ProcessHandle.current().pid());
        LivingProcess at = self == null ? null : LivingProcess.of(self.parent());
        while (at != null && SHELLS.contains(at.name())) {
            at = LivingProcess.of(at.parent());
        }
        return at == null || self == null || at.session() != self.session() ? null : at;
    }

    private Path file(LivingProcess program) {
        return inbox.resolve(PREFIX + program.pid() + "-" + program.born());
    }

    /** Records a submitting program and a task of it, or once without its tasks. A line is added at once, so that several processes may do so. */
    void add(@Nullable LivingProcess program, String task) throws IOException {
        if (program != null && !(task.isEmpty() && Files.exists(file(program)))) {
            Files.createDirectories(inbox);
            String line = HostNames.own() + " " + program.pid() + " " + program.born() + " " + task;
            Files.writeString(file(program), line.strip() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    /** The ids of the recorded tasks of a program. */
    List<String> tasks(LivingProcess program) throws IOException {
        return RunFolder.lines(file(program)).stream()
                .map(line -> line.split(" "))
                .filter(words -> words.length == 4)
                .map(words -> words[3])
                .toList();
    }

    /** Whether one is alive on this machine; those on other machines are ignored. */
    boolean areLiving() throws IOException {
        for (String name : names()) {
            LivingProcess process = localProcess(inbox.resolve(name));
            if (process != null) {
                return true;
            }
        }
        return false;
    }

    private String[] names() {
        String[] names = inbox.toFile().list((folder, name) -> name.startsWith(PREFIX));
        return names == null ? new String[0] : names;
    }

    /**
     * Whether there were programs and all of them have ended; removes their records then. A program on
     * another machine counts as alive.
     */
    boolean haveEnded() throws IOException {
        String[] names = names();
        boolean any = false;
        for (String name : names) {
            Path file = inbox.resolve(name);
            // One on another machine may live.
            if (!isOfHere(words(file)) || localProcess(file) != null) {
                return false;
            }
            any = true;
        }
        for (String name : any ? names : new String[0]) {
            Files.deleteIfExists(inbox.resolve(name));
        }
        return any;
    }

    private static boolean isOfHere(String[] words) {
        return words.length >= 3 && words[0].equals(HostNames.own()) && words[1].matches("[0-9]{1,10}");
    }

    /** The program of a record, if it is alive on this machine; else null. */
    private static @Nullable LivingProcess localProcess(Path file) throws IOException {
        String[] words = words(file);
        LivingProcess process = isOfHere(words) ? LivingProcess.of(Long.parseLong(words[1])) : null;
        return process != null && process.born().equals(words[2]) ? process : null;
    }

    /** The words of the first line of a record; empty if the file was removed. */
    private static String[] words(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            String line = reader.readLine();
            return line == null ? new String[0] : line.split(" ");
        } catch (NoSuchFileException e) {
            return new String[0];
        }
    }
}
