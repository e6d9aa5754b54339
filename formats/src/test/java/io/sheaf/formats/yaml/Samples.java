package io.sheaf.formats.yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The workflow files that Sheaf ships and those in its documentation. */
final class Samples {
    private static final Pattern FENCED = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    private Samples() {}

    /** The repository's root. */
    static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("docs/reference/sheaf-yaml.md"))) {
            at = Objects.requireNonNull(at.getParent(), "no docs/ above the working directory");
        }
        return at;
    }

    /** The examples that are written in Sheaf YAML. */
    static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(root().resolve("examples"))) {
            return all.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }

    /** The workflows in the page that describes the language. */
    static List<String> inPage() throws IOException {
        List<String> found = new ArrayList<>();
        Matcher fence = FENCED.matcher(Files.readString(root().resolve("docs/reference/sheaf-yaml.md")));
        while (fence.find()) {
            found.add(fence.group(1));
        }
        return found;
    }
}
