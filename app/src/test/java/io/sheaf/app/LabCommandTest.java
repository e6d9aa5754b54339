package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.app.cli.ExitStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lab commands: output, files and exit status. */
class LabCommandTest {
    private static final String GOOD = """
            title: Small
            workflows: {generate: chain, tasks: [2, 3], work: 1h}
            clusters: {model: kth-like, days: 4}
            strategies: [zhang, onejob]
            starts: {first: 1d, every: 12h, for: 1d}
            """;

    @TempDir
    Path folder = Path.of("");

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("e.yaml"), text).toString();
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    @Test
    void anExperimentRunsAndIsContinued() throws IOException {
        Run run = Run.of("lab", "run", file(GOOD), "-o", at("out"));
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo("Small: 12 runs in " + at("out") + "\n");
        assertThat(run.status()).isEqualTo(ExitStatus.DONE);
        Run second = Run.of("lab", "run", file(GOOD), "-o", at("out"), "--json");
        assertThat(second.err()).contains("12 of 12 runs are done");
        assertThat(second.out().replaceAll("\\s", "")).endsWith("\"runs\":12,\"failed\":0}");
    }

    @Test
    void optionsWithoutEffectAreRefused() throws IOException {
        String[][] wrong = {
            {"--shards", "3"},
            {"--detach"},
            {"--partition", "main"},
            {"--on", "moon"},
            {"--on", "local", "--shard", "1/2"},
            {"--on", "local", "--shards", "0"},
            {"--on", "local", "--", "--mem=0"}
        };
        for (String[] words : wrong) {
            List<String> line = new ArrayList<>(List.of("lab", "run", file(GOOD), "-o", at("out")));
            line.addAll(List.of(words));
            Run run = Run.of(line.toArray(String[]::new));
            assertThat(run.status()).as(run.err()).isEqualTo(ExitStatus.USAGE);
            assertThat(folder.resolve("out")).doesNotExist();
        }
    }

    @Test
    void reportWritesASelfContainedPage() throws IOException {
        Run.of("lab", "run", file(GOOD), "-o", at("out"));
        Run run = Run.of("lab", "report", at("out"));
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).endsWith("report.html, summary.csv and 4 charts in figures/\n");
        String page = Files.readString(folder.resolve("out/report.html"));
        assertThat(page)
                .contains("<h1>Small</h1>", "All runs completed.", "default-src 'none'")
                .doesNotContain("src=");
        assertThat(folder.resolve("out/summary.csv")).isNotEmptyFile();
        checkRuns(page, Files.readAllLines(folder.resolve("out/runs.csv")));
        assertThat(Run.of("lab", "report", at("gone")).status()).isEqualTo(ExitStatus.BAD_INPUT);
        assertThat(Run.of("lab", "report", at("out"), "--by", "capp").status()).isEqualTo(ExitStatus.BAD_INPUT);
    }

    /**
     * The page contains all of the few runs, with the same numbers of jobs and task ends and the same makespan as the
     * table.
     */
    private static void checkRuns(String page, List<String> table) {
        List<String> columns = List.of(table.get(0).split(","));
        for (String row : table.subList(1, table.size())) {
            List<String> fields = List.of(row.split(",", -1));
            String id = "id=\"r" + fields.get(0) + "-";
            Matcher jobs = Pattern.compile(id
                            + "pilot-jobs\" data-count=\"(\\d+)\" data-title=\"(chain-[^\"]*)\"[^>]* data-workflow=\"(w\\d-)\".*"
                            + " data-makespan=\"(\\d+)\"")
                    .matcher(page);
            assertThat(jobs.find()).as(row).isTrue();
            assertThat(jobs.group(1)).isEqualTo(fields.get(columns.indexOf("jobs")));
            assertThat(jobs.group(2))
                    .startsWith(
                            fields.get(columns.indexOf("workflow")) + ", " + fields.get(columns.indexOf("strategy")));
            assertThat(page).contains("id=\"" + jobs.group(3) + "names\"");
            assertThat(jobs.group(4))
                    .isEqualTo(fields.get(columns.indexOf("makespan_seconds")).replace(".", ""));
            assertThat(page).contains(id + "attempts\" data-count=\"" + fields.get(columns.indexOf("tasks")) + "\"");
        }
        String code = page.replaceAll("(?s)<script type=\"application/octet-stream\".*?</script>", "");
        assertThat(code)
                .contains("data-run=\"", "<dialog", "showRun(", "This page contains 12 of the runs.")
                .doesNotContain("https:", "src=", "<link", "@import", "url(", "fetch(", "import(", "eval(", "{{");
    }

    @Test
    void thePageShowsTheCommandForOmittedRuns() throws IOException {
        Run.of("lab", "run", file(GOOD), "-o", at("out"));
        Run run = Run.of("lab", "report", at("out"), "--runs", "2", "--json");
        assertThat(run.out().replaceAll("\\s", "")).endsWith("\"shown\":2}");
        String page = Files.readString(folder.resolve("out/report.html"));
        assertThat(page.split("-pilot-jobs\" data-count", -1)).hasSize(3);
        assertThat(page).contains("data-show=\"sheaf lab show " + at("e.yaml") + " RUN -o run-RUN.html\"");
    }

    @Test
    void incompleteRunsSetTheExitStatus() throws IOException {
        Run.of("lab", "run", file(GOOD), "-o", at("out"));
        Path manifest = folder.resolve("out/manifest.json");
        Files.writeString(manifest, Files.readString(manifest).replace("\"failed\":0", "\"failed\":2"));
        Run second = Run.of("lab", "run", file(GOOD), "-o", at("out"));
        assertThat(second.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(second.err()).contains("2 runs did not complete; the last column of runs.csv gives the reason");
    }

    @Test
    void anyRunOfTheTableCanBeShown() throws IOException {
        Run.of("lab", "run", file(GOOD), "-o", at("out"));
        Run run = Run.of("lab", "show", file(GOOD), "8", "-o", at("run.html"));
        assertThat(run.err()).isEmpty();
        String row = Files.readAllLines(folder.resolve("out/runs.csv")).get(8);
        assertThat(row).startsWith("8,").contains("chain-3-1h", "onejob");
        String makespan = row.split(",")[26];
        assertThat(run.out()).contains("run 8: chain-3-1h, onejob", "makespan " + makespan + " s");
        assertThat(folder.resolve("run.html")).content().contains("gantt", "onejob");
        assertThat(Run.of("lab", "show", file(GOOD), "13", "-o", at("x.html")).err())
                .contains("1 to 12");
    }

    @Test
    void mergedShardsEqualTheWholeTable() throws IOException {
        Run.of("lab", "run", file(GOOD), "-o", at("whole"));
        Run.of("lab", "run", file(GOOD), "-o", at("a"), "--shard", "1/2");
        Run.of("lab", "run", file(GOOD), "-o", at("b"), "--shard", "2/2");
        assertThat(Run.of("lab", "merge", at("a"), at("b"), "-o", at("ab")).out())
                .isEqualTo("12 runs in " + at("ab") + "\n");
        assertThat(folder.resolve("ab/runs.csv")).hasSameBinaryContentAs(folder.resolve("whole/runs.csv"));
    }

    @Test
    void allProblemsAreReportedAndNothingIsWritten() throws IOException {
        Run run = Run.of(
                "lab", "run", file(GOOD.replace("onejob", "onejbo").replace("kth-like", "kth")), "-o", at("none"));
        assertThat(run.status()).isEqualTo(ExitStatus.BAD_INPUT);
        assertThat(run.err().lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).startsWith("sheaf: ").contains("e.yaml:"));
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void usageErrorsAreReported() throws IOException {
        String file = file(GOOD);
        assertThat(Run.of("lab").status()).isEqualTo(ExitStatus.USAGE);
        assertThat(Run.of("lab", "run", file, "--shard", "3/2").status()).isEqualTo(ExitStatus.USAGE);
        assertThat(Run.of("lab", "run", file, "--fraction", "0").status()).isEqualTo(ExitStatus.USAGE);
        assertThat(Run.of("lab", "run", file, "--threads", "0").status()).isEqualTo(ExitStatus.USAGE);
        assertThat(Run.of("lab", "run", at("gone.yaml")).status()).isEqualTo(ExitStatus.BAD_INPUT);
        assertThat(Run.of("lab", "run", "--help").out()).contains("--fraction");
    }
}
