package io.sheaf.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The command lines in the documentation: lines of code blocks that begin with {@code sheaf}. If lines of a block begin
 * with a dollar sign, only those are commands, and the others are output. Text after a number sign or three blanks is a
 * remark.
 */
final class DocumentedLines {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern COMMAND = Pattern.compile("(\\./)?sheaf (.*)");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");
    private static final Pattern SEPARATOR = Pattern.compile("&&|;|\\|| {3,}");
    private static final Pattern REMARK = Pattern.compile(" #(?!/).*");
    private static final Pattern REDIRECTION = Pattern.compile(" >+ *\\S+");

    /**
     * A command on a page.
     *
     * @param words the arguments, without the name of the program
     */
    record Line(String page, int number, List<String> words) {
        String text() {
            return "sheaf " + String.join(" ", words);
        }

        @Override
        public String toString() {
            return page + ":" + number + ": " + text();
        }
    }

    private DocumentedLines() {}

    static List<String> pages() throws IOException {
        List<String> pages = new ArrayList<>(List.of("README.md", "CONTRIBUTING.md"));
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md"))
                    .map(file -> ROOT.relativize(file).toString().replace('\\', '/'))
                    .sorted()
                    .forEach(pages::add);
        }
        return pages;
    }

    static List<Line> of(String page) throws IOException {
        List<Line> found = new ArrayList<>();
        List<String> lines = Files.readAllLines(ROOT.resolve(page));
        for (int at = 0; at < lines.size(); at++) {
            if (lines.get(at).startsWith("```")) {
                int end = at + 1;
                while (!lines.get(end).startsWith("```")) {
                    end++;
                }
                block(page, at + 1, lines.subList(at + 1, end), found);
                at = end;
            } else if (lines.get(at).startsWith("    ")) {
                commands(page, at + 1, lines.get(at).substring(4), found);
            }
        }
        return found;
    }

    private static void block(String page, int first, List<String> block, List<Line> found) {
        boolean session = block.stream().anyMatch(line -> line.startsWith("$ "));
        for (int i = 0; i < block.size(); i++) {
            String line = block.get(i);
            if (!session || line.startsWith("$ ")) {
                commands(page, first + i + 1, line.substring(session ? 2 : 0), found);
            }
        }
    }

    private static void commands(String page, int number, String line, List<Line> found) {
        if (!COMMAND.matcher(line).matches()) {
            return;
        }
        String output =
                REDIRECTION.matcher(REMARK.matcher(line).replaceFirst("")).replaceAll("");
        for (String part : SEPARATOR.split(output)) {
            Matcher command = COMMAND.matcher(part.strip());
            if (command.matches()) {
                found.add(new Line(page, number, words(command.group(2))));
            }
        }
    }

    /** The commands of one line, as text. */
    static List<String> commands(String line) {
        List<Line> found = new ArrayList<>();
        commands("", 0, line, found);
        return found.stream().map(Line::text).toList();
    }

    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(text);
        while (word.find()) {
            words.add(word.group(1) != null ? word.group(1) : word.group(2) != null ? word.group(2) : word.group(3));
        }
        return words;
    }
}
