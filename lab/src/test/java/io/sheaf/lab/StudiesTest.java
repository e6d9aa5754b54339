package io.sheaf.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.lab.report.StudyReport;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StudiesTest {
    @TempDir
    Path temp = Path.of("");

    private Path file(String text) throws IOException {
        return Files.writeString(temp.resolve("study.yaml"), text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "study: asa-convergense | there is no study 'asa-convergense'. Did you mean 'asa-convergence'?",
                "{study: asa-convergence, iteration: 5} | unknown key 'iteration' in the file",
                "{study: asa-convergence, sampling: lazy} | there is no sampling 'lazy'",
                "{study: asa-accuracy} | there are no clusters",
                "{study: prediction, clusters: {model: kth-lik}} | there is no 'kth-lik'",
                "{study: corrected-estimates, clusters: {model: kth-like}, strategies: glum} | there is no strategy 'glum'"
            })
    void refusesWhatItDoesNotKnow(String yaml, String problem) throws IOException {
        Path file = file(yaml);
        assertThatThrownBy(() -> Studies.read(file, List.of(), false)).satisfies(e -> {
            String told = e instanceof RefusedException refused
                    ? refused.problems().get(0).getMessage()
                    : e.getMessage();
            assertThat(e).isInstanceOfAny(InputException.class, RefusedException.class);
            assertThat(told).contains("study.yaml").contains(problem);
        });
    }

    @Test
    void aStudyHasNoRuns() throws IOException {
        Path file = file("study: prediction");
        assertThatThrownBy(() -> Plan.read(file, List.of(), Plan.Selection.ALL))
                .hasMessageContaining("is a study, which has a table of its own");
    }

    @Test
    void otherExperimentsAreNone() throws IOException {
        assertThat(Studies.read(file("workflows: {generate: chain}"), List.of(), false))
                .isNull();
    }

    /** Greedy, with three alternatives: those that are too short are tried first, once each. */
    @Test
    void convergenceByHand() throws IOException {
        Studies study = Objects.requireNonNull(Studies.read(
                file("{study: asa-convergence, sampling: greedy, alternatives: [10s, 1m, 1h], iterations: 40,"
                        + " changes: 1, repetitions: 3}"),
                List.of(),
                false));
        Path folder = temp.resolve("out");
        assertThat(study.run(folder, 1, "1", "")).isEqualTo(3);
        for (String row : Files.readAllLines(folder.resolve(Lab.TABLE)).subList(1, 4)) {
            String[] f = row.split(",");
            int wrong = f[4].equals("10") ? 0 : f[4].equals("60") ? 1 : 2;
            assertThat(f[8]).isEqualTo(wrong + ".0");
        }
        StringWriter summary = new StringWriter();
        StudyReport.read(folder).summary(summary);
        assertThat(summary.toString().lines().toList().get(1)).startsWith("greedy,optimal,1,3,");
    }
}
