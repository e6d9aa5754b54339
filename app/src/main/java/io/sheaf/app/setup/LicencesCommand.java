package io.sheaf.app.setup;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.SheafCommand;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code licences}: the libraries in Sheaf. */
@Command(
        name = "licences",
        description = "List the libraries in Sheaf and their licences.",
        footer = {"", "Example: sheaf licences --texts"})
public final class LicencesCommand extends SheafCommand {
    /** @param texts the paths of the licence inside the file {@code sheaf}, which is also a zip archive */
    private record Library(String name, String version, String licence, List<String> texts) {}

    @Option(names = "--texts", description = "Print the licence texts, beginning with Sheaf's own.")
    boolean texts;

    @Override
    public Integer call() throws IOException {
        List<Library> libraries = libraries();
        if (texts) {
            refuseJson("standard output is the licence texts");
            printTexts(libraries);
        } else {
            Fields<Library> columns = new Fields<Library>()
                    .text("library", "name", Library::name)
                    .text("version", "version", Library::version)
                    .text("licence", "licence", Library::licence)
                    .left("text", library -> String.join(", ", library.texts()));
            print(out -> columns.array(out, "libraries", libraries), out -> columns.table(out, libraries));
        }
        return ExitStatus.DONE;
    }

    private static List<Library> libraries() throws IOException {
        List<Library> libraries = new ArrayList<>();
        for (String line : resource("/io/sheaf/app/licences.txt").lines().toList()) {
            String[] cells = line.split(" \\| ", -1);
            // The build inserts versions; classes compiled without it have none.
            String version = cells[1].startsWith("${") ? "unknown" : cells[1];
            libraries.add(new Library(cells[0], version, cells[2], List.of(cells[3].split(", ", -1))));
        }
        return libraries;
    }

    private void printTexts(List<Library> libraries) throws IOException {
        Set<String> files = new LinkedHashSet<>(List.of("META-INF/LICENSE"));
        libraries.forEach(library -> files.addAll(library.texts()));
        for (String file : files) {
            session().out().println("=== " + file + "\n");
            session().out().println(resource("/" + file));
        }
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = LicencesCommand.class.getResourceAsStream(name)) {
            return in == null
                    ? "not available: this Sheaf was not built by Maven"
                    : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
