package io.sheaf.app.cli;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The command line that starts this command again as another process. */
public final class OwnCommand {
    private static final String MAIN = "io.sheaf.app.Sheaf";

    private OwnCommand() {}

    /** For a process that ends soon or mostly waits. */
    public static List<String> words(String... arguments) {
        return words(List.of("-XX:TieredStopAtLevel=1"), arguments);
    }

    /** For a long-running process. */
    public static List<String> lasting(String... arguments) {
        return words(List.of(), arguments);
    }

    private static List<String> words(List<String> options, String... arguments) {
        String places = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(each -> Path.of(each).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.add("-XX:+UseSerialGC");
        words.addAll(options);
        words.addAll(List.of("-cp", places, MAIN));
        words.addAll(List.of(arguments));
        return words;
    }

    /** Starts a command in a session of its own, independent of the terminal; its output is appended to a log. */
    public static Process background(List<String> command, File log, Session session) throws IOException {
        List<String> words = new ArrayList<>(List.of("setsid"));
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(session.folder().toAbsolutePath().toFile())
                .redirectInput(Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log));
        builder.environment().clear();
        builder.environment().putAll(session.environment());
        return builder.start();
    }
}
