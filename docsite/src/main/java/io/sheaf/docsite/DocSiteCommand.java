package io.sheaf.docsite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Builds the documentation site; the arguments are the repository and the output folder. */
public final class DocSiteCommand {
    private DocSiteCommand() {}

    /** Exits with 0 if the site was written, with 1 if the documentation has problems. */
    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("docsite: name the repository and the folder to write to");
            System.exit(2);
        }
        DocSite site = DocSite.read(Path.of(args[0]));
        List<String> problems = site.problems();
        problems.forEach(problem -> System.err.println("docsite: " + problem));
        if (!problems.isEmpty()) {
            System.exit(1);
        }
        Path folder = Path.of(args[1]);
        empty(folder);
        site.write(folder);
        System.out.println("docsite: " + site.pages().size() + " pages; open " + folder.resolve("index.html"));
    }

    /** Removes an earlier site; refuses a folder with other files. */
    private static void empty(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        if (!Files.exists(folder.resolve("site/pages.js"))) {
            try (Stream<Path> inside = Files.list(folder)) {
                if (inside.findAny().isPresent()) {
                    System.err.println("docsite: " + folder + " holds something else; name another folder");
                    System.exit(3);
                }
            }
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
