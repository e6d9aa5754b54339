package io.sheaf.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.lab.experiment.RefusedException;
import io.sheaf.lab.experiment.RunBlock;
import io.sheaf.lab.report.LabReport;
import io.sheaf.lab.report.ReportOptions;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StudyExperimentTest {
    private static final String CONVERGENCE = "{study: asa-convergence, sampling: [greedy, tuned], iterations: 40,"
            + " alternatives: [10s, 1m, 1h], changes: 2, repetitions: 8, title: 'T'}";

    @TempDir
    Path temp = Path.of("");

    private Path file(String text) throws IOException {
        return Files.writeString(temp.resolve("study.yaml"), text);
    }

    private Lab lab(String text, double fraction, String folder) throws IOException {
        ExperimentPlan plan =
                ExperimentPlan.read(file(text), List.of(), new ExperimentPlan.Selection(false, fraction, 1, 1));
        return new Lab(plan, temp.resolve(folder), "1", "");
    }

    private List<String> table(String folder) throws IOException {
        return Files.readAllLines(temp.resolve(folder).resolve(Lab.TABLE));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "study: asa-convergense | unknown study 'asa-convergense'. Did you mean 'asa-convergence'?",
                "{study: asa-convergence, iteration: 5} | unknown key 'iteration' in the file",
                "{study: asa-convergence, quick: {iteration: 5}} | unknown key 'iteration' in 'quick'",
                "{study: asa-convergence, sampling: lazy} | there is no sampling 'lazy'",
                "{study: asa-accuracy} | there are no clusters",
                "{study: prediction, clusters: {model: kth-lik}} | unknown value 'kth-lik'",
                "{study: corrected-estimates, clusters: {model: kth-like}, strategies: glum} | unknown strategy 'glum'"
            })
    void invalidStudiesAreRefused(String yaml, String problem) throws IOException {
        Path file = file(yaml);
        assertThatThrownBy(() -> ExperimentPlan.read(file, List.of(), ExperimentPlan.Selection.ALL))
                .satisfies(e -> {
                    assertThat(e).isInstanceOf(RefusedException.class);
                    assertThat(((RefusedException) e).problems().get(0).getMessage())
                            .contains("study.yaml")
                            .contains(problem);
                });
    }

    @Test
    void aRunOfAStudyCannotBeReplayed() throws IOException {
        ExperimentPlan plan = ExperimentPlan.read(file(CONVERGENCE), List.of(), ExperimentPlan.Selection.ALL);
        assertThatThrownBy(() -> RunReplay.of(plan, 3)).hasMessageContaining("run 3 is not a run in a queue");
    }

    /** Greedy, with three alternatives: those that are too short are tried first, once each. */
    @Test
    void convergenceEqualsAHandComputedCase() throws IOException {
        Lab lab = lab(
                "{study: asa-convergence, sampling: greedy, alternatives: [10s, 1m, 1h], iterations: 40,"
                        + " changes: 1, repetitions: 3}",
                1,
                "out");
        assertThat(lab.run(1, (done, all) -> {})).isZero();
        for (String row : table("out").subList(1, 4)) {
            String[] f = row.split(",");
            int wrong = f[5].equals("10") ? 0 : f[5].equals("60") ? 1 : 2;
            assertThat(f[9]).isEqualTo(wrong + ".0");
        }
        LabReport report = LabReport.read(temp.resolve("out"), ReportOptions.NONE);
        assertThat(report.tables()
                        .getOrDefault("summary.csv", "")
                        .lines()
                        .toList()
                        .get(1))
                .startsWith("greedy,optimal,1,3,");
    }

    /** A study that was killed resumes from its log and has the same table; recorded items are not repeated. */
    @Test
    void aStudyResumesAfterAKillAtAnyByteOfItsLog() throws IOException {
        Lab whole = lab(CONVERGENCE, 1, "whole");
        whole.run(1, (done, all) -> {});
        // The log of a complete run whose table is missing, written item by item.
        Path log = temp.resolve("log");
        ExperimentPlan plan = ExperimentPlan.read(file(CONVERGENCE), List.of(), ExperimentPlan.Selection.ALL);
        int[] all = plan.chosen().stream().toArray();
        try (ResultLog out = ResultLog.open(log, plan.fingerprint("1") + " 1/1")) {
            RunBlock.ItemRunner runner = plan.blocks().get(0).prepare(all).get();
            IntStream.of(all).forEach(item -> out.add(item, 1, runner.rows(item)));
        }
        byte[] bytes = Files.readAllBytes(log);
        for (int cut = 0; cut <= bytes.length; cut += 97) {
            String folder = "cut" + cut;
            Files.createDirectories(temp.resolve(folder));
            Files.write(temp.resolve(folder).resolve(Lab.LOG), Arrays.copyOf(bytes, cut));
            Lab resumed = lab(CONVERGENCE, 1, folder);
            long[] calls = {resumed.found(), 0};
            resumed.run(2, (done, of) -> calls[1]++);
            assertThat(calls[0] + calls[1]).isEqualTo(16);
            assertThat(table(folder)).isEqualTo(table("whole"));
        }
    }

    @Test
    void aFractionSelectsTheSameRepetitionsOfEachSetting() throws IOException {
        lab(CONVERGENCE, 0.25, "some").run(1, (done, all) -> {});
        List<String> greedy = repetitions("greedy");
        assertThat(greedy).hasSize(2).isEqualTo(repetitions("tuned"));
    }

    private List<String> repetitions(String sampling) throws IOException {
        return table("some").stream()
                .map(row -> row.split(","))
                .filter(f -> f[1].equals(sampling))
                .map(f -> f[4])
                .distinct()
                .toList();
    }

    @Test
    void onlyTheTitleOfAStudyMayChange() throws IOException {
        lab(CONVERGENCE, 1, "out").run(1, (done, all) -> {});
        assertThat(lab(CONVERGENCE.replace("'T'", "Another"), 1, "out").isComplete())
                .isTrue();
        Lab other = lab(CONVERGENCE.replace("changes: 2", "changes: 4"), 1, "out");
        assertThatThrownBy(other::isComplete)
                .isInstanceOf(InputException.class)
                .hasMessageContaining("contains runs of another experiment");
    }
}
