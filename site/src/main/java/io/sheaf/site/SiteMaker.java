package io.sheaf.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The program that makes the site: arguments are the repository and the folder to write to. */
public final class SiteMaker {
    private SiteMaker() {}

    /** Exits with 0 if the site was made, 1 if something is wrong with the documentation. */
    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("site: name the repository and the folder to write to");
            System.exit(2);
        }
        Site site = Site.read(Path.of(args[0]));
        List<String> problems = site.problems();
        problems.forEach(problem -> System.err.println("site: " + problem));
        if (!problems.isEmpty()) {
            System.exit(1);
        }
        Path folder = Path.of(args[1]);
        empty(folder);
        site.write(folder);
        System.out.println("site: " + site.pages().size() + " pages; open " + folder.resolve("index.html"));
    }

    /** Removes an earlier site; a folder that is none is left alone. */
    private static void empty(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        if (!Files.exists(folder.resolve("site/pages.js"))) {
            try (Stream<Path> inside = Files.list(folder)) {
                if (inside.findAny().isPresent()) {
                    System.err.println("site: " + folder + " holds something else; name another folder");
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
