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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Users and engineers read standard technical English: none of the banned phrases is in help, messages, pages, schemas, the API description, Javadoc or
 * the documentation of any module.
 */
class PlainWordsTest {
    private static final Path ROOT = Path.of("..");

    /** Private vocabulary, with what to write instead. */
    private static final List<Banned> BANNED = List.of(
            new Banned("so many|so long as|for so long|as many as there are|in sum\\b", "the number, or a limit"),
            new Banned("nobody|somebody|whoever|everybody|when he\\b", "the actor: the manager, the user, other users"),
            new Banned("placeholders?\\b(?![:=])", "pilot job"),
            new Banned(
                    "(came|comes|come) to an? end|what (it|they|runs?) (came|come) to|what came of|came and went",
                    "result, makespan"),
            new Banned("in thought|thought play|play(s|ed)? on\\b|played again", "simulate forward, rollout"),
            new Banned(
                    "foretold|foretells?|foreseen|prospects?|the course of|likely (starts?|ends?|waits?)",
                    "estimate, forecast"),
            new Banned("picture of the queue|sights?", "queue snapshot"),
            new Banned("in charge|(takes?|taken|took) charge", "manager, lease"),
            new Banned("wish(es)?|heeded", "control request"),
            new Banned("kept time|agents keep of", "reserve"),
            new Banned("withdr[ae]w(s|n|al|ing)?", "cancel"),
            new Banned("retire(d|s)?\\b", "drain"),
            new Banned("narrow(s|ed) (it|them|the|a|its)\\b|exchang(es|ed) (it|them|the|a)\\b", "resize, replace"),
            new Banned("entrants?", "candidate"),
            new Banned("is worth (it\\b|more|less)|worths?(?= of (a|the) plan)", "objective, cost, score"),
            new Banned(
                    "(jobs?|waiting|wait) of others|others' jobs|(one|jobs?) of ours|ours wait",
                    "background jobs, other users' jobs"),
            new Banned("rehears\\w+", "warm-up"),
            new Banned("errands?", "command, operation"),
            new Banned("tried again|attempts again|run again although", "attempt, retry"),
            new Banned(
                    "is over already|(run|job|task)s? (is|are) over\\b|for good\\b|(job|run|task|folder|file)s? (is|are) (gone|away)\\b",
                    "has ended, failed, lost, cancelled, missing"),
            new Banned("how long it takes|(in )?how far (a|the) run", "run time, progress"),
            new Banned("asked for|are asked for", "requested"),
            new Banned(
                    "at least so|(?<!by )hand(s|ed)? (it |them |tasks |workflows |the next \\w+ )?in\\b|hands a workflow",
                    "submit"),
            new Banned("go(es)? on with|gone on with|went on with|told to go on|what runs goes on", "continue, resume"),
            new Banned("looks? whether|tells? (what|how|when|which|why|where|of)\\b|be told\\b", "show, check, print"),
            new Banned("(are|is) taken to (start|end|be)|(is|are) taken for\\b", "assume"),
            new Banned(
                    "(nodes|slots|ports|cores) (is|are) taken|(is or was|stays?|as|that are) taken|(?<=\\d )taken\\b",
                    "allocated, in use"),
            new Banned("(is|are|was|were|be) told\\b|told of\\b|tell us\\b", "show, report, inform"),
            new Banned("hears?\\b|heard\\b", "receive"),
            new Banned("(is|are|was|were|be) asked\\b|asks for\\b", "request"),
            new Banned(
                    "waits of jobs (?=\\d)|nothing running|of it waits|cost to others", "queue wait, no job running"),
            new Banned(
                    "(?<!there )is no (number|count|time|price|job|node|id|folder|option|list|JSON|XML)\\b",
                    "is not a …"));

    /** Define the terms, and name those of the papers and of earlier versions once. */
    private static final List<String> GLOSSARIES = List.of("docs/reference/glossary.md", "CHANGELOG.md");

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

    /** Each sentence is an example of a rule. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Tells how far a run is: its jobs, its tasks, and when it is expected to end.",
                "Looks whether runs will work here.",
                "Runs workflows with many strategies, and compares what they came to.",
                "What agents keep of each walltime for the end of their tasks",
                "Where nothing is known of queued ones, they are taken to start at any moment.",
                "Few jobs are asked for.",
                "waits of jobs 0.2 s in sum",
                "Whoever submits job by job",
                "He hands the next task in when he has seen the others",
                "one of ours",
                "a placeholder starts",
                "played on in thought",
                "the foretold start",
                "a picture of the queue",
                "the manager in charge",
                "a heeded wish",
                "the kept time",
                "the job is withdrawn",
                "the manager retires a job",
                "auto exchanges the wide job",
                "an entrant",
                "a rehearsal",
                "an errand",
                "the task is tried again",
                "the run is over",
                "the job is gone",
                "how long it takes",
                "at least so many",
                "jobs of others",
                "jobs are taken for endless",
                "10 nodes, 3 taken",
                "a slot that is or was taken",
                "the agent is told to stop",
                "until something is heard of it",
                "the manager was asked to resume it",
                "'7x' is no number"
            })
    void theListFindsItsExamples(String text) {
        assertThat(problems("", text)).isNotEmpty();
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

    /** Tables, summaries, errors and warnings of all modules: the literals of the sources, joined where they are added up. */
    @Test
    void messages() throws IOException {
        List<String> problems = new ArrayList<>();
        for (Path file : sources()) {
            String code = Files.readString(file)
                    .replaceAll("(?s)/\\*.*?\\*/", "")
                    .replaceAll("(?m)^\\s*//.*$", "")
                    .replaceAll("\"\\s*\\+\\s*\"", "");
            problems.addAll(problems(file.toString(), literals(code)));
        }
        assertThat(problems).isEmpty();
    }

    @Test
    void javadoc() throws IOException {
        List<String> problems = new ArrayList<>();
        for (Path file : sources()) {
            Matcher comment = Pattern.compile("(?s)/\\*\\*.*?\\*/").matcher(Files.readString(file));
            while (comment.find()) {
                String prose = comment.group().replaceAll("\\n\\s*\\* ?", " ").replaceAll("\\{@\\w+ [^}]*}", "");
                problems.addAll(problems(file.toString(), prose));
            }
        }
        assertThat(problems).isEmpty();
    }

    /** A Javadoc comment with another one, a line comment or a closing brace behind it: newer compilers refuse it. */
    private static final Pattern DANGLING =
            Pattern.compile("(?s)/\\*\\*(?:(?!\\*/).)*\\*/\\s*(?=/\\*\\*|//|\\}|import |package )");

    @Test
    void javadocPrecedesADeclaration() throws IOException {
        List<String> problems = new ArrayList<>();
        for (Path file : mainAndTestSources()) {
            Matcher comment = DANGLING.matcher(Files.readString(file));
            while (comment.find()) {
                problems.add(file + ": " + comment.group().strip());
            }
        }
        assertThat(problems).isEmpty();
    }

    /** Names of the old vocabulary: classes, methods, parameters and variables of main and test code. */
    private static final Pattern NAMES = Pattern.compile(
            "\\b\\w*([Pp]laceholder|[Ww]ithdr[ae]w|[Rr]etire[ds]?\\b|[Hh]eeded|[Ee]rrand|[Ee]ntrant|[Ff]oret[eo]ld|[Ff]oreseen?\\b|"
                    + "[Pp]rospect|inCharge|InCharge|[Rr]ehears|[Nn]obody|[Ss]omebody|[Ww]hoever|[Ww]orth|\\b[Tt]hought|"
                    + "[Kk]eptTime|heldNode|[Tt]oldOf|[Ll]ikelyStart|\\b(wanted|heard|said|asked|told)\\b)\\w*");

    @Test
    void names() throws IOException {
        List<String> problems = new ArrayList<>();
        for (Path file : mainAndTestSources()) {
            String code = Files.readString(file)
                    .replaceAll("(?s)/\\*.*?\\*/", "")
                    .replaceAll("//[^\n]*", "")
                    .replaceAll("(?s)\"\"\".*?\"\"\"", "\"\"")
                    .replaceAll("\"(\\\\.|[^\"\\\\\n])*\"", "\"\"");
            Matcher name = NAMES.matcher(code);
            while (name.find()) {
                problems.add(file + ": " + name.group());
            }
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

    /** Pages with their scripts, and the descriptions of the API, which are prose throughout. */
    @Test
    void pages() throws IOException {
        List<String> problems = new ArrayList<>();
        for (Path module : modules("main", "resources")) {
            for (Path file : files(module, ".html")) {
                problems.addAll(problems(file.toString(), Files.readString(file)));
            }
            for (Path file : files(module, ".js")) {
                problems.addAll(problems(file.toString(), Files.readString(file)));
            }
            for (Path file : files(module, ".yaml")) {
                problems.addAll(problems(file.toString(), Files.readString(file)));
            }
        }
        assertThat(problems).isEmpty();
    }

    /** Scripts, the Python package, experiments and examples, with their comments, messages and names. */
    @Test
    void scripts() throws IOException {
        List<Path> all = new ArrayList<>(files(ROOT.resolve("app/src/main/sh"), ".sh"));
        for (String name : List.of("sheaf", "test", "bench", "package")) {
            all.add(ROOT.resolve(name));
        }
        for (String folder : List.of("tools", "python", "experiments", "examples")) {
            all.addAll(files(ROOT.resolve(folder), ""));
        }
        try (Stream<Path> benchmarks = Files.list(ROOT.resolve("benchmarks"))) {
            benchmarks.filter(Files::isRegularFile).forEach(all::add);
        }
        all.removeIf(file -> !Files.isRegularFile(file) || file.toString().matches(".*(\\.pyc|/\\.[^./].*)"));
        assertThat(all).hasSizeGreaterThan(70);
        List<String> problems = new ArrayList<>();
        for (Path file : all) {
            // A setting of experiments and one of its values.
            String text = Files.readString(file).replaceAll("cancelled: \\[.*]", "");
            problems.addAll(problems(file.toString(), text));
        }
        assertThat(problems).isEmpty();
    }

    /** Descriptions that editors show. */
    @Test
    void schemas() throws IOException {
        List<String> problems = new ArrayList<>();
        List<Path> schemas = files(ROOT.resolve("docs"), ".schema.json");
        assertThat(schemas).hasSize(3);
        for (Path file : schemas) {
            Matcher description = Pattern.compile("\"description\": \"(.*)\"").matcher(Files.readString(file));
            while (description.find()) {
                problems.addAll(problems(file.toString(), description.group(1)));
            }
        }
        assertThat(problems).isEmpty();
    }

    /** Texts in the pictures of the documentation. */
    @Test
    void pictures() throws IOException {
        List<String> problems = new ArrayList<>();
        List<Path> pictures = files(ROOT.resolve("docs").resolve("images"), ".svg");
        assertThat(pictures).hasSizeGreaterThan(10);
        for (Path file : pictures) {
            problems.addAll(problems(file.toString(), Files.readString(file).replaceAll("<(?!/)[^>]*>", " ")));
        }
        assertThat(problems).isEmpty();
    }

    /** Prose only: code and output of commands are checked where they come from. */
    @Test
    void documentation() throws IOException {
        List<String> problems = new ArrayList<>();
        List<Path> all = new ArrayList<>(files(ROOT.resolve("docs"), ".md"));
        try (Stream<Path> top = Files.list(ROOT)) {
            top.filter(file -> file.toString().endsWith(".md")).forEach(all::add);
        }
        for (Path file : all) {
            String name = ROOT.relativize(file).toString();
            if (!GLOSSARIES.contains(name)) {
                String prose =
                        Files.readString(file).replaceAll("(?s)```.*?```", "").replaceAll("`[^`]*`", "");
                problems.addAll(problems(name, prose));
            }
        }
        assertThat(problems).isEmpty();
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Path module : modules("main", "java")) {
            sources.addAll(files(module, ".java"));
        }
        assertThat(sources).hasSizeGreaterThan(1000);
        return sources;
    }

    private static List<Path> mainAndTestSources() throws IOException {
        List<Path> sources = new ArrayList<>(sources());
        for (Path module : modules("test", "java")) {
            sources.addAll(files(module, ".java"));
        }
        return sources;
    }

    /** The folders of this name below {@code src/main} or {@code src/test} of all modules. */
    private static List<Path> modules(String of, String folder) throws IOException {
        try (Stream<Path> all = Files.list(ROOT)) {
            return all.map(module -> module.resolve("src").resolve(of).resolve(folder))
                    .filter(Files::isDirectory)
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        }
    }
}
