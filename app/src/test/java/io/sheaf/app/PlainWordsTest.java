package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Users read standard technical English: none of the banned phrases is in help, messages, pages, the API description or the documentation. */
class PlainWordsTest {
    private static final Path MAIN = Path.of("src", "main");
    private static final Path ROOT = Path.of("..");

    /** Private vocabulary, with what to write instead. */
    private static final List<Banned> BANNED = List.of(
            new Banned("so many|so long as|for so long|as many as there are|in sum, of it", "the number, or a limit"),
            new Banned("nobody|somebody|whoever|everybody", "the actor: the manager, the user, other users"),
            new Banned("placeholders?", "pilot job"),
            new Banned(
                    "(came|comes|come) to an? end|what (it|they|runs?) (came|come) to|what came of",
                    "result, makespan"),
            new Banned("in thought|thought play|play(s|ed)? on\\b|played again", "simulate forward, rollout"),
            new Banned("foretold|foretells?|foreseen", "estimate, forecast"),
            new Banned("(?<!by )hand(s|ed)? (it |them |tasks |workflows )?in\\b|hands a workflow", "submit"),
            new Banned("in charge|take charge|takes charge", "manager, lease"),
            new Banned("go(es)? on with|gone on with|went on with|told to go on", "continue, resume"),
            new Banned(
                    "jobs of others|others' jobs(?! are hidden)|one of ours|ours wait",
                    "background jobs, other users' jobs"),
            new Banned("is over already|(run|job|task)s? (is|are) over\\b|for good\\b", "has ended, failed, cancelled"),
            new Banned("tried again|attempts again|run again although", "retry"),
            new Banned("looks whether|tells (what|how|when|which|why|where|of)\\b", "show, check, print"),
            new Banned("picture of the queue", "queue snapshot"),
            new Banned("kept time|errands?|rehearsal|entrants?|heeded|wishes", "see the glossary"),
            new Banned("waits of jobs|nothing running|of it waits|cost to others", "queue wait, no job running"));

    /** Defines the terms, and names those of the papers once. */
    private static final String GLOSSARY = "docs/reference/glossary.md";

    private record Banned(Pattern phrase, String instead) {
        Banned(String phrase, String instead) {
            this(Pattern.compile("\\b(" + phrase + ")", Pattern.CASE_INSENSITIVE), instead);
        }
    }

    /** What is wrong with a text, by a place that a reader finds. */
    private static List<String> problems(String place, String text) {
        List<String> problems = new ArrayList<>();
        for (Banned each : BANNED) {
            Matcher found = each.phrase.matcher(text.replaceAll("\\s+", " "));
            while (found.find()) {
                problems.add(place + ": '" + found.group() + "'; write: " + each.instead);
            }
        }
        return problems;
    }

    @Test
    void theHelpOfEveryCommand() {
        List<String> problems = new ArrayList<>();
        help(Sheaf.allCommands().getCommandSpec(), problems);
        assertThat(problems).isEmpty();
    }

    private static void help(CommandSpec command, List<String> problems) {
        UsageMessageSpec usage = command.usageMessage();
        String name = command.qualifiedName();
        problems.addAll(problems(name, String.join(" ", usage.description())));
        problems.addAll(problems(name, String.join(" ", usage.footer())));
        for (ArgSpec each : command.args()) {
            problems.addAll(problems(name + " " + each.paramLabel(), String.join(" ", each.description())));
        }
        command.subcommands().values().forEach(sub -> help(sub.getCommandSpec(), problems));
    }

    /** Tables, summaries, errors and warnings: the literals of the sources, joined where they are added up. */
    @Test
    void messages() throws IOException {
        List<String> problems = new ArrayList<>();
        for (Path file : files(MAIN.resolve("java"), ".java")) {
            String code = Files.readString(file)
                    .replaceAll("(?s)/\\*.*?\\*/", "")
                    .replaceAll("(?m)^\\s*//.*$", "")
                    .replaceAll("\"\\s*\\+\\s*\"", "");
            problems.addAll(problems(file.toString(), literals(code)));
        }
        assertThat(problems).isEmpty();
    }

    private static String literals(String code) {
        StringBuilder all = new StringBuilder();
        Matcher literal = Pattern.compile("\"((?:\\\\.|[^\"\\\\\n])*)\"").matcher(code);
        while (literal.find()) {
            // A field of JSON or an id is one word; its name does not change.
            all.append(literal.group(1).matches("[\\w-]*") ? "" : literal.group(1))
                    .append(" ; ");
        }
        return all.toString();
    }

    @Test
    void pages() throws IOException {
        List<String> problems = new ArrayList<>();
        for (Path file : files(MAIN.resolve("resources"), ".html")) {
            problems.addAll(problems(file.toString(), Files.readString(file)));
        }
        for (Path file : files(MAIN.resolve("resources"), ".js")) {
            problems.addAll(problems(file.toString(), literals(Files.readString(file))));
        }
        for (Path file : files(MAIN.resolve("resources"), ".yaml")) {
            Matcher words =
                    Pattern.compile("(?:summary|description|title): (.*)").matcher(Files.readString(file));
            while (words.find()) {
                problems.addAll(problems(file.toString(), words.group(1)));
            }
        }
        assertThat(problems).isEmpty();
    }

    /** Prose only: code and output of commands are checked where they come from. */
    @Test
    void documentation() throws IOException {
        List<String> problems = new ArrayList<>();
        List<Path> all = new ArrayList<>(files(ROOT.resolve("docs"), ".md"));
        all.add(ROOT.resolve("README.md"));
        for (Path file : all) {
            String name = ROOT.relativize(file).toString();
            if (!name.equals(GLOSSARY)) {
                String prose =
                        Files.readString(file).replaceAll("(?s)```.*?```", "").replaceAll("`[^`]*`", "");
                problems.addAll(problems(name, prose));
            }
        }
        assertThat(problems).isEmpty();
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        }
    }
}
