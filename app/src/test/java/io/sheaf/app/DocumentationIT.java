package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every command line of the documentation, page by page, in a folder with the examples and a few files.
 * {@link #ELSEWHERE} names the tests of lines that cannot run here.
 */
@Tag("slow")
class DocumentationIT {
    private static final int TIMEOUT_SECONDS = 240;

    /**
     * Patterns of lines that cannot run here, and the test that runs them. They need a cluster, a second process, data
     * that may not be redistributed, or hours.
     */
    private static final Map<String, String> ELSEWHERE = elsewhere();

    /** Pages whose lines belong together, and the test that runs them from the first to the last. */
    private static final Map<String, String> WHOLE = Map.of(
            "docs/tutorials/first-run.md", "app/src/test/java/io/sheaf/app/TutorialIT.java",
            "docs/tutorials/first-run-on-slurm.md", "app/src/test/java/io/sheaf/app/SlurmTutorialIT.java");

    /** Files used for names that the reader replaces. */
    private static final Map<String, String> SUBSTITUTES =
            Map.of("WORKFLOW", "examples/hello.yaml", "LOG", "log.swf.gz");

    private static Map<String, String> elsewhere() {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put(
                "doctor --on slurm.*|predict (--evaluate )?--on slurm.*",
                "app/src/test/java/io/sheaf/app/AskSlurmIT.java");
        lines.put("lab run .*--on slurm.*", "app/src/test/java/io/sheaf/app/LabOnSlurmIT.java");
        lines.put(".*--on slurm.*(--detach|--manager-job).*", "app/src/test/java/io/sheaf/app/UnattendedIT.java");
        lines.put("plan .*--on slurm.*", "app/src/test/java/io/sheaf/app/AskSlurmIT.java");
        lines.put("run .*--on slurm.*", "runtime/src/test/java/io/sheaf/slurm/SlurmRunIT.java");
        lines.put(".*--on gridengine.*", "app/src/test/java/io/sheaf/app/GridEngineIT.java");
        lines.put(".*--on oar.*", "app/src/test/java/io/sheaf/app/OarIT.java");
        lines.put("history( .*)?", "app/src/test/java/io/sheaf/app/HistoryIT.java");
        lines.put("(serve|submit)( .*)?", "app/src/test/java/io/sheaf/app/ServeIT.java");
        lines.put("(submit-task|task-status|task-cancel|import) .*", "app/src/test/java/io/sheaf/app/SnakemakeIT.java");
        lines.put(".*--dashboard.*", "browser/src/test/java/io/sheaf/browser/DashboardIT.java");
        lines.put("run .*--background kth-like@.*", "app/src/test/java/io/sheaf/app/RunCommandsIT.java");
        lines.put("(resume|cancel|watch)( .*)?", "app/src/test/java/io/sheaf/app/RunCommandsIT.java");
        lines.put("predict (--run .*|--nodes .*)", "app/src/test/java/io/sheaf/app/RunCommandsIT.java");
        lines.put("(status|report) work/.*", "app/src/test/java/io/sheaf/app/RunCommandsIT.java");
        lines.put("run WORKFLOW --on alpha,beta", "app/src/test/java/io/sheaf/app/SeveralSitesIT.java");
        lines.put("report RUN --crate .*", "app/src/test/java/io/sheaf/app/RunCrateIT.java");
        lines.put("savings --on slurm .*", "app/src/test/java/io/sheaf/app/SavingsOnSlurmIT.java");
        lines.put("savings .*", "app/src/test/java/io/sheaf/app/SavingsCommandTest.java");
        lines.put("explain sheaf-runs/.*", "app/src/test/java/io/sheaf/app/RecordedRunsTest.java");
        // Each experiment has a line with --quick, which runs here: the same file on models of the logs.
        lines.put(
                "lab run .*--data .*|compare \\*\\.dax .*",
                "lab/src/test/java/io/sheaf/lab/ShippedExperimentsTest.java");
        lines.put(
                "lab run experiments/(yu-shi|asa-workflows)\\.yaml -o out",
                "lab/src/test/java/io/sheaf/lab/ShippedExperimentsTest.java");
        lines.put("lab report (corrected|prediction)", "app/src/test/java/io/sheaf/app/LabCommandTest.java");
        return lines;
    }

    @TempDir
    Path folder = Path.of("");

    static List<String> pages() throws IOException {
        List<String> pages = new ArrayList<>();
        for (String page : DocumentedLines.pages()) {
            if (DocumentedLines.of(page).stream()
                    .anyMatch(line -> otherTest(line).isEmpty())) {
                pages.add(page);
            }
        }
        return pages;
    }

    /** The other test that runs the line; empty if it runs here. */
    private static String otherTest(DocumentedLines.Line line) {
        if (WHOLE.containsKey(line.page())) {
            return WHOLE.getOrDefault(line.page(), "");
        }
        String text = String.join(" ", line.words());
        return ELSEWHERE.entrySet().stream()
                .filter(each -> text.matches(each.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    @Test
    void referencedTestsExistAndAreNeeded() throws IOException {
        Set<String> needed = new TreeSet<>();
        for (String page : DocumentedLines.pages()) {
            DocumentedLines.of(page).forEach(line -> needed.add(otherTest(line)));
        }
        for (Map<String, String> tests : List.of(ELSEWHERE, WHOLE)) {
            for (String test : tests.values()) {
                assertThat(DocumentedLines.ROOT.resolve(test)).exists();
                assertThat(needed).contains(test);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyCommandLineOfAPageRuns(String page) throws Exception {
        prepare();
        for (DocumentedLines.Line line : DocumentedLines.of(page)) {
            if (otherTest(line).isEmpty()) {
                Finished run = run(line.words());
                assertThat(run.status())
                        .as("%s%n%s%s", line, run.out(), run.err())
                        .isZero();
            }
        }
    }

    /** The files of a reader in the repository: the examples, the experiments, a log and workflows. */
    private void prepare() throws Exception {
        for (String part : List.of("examples", "experiments", "docs/images")) {
            copy(part);
        }
        Files.writeString(folder.resolve("words.yaml"), """
                name: words
                tasks:
                  count:
                    foreach: {book: [emma, sanditon]}
                    in: "{book}.txt"
                    out: "{book}.count"
                    run: wc -w < {in} > {out}
                  total:
                    in: {from: count}
                    out: total.txt
                    run: cat {in} > {out}
                """);
        Files.writeString(folder.resolve("emma.txt"), "a b c");
        Files.writeString(folder.resolve("sanditon.txt"), "d e");
        Files.copy(folder.resolve("examples/small-workflow.yaml"), folder.resolve("workflow.yaml"));
        Files.writeString(folder.resolve("jobs.txt"), """
                JobID|User|Partition|Submit|Start|End|Elapsed|Timelimit|NNodes|State
                1|ann|main|2026-10-01T00:00:00|2026-10-01T00:00:00|2026-10-02T00:00:00|1-00:00:00|1-12:00:00|150|COMPLETED
                2|bob|main|2026-10-18T00:00:00|2026-10-18T00:00:00|2026-10-18T02:00:00|02:00:00|04:00:00|100|COMPLETED
                """);
        assertThat(run(List.of("generate", "montage", "--tasks", "50", "--work", "100h", "-o", "workflow.json"))
                        .status())
                .isZero();
        Files.copy(folder.resolve("workflow.json"), folder.resolve("montage.json"));
        try (var out = new java.util.zip.GZIPOutputStream(Files.newOutputStream(folder.resolve("log.swf.gz")))) {
            out.write(Files.readAllBytes(folder.resolve("examples/small-queue.swf")));
        }
    }

    private void copy(String part) throws IOException {
        Path from = DocumentedLines.ROOT.resolve(part);
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : all.toList()) {
                Path to = folder.resolve(part).resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(to);
                } else {
                    Files.copy(file, to);
                }
            }
        }
    }

    private Finished run(List<String> words) throws Exception {
        List<String> line = new ArrayList<>(List.of(RealRun.BUILT.toString()));
        words.forEach(word -> line.add(SUBSTITUTES.getOrDefault(word, word)));
        // Earlier results would be in the way; a reader names another folder.
        if (words.contains("-o") && words.get(0).equals("lab")) {
            deleteFolder(folder.resolve(words.get(words.indexOf("-o") + 1)));
        }
        return Finished.run(
                folder,
                Map.of(
                        "SHEAF_CACHE", folder.resolve("cache").toString(),
                        "SHEAF_STATE", folder.resolve("state").toString(),
                        "SHEAF_SITE_CONFIG", "nowhere",
                        "JAVA_HOME", System.getProperty("java.home")),
                TIMEOUT_SECONDS,
                line);
    }

    private static void deleteFolder(Path results) throws IOException {
        if (Files.exists(results)) {
            try (Stream<Path> all = Files.walk(results)) {
                for (Path file : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
