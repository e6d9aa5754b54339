package io.sheaf.testing;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program of one file in the folder of examples, and the page that goes through it. */
public final class WorkedExample {
    private static final int TIMEOUT_SECONDS = 120;
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private final String program;
    private final Path root;
    private final String page;
    private final List<String> classes = new ArrayList<>();

    /**
     * Reads the page.
     *
     * @param program its path in the repository, as the page names it
     * @param used a class of each module that it needs
     */
    public WorkedExample(String program, String page, Class<?>... used) throws IOException {
        this.program = program;
        root = Path.of("..").toAbsolutePath().normalize();
        this.page = Files.readString(root.resolve(page));
        for (Class<?> each : used) {
            classes.add(Path.of(URI.create(each.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toString()))
                    .toString());
        }
    }

    /** Compiles and runs it: the line of the page that names it, and what it printed. */
    public String run() throws IOException, InterruptedException {
        Finished done = Finished.run(
                root,
                Map.of(),
                TIMEOUT_SECONDS,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        String.join(File.pathSeparator, classes),
                        program));
        if (done.status() != 0) {
            throw new AssertionError(program + " failed: " + done.err());
        }
        return program + "\n" + done.out() + "```";
    }

    public String page() {
        return page;
    }

    /** The program's text, without indentation. */
    public List<String> source() throws IOException {
        return stripped(Files.readString(root.resolve(program)));
    }

    /** The lines of Java on the page, without indentation. */
    public List<String> quoted() {
        List<String> lines = new ArrayList<>();
        Matcher block = JAVA.matcher(page);
        while (block.find()) {
            lines.addAll(stripped(block.group(1)));
        }
        return lines;
    }

    private static List<String> stripped(String text) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }
}
