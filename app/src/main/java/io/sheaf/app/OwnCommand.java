package io.sheaf.app;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The words that start this very command again, as another process. */
final class OwnCommand {
    private OwnCommand() {}

    static List<String> words(String... arguments) {
        List<String> places = new ArrayList<>();
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            places.add(Path.of(each).toAbsolutePath().toString());
        }
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
        words.add(String.join(File.pathSeparator, places));
        words.add(Sheaf.class.getName());
        words.addAll(List.of(arguments));
        return words;
    }
}
