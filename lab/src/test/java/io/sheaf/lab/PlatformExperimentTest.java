package io.sheaf.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sheaf.lab.ExperimentPlan.Selection;
import io.sheaf.lab.experiment.RefusedException;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests experiments on platforms, with simulated runs and with published ones. */
class PlatformExperimentTest {
    private static final String FILE = """
            workflows: [{group: W8, files: small.yaml}, {group: W8, generate: chain, tasks: 3, work: 1h}]
            platforms: [P1, P4]
            model: [paper, study]
            published: [ideal.csv, noise.csv]
            strategies: [a_8, A0, Portfolio, "portfolio:error=0.5", "portfolio:levels=true", "portfolio:objective=energy", "portfolio:misjudged=0.7"]
            seeds: [1000, 1001]
            """;

    @TempDir
    Path folder = Path.of("");

    private Path file = Path.of("");

    @BeforeEach
    void writeExperiment() throws IOException {
        file = Files.writeString(folder.resolve("e.yaml"), FILE);
        Files.writeString(
                folder.resolve("small.yaml"),
                "tasks: {a: {time: 9m}, b: {time: 8m}, c: {time: 7m, after: a}, d: {time: 20m, after: [a, b]}}\n");
        Files.writeString(folder.resolve("ideal.csv"), """
                workflow,platform,algorithm,alg_index,makespan,energy_joules,algorithm_sequence,distinct_algorithms
                W8,P4,A8,8,100.5,1,,
                W8,P4,portfolio,-1,90,1,8 8 3,2
                """);
        Files.writeString(folder.resolve("noise.csv"), """
                workflow,platform,alpha,beta,noise_e,noise_seed,replicate,makespan,a8_makespan,algorithm_sequence
                W8,P4,0.1,1.0,0.5,1001,0,95,100.5,3
                """);
    }

    private List<String> rows(int threads) throws IOException {
        Path to = folder.resolve("out" + threads);
        new Lab(ExperimentPlan.read(file, List.of(), Selection.ALL), to, "1", "").run(threads, (done, all) -> {});
        return Files.readAllLines(to.resolve(Lab.TABLE));
    }

    @Test
    void everyRunHasARowWithAnyNumberOfThreads() throws IOException {
        List<String> rows = rows(1);
        assertThat(rows).hasSize(1 + 2 * 2 * 2 * 2 * 7).isEqualTo(rows(3));
        assertThat(rows.get(0)).startsWith("run,platform,model,workflow,").endsWith(",failure");
        int columns = rows.get(0).split(",").length;
        assertThat(rows).allSatisfy(row -> assertThat(row.split(",", -1)).hasSize(columns));
        List<String> drawn = rows.stream()
                .filter(row -> row.contains(",paper,small") && row.contains("P4") && row.contains("error=0.5"))
                .toList();
        assertThat(drawn).hasSize(2);
        String row = rows.stream()
                .filter(each -> each.contains(",portfolio,1001,1,") && each.contains("paper"))
                .findFirst()
                .orElseThrow();
        assertThat(rows)
                .anyMatch(each -> each.endsWith(row.substring(row.indexOf(",portfolio,1001,") + 16))
                        && each.contains(",portfolio,1000,"));
    }

    @Test
    void onlyPublishedRunsHaveResultsInTheStudyModel() throws IOException {
        List<String> study =
                rows(1).stream().filter(row -> row.contains(",study,")).toList();
        assertThat(study).hasSize(56);
        assertThat(study)
                .filteredOn(row -> row.contains(",A8,1000,1,100.500000,"))
                .singleElement()
                .satisfies(row -> assertThat(row).contains("P4,study,small"));
        assertThat(study).anyMatch(row -> row.contains(",portfolio,1001,1,90.000000,") && row.endsWith(",3,2,8 8 3,"));
        assertThat(study)
                .filteredOn(row -> row.contains("error=0.5") && !row.endsWith(",,,,,,,,,,"))
                .singleElement()
                .satisfies(row -> assertThat(row).contains(",portfolio:error=0.5,1001,1,95.000000,"));
        assertThat(study).filteredOn(row -> row.endsWith(",,,,,,,,,,")).hasSize(51);
    }

    @Test
    void allProblemsAreReportedAtOnce() throws IOException {
        Files.writeString(
                file,
                FILE.replace("P1", "P10")
                        .replace("A0", "A36")
                        .replace("error", "eror")
                        .replace("paper", "papr"));
        Files.writeString(folder.resolve("small.yaml"), "tasks: {a: {run: echo}}\n");
        RefusedException refused =
                catchThrowableOfType(RefusedException.class, () -> ExperimentPlan.read(file, List.of(), Selection.ALL));
        assertThat(refused.problems().stream().map(InputException::getMessage))
                .hasSize(5)
                .anyMatch(line -> line.contains("task 'a' of workflow 'small' has no run time"))
                .anyMatch(line -> line.contains("unknown platform 'P10'"))
                .anyMatch(line -> line.contains("unknown algorithm 'A36'"))
                .anyMatch(
                        line -> line.contains("unknown parameter of the portfolio 'eror'") && line.contains("'error'"))
                .anyMatch(line -> line.contains("'papr'"));
    }
}
