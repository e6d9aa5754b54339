package io.sheaf.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.runtime.batch.SubmissionTerms;
import io.sheaf.slurm.whatif.Submissions;
import io.sheaf.text.InputException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SbatchOptionsTest {
    private static List<String> words(String options) {
        return SbatchOptions.words(new SubmissionTerms(Map.of("account", "physics"), List.of(options.split(" "))));
    }

    @Test
    void optionsThatSheafDoesNotSetArePassedOn() {
        assertThat(words("--exclusive --mem=0 -C haswell -w n1 --nodelist=n2 --mail-type=END -x n3"))
                .containsExactly(
                        "--account=physics",
                        "--exclusive",
                        "--mem=0",
                        "-C",
                        "haswell",
                        "-w",
                        "n1",
                        "--nodelist=n2",
                        "--mail-type=END",
                        "-x",
                        "n3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--array=1-3",
                "-a1-3",
                "--requeue",
                "-J mine",
                "--job-name=mine",
                "--comment=mine",
                "--comm=mine",
                "--mem=0 --time=5",
                "-t 5",
                "--time-min=1",
                "-N 2",
                "--nodes=2",
                "-n 4",
                "-c 2",
                "--wrap=ls",
                "-W",
                "--test-only",
                "--dependency=singleton",
                "--clusters=other",
                "-M other",
                "--help",
                "-V",
                "script.sh"
            })
    void optionsThatConflictWithThoseOfSheafAreRefused(String options) {
        String word = options.startsWith("--mem") ? "--time=5" : options.split(" ")[0];
        assertThatThrownBy(() -> words(options))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'" + word + "'");
    }

    /** A script would run in place of the agents. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--exclusive script.sh",
                "--mem=0 script.sh",
                "-C haswell script.sh",
                "-Chaswell script.sh",
                "--hold -v script.sh",
                "--mem=0 -- script.sh"
            })
    void aScriptIsRefusedAtAnyPosition(String options) {
        assertThatThrownBy(() -> words(options))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("not an option");
    }

    @Test
    void allFormsOfThePartitionOptionAreRead() {
        assertThat(List.of("-p long", "-plong", "--partition long", "--partition=long"))
                .allSatisfy(each -> assertThat(Submissions.partition(List.of(each.split(" ")), Map.of()))
                        .isEqualTo("long"));
    }
}
