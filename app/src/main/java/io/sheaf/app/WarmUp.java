package io.sheaf.app;

import io.sheaf.agent.Trees;
import io.sheaf.app.cli.ExitStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs typical commands in a temporary folder, to record the classes for the class-data archive.
 *
 * <p>It ignores the user's configuration, since the archive outlives it.
 */
final class WarmUp {
    private WarmUp() {}

    /** Runs in a new subfolder; returns 0 only if every command succeeded. */
    static int in(Path parent, PrintWriter out, PrintWriter err) {
        try {
            Path folder = Files.createTempDirectory(parent, "sheaf-warm-up-");
            try {
                Map<String, String> environment =
                        Map.of("SHEAF_SITE_CONFIG", folder.resolve("none").toString());
                return run(new Sheaf(out, err, environment, folder), folder);
            } finally {
                Trees.delete(folder);
            }
        } catch (IOException e) {
            err.println("sheaf: warm-up: " + e);
            return ExitStatus.BAD_INPUT;
        }
    }

    private static int run(Sheaf sheaf, Path folder) {
        for (List<String> line : lines(folder)) {
            int status = sheaf.run(line.toArray(String[]::new));
            if (status != ExitStatus.DONE) {
                return status;
            }
        }
        return ExitStatus.DONE;
    }

    private static List<List<String>> lines(Path folder) {
        List<List<String>> lines = new ArrayList<>();
        String made = folder.resolve("a.yaml").toString();
        lines.add(List.of("generate", "forkjoin", "--tasks", "5", "-o", made));
        for (String ending : List.of("json", "dax", "dag", "yaml", "svg")) {
            String next = folder.resolve("b." + ending).toString();
            lines.add(List.of("convert", made, next));
            made = ending.equals("svg") ? made : next;
            lines.add(List.of("inspect", made));
        }
        lines.add(List.of("inspect", made, "--json"));
        Sheaf.commandNames().forEach(command -> lines.add(List.of(command, "--help")));
        String queue = folder.resolve("queue").toString();
        // Twice: the first call creates the queue, the second uses it.
        for (int i = 0; i < 2; i++) {
            lines.add(List.of("submit-task", "--no-manager", "--queue", queue, "--time", "1s", "--", "true"));
        }
        lines.add(List.of("config"));
        lines.add(List.of("--version"));
        return lines;
    }
}
