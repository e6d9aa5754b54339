package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.app.cli.ExitStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the inspect, import, convert and generate commands. */
class WorkflowCommandsTest {
    @TempDir
    Path folder = Path.of("");

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private String small() throws IOException {
        return Files.writeString(folder.resolve("small.yaml"), """
                        name: small
                        tasks:
                          split:
                            run: split -l 100 big.txt part.
                            in: {name: big.txt, size: 3K}
                            out: part.aa
                            time: 90s
                          count:
                            run: wc -l part.aa > n.txt
                            in: part.aa
                            out: n.txt
                            time: 1.5s
                        """).toString();
    }

    @Test
    void inspectShowsTheFiguresOfAWorkflow() throws IOException {
        Run run = Run.of("inspect", small(), "--json");
        assertThat(run.err()).isEmpty();
        assertThat(run.out().replaceAll("\\s+", "")).isEqualTo("""
                        {"name":"small","tasks":2,"edges":1,"levels":2,"maxWidth":1,"totalSeconds":91.5,
                        "criticalPathSeconds":91.5,"files":3,"bytes":3072,"filesWithoutSize":2,"tasksWithoutTime":0,"widths":[1,1],
                        "categories":[{"name":"split","tasks":1,"seconds":90},{"name":"count","tasks":1,"seconds":1.5}]}""".replaceAll("\\s+", ""));
    }

    @Test
    void inspectCountsTasksWithoutARunTime() throws IOException {
        Path file = Files.writeString(
                folder.resolve("w.yaml"), "name: w\ntasks: {a: {run: a, time: 5s}, b: {run: b}, c: {run: c}}\n");
        assertThat(Run.of("inspect", file.toString()).out()).contains("run time unknown  2 tasks\n");
        Files.writeString(file, "name: w\ntasks: {a: {run: a, time: 5s}, b: {run: b}}\n");
        assertThat(Run.of("inspect", file.toString()).out()).contains("run time unknown  1 task\n");
    }

    @Test
    void importOfADirectlyReadableFormatIsRefused() {
        Run run = Run.of("import", "makeflow", "-o", "small.yaml");
        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.err()).contains("'sheaf run FILE', 'sheaf convert FILE small.yaml'");
    }

    @Test
    void inspectPrintsLevelsAsText() throws IOException {
        Run run = Run.of("inspect", small(), "--svg", path("small.svg"));
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .startsWith(path("small.yaml") + ": small\n")
                .contains(
                        "tasks             2\n",
                        "critical path     1.5 min\n",
                        "files             3, 3.0 KiB, 2 of unknown size\n")
                .contains("0              1  ████████████████████████████████████████  split\n");
        assertThat(Files.readString(folder.resolve("small.svg")))
                .startsWith("<svg")
                .endsWith("</svg>\n");
    }

    @Test
    void conversionThroughAllFormatsKeepsTheWorkflow() {
        assertThat(Run.of("generate", "montage", "--tasks", "60", "--work", "100h", "-o", path("m.json"))
                        .status())
                .isZero();
        String figures =
                Run.of("inspect", path("m.json"), "--json", "--no-file-edges").out();
        List<String> chain = List.of("m.json", "m.yaml", "m.dag", "m.dax", "m2.json", "m.yaml.gz", "m3.json.gz");
        for (int i = 1; i < chain.size(); i++) {
            Run run = Run.of("convert", path(chain.get(i - 1)), path(chain.get(i)));
            assertThat(run).isEqualTo(new Run(0, "", ""));
        }
        assertThat(Run.of("inspect", path("m3.json.gz"), "--json").out()).isEqualTo(figures);
        assertThat(Run.of("inspect", path("m.dag")).status()).isZero();
    }

    @Test
    void generateIsRepeatableAndPrintsToStandardOutput() {
        Run one = Run.of("generate", "forkjoin", "--tasks", "10", "--set", "spread=0.5", "--seed", "7", "--to", "yaml");
        assertThat(one.status()).isZero();
        assertThat(one.out()).startsWith("name: forkjoin");
        assertThat(Run.of(
                        "generate", "forkjoin", "--tasks", "10", "--set", "spread=0.5", "--seed", "7", "--to", "yaml"))
                .isEqualTo(one);
        assertThat(Run.of("generate", "forkjoin", "--tasks", "10", "--set", "spread=0.5", "--seed", "8", "--to", "yaml")
                        .out())
                .isNotEqualTo(one.out());
    }

    @Test
    void listsNameFamiliesAndFormats() {
        assertThat(Run.of("generate", "--list").out()).contains("montage:", "gaussian:", "--set spread=");
        assertThat(Run.of("generate", "--list", "--json").out()).contains("\"families\"", "\"cybershake\"");
        assertThat(Run.of("convert", "--list").out()).contains("wfformat", "dagman", "read, write", "svg");
        assertThat(Run.of("convert", "--list", "--json").out()).contains("\"formats\"", "\"dot\"");
    }

    @Test
    void badInputGivesOneLineAndStatus3() throws IOException {
        assertRefused(path("none.json") + ": there is no such file", "inspect", path("none.json"));
        assertRefused(folder + ": is a folder; name a file in it", "inspect", folder.toString(), "--from", "dax");
        Files.writeString(folder.resolve("x.json"), "{\"name\": ");
        assertThat(Run.of("inspect", path("x.json")).err()).startsWith("sheaf: " + path("x.json") + ":1:10: ");
        Files.writeString(folder.resolve("x.unknown"), "hello");
        assertRefused(
                path("x.unknown")
                        + ": unknown workflow format; choose one with --from"
                        + " yaml|wfformat|dax|dagman|pegasus|makeflow",
                "inspect",
                path("x.unknown"));
        assertRefused(
                "unknown format 'wfformt' to read. Did you mean 'wfformat'? Known formats: yaml, wfformat, dax, dagman, pegasus, makeflow.",
                "inspect",
                small(),
                "--from",
                "wfformt");
        assertRefused(
                path("x.png") + ": no output format has this file suffix; choose one with --to"
                        + " yaml|wfformat|dax|dagman|dot|svg",
                "convert",
                small(),
                path("x.png"));
        assertRefused(
                path("no/where.json") + ": cannot be written: no such folder",
                "convert",
                small(),
                path("no/where.json"));
        assertRefused(
                "--work: 'lots' is not a time; write 90s, 30m, 2h, 1d, 1:30:00 or 1-12:00:00",
                "generate",
                "chain",
                "--work",
                "lots");
        assertRefused(
                "family 'chain' has no parameter 'wdith'. It has: time, spread.",
                "generate",
                "chain",
                "--set",
                "wdith=3");
    }

    private static void assertRefused(String message, String... args) {
        assertThat(Run.of(args)).isEqualTo(new Run(3, "", "sheaf: " + message + "\n"));
    }

    @Test
    void aFormatIsRecognisedByItsContent() throws IOException {
        Path plain = Files.copy(Path.of(small()), folder.resolve("workflow.txt"));
        assertThat(Run.of("inspect", plain.toString(), "--json").status()).isZero();
        Run.of("convert", small(), path("s.json"));
        assertThat(Run.of(
                                "inspect",
                                Files.copy(folder.resolve("s.json"), folder.resolve("s2"))
                                        .toString())
                        .status())
                .isZero();
        Run.of("convert", small(), path("s.dax"));
        assertThat(Run.of(
                                "inspect",
                                Files.copy(folder.resolve("s.dax"), folder.resolve("s3"))
                                        .toString())
                        .status())
                .isZero();
        Run.of("convert", small(), path("s.dag"));
        assertThat(Run.of(
                                "inspect",
                                Files.copy(folder.resolve("s.dag"), folder.resolve("s4"))
                                        .toString())
                        .status())
                .isZero();
    }

    @Test
    void usageErrorsGiveStatus2() {
        assertThat(Run.of("convert", "only-one").status()).isEqualTo(2);
        assertThat(Run.of("generate", "chain", "--tasks", "many").status()).isEqualTo(2);
        assertThat(Run.of("generate").status()).isEqualTo(2);
    }

    @Test
    void jsonIsRefusedIfStandardOutputIsTheWorkflow() throws IOException {
        for (Run run : List.of(
                Run.of("convert", small(), "-", "--to", "yaml", "--json"),
                Run.of("generate", "chain", "--to", "yaml", "--json"))) {
            assertThat(run.status()).isEqualTo(2);
            assertThat(run.out()).isEmpty();
            assertThat(run.err())
                    .containsOnlyOnce("\n")
                    .contains(": --json cannot be used here: standard output is the workflow in format yaml;");
        }
        assertThat(Run.of("generate", "chain", "--json").out())
                .as("the workflow is JSON")
                .startsWith("{");
        Map<String, String> configured = Map.of("SHEAF_SITE_CONFIG", "nowhere", "SHEAF_JSON", "true");
        assertThat(Run.in(folder, configured, "convert", small(), "-", "--to", "yaml")
                        .out())
                .startsWith("name: small");
    }

    @Test
    void zeroTasksAndZeroWorkAreRefused() {
        assertRefused(
                "--tasks: must be at least 1; omit it for the family's default", "generate", "chain", "--tasks", "0");
        assertRefused(
                "--work 0s: must be greater than 0; omit it for the family's own run times",
                "generate",
                "chain",
                "--work",
                "0s");
    }

    @Test
    void aNoteReportsAFamilyOfFixedSize() {
        for (String family : List.of("montage-asa", "blast-asa", "statistics")) {
            Run run = Run.of("generate", family, "--tasks", "50");
            assertThat(run.status()).isZero();
            assertThat(run.err())
                    .isEqualTo("sheaf: note: the number of tasks of " + family + " is fixed; --tasks has no effect\n");
            assertThat(Run.of("generate", family).err()).isEmpty();
        }
    }

    @Test
    void unknownFileSizesAreNotZero() throws IOException {
        Path file = Files.writeString(folder.resolve("w.yaml"), "tasks:\n  a: {in: [x, y], out: z, time: 1s}\n");
        assertThat(Run.of("inspect", file.toString()).out()).contains("files             3, sizes unknown\n");
        Files.writeString(file, "tasks:\n  a: {time: 1s}\n");
        assertThat(Run.of("inspect", file.toString()).out()).contains("files             0, 0 B\n");
    }
}
