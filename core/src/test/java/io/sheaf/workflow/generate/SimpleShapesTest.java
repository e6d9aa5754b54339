package io.sheaf.workflow.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Workflow;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimpleShapesTest {
    private static Workflow make(String family, int tasks, Map<String, String> parameters) {
        return Families.named(family).generate(new Recipe(tasks, 0, 1, parameters));
    }

    @Test
    void aChainHasAsManyLevelsAsTasks() {
        Workflow w = make("chain", 50, Map.of("time", "2m"));
        assertThat(w.levels()).isEqualTo(50);
        assertThat(w.edges()).isEqualTo(49);
        assertThat(w.criticalPathMicros()).isEqualTo(100 * TimeText.MINUTE);
        assertThat(make("chain", 1, Map.of()).edges()).isZero();
    }

    @Test
    void aBagHasNoEdges() {
        Workflow w = make("bag", 50, Map.of());
        assertThat(w.levels()).isEqualTo(1);
        assertThat(w.edges()).isZero();
        assertThat(w.totalMicros()).isEqualTo(500 * TimeText.MINUTE);
    }

    // s stages of w: s w + s + 1 tasks. 100 tasks in 3 stages: (100 − 4)/3 = 32. 103: 99/3 = 33. 101: 97/3 = 32.3,
    // rounded 32. 6 tasks in 2 stages are between 5 and 7.
    @ParameterizedTest
    @CsvSource({"1, 100, 98, 100", "3, 100, 32, 100", "3, 103, 33, 103", "3, 101, 32, 100", "2, 6, 1, 5", "5, 1, 1, 11"
    })
    void forkAndJoinAlternate(int stages, int requested, int width, int tasks) {
        Workflow w = make("forkjoin", requested, Map.of("stages", Integer.toString(stages)));
        assertThat(w.size()).isEqualTo(tasks);
        assertThat(w.levels()).isEqualTo(2 * stages + 1);
        assertThat(w.edges()).isEqualTo(2 * stages * width);
        for (int level = 0; level < w.levels(); level++) {
            assertThat(w.width(level)).isEqualTo(level % 2 == 0 ? 1 : width);
        }
    }

    @Test
    void aHundredTasksAreTheDefault() {
        assertThat(make("bag", 0, Map.of()).size()).isEqualTo(100);
    }

    @Test
    void theSpreadIsTheStandardDeviationOverTheMean() {
        Workflow w = make("bag", 100_000, Map.of("time", "100s", "spread", "0.5"));
        double sum = 0;
        double squares = 0;
        for (int task = 0; task < w.size(); task++) {
            double seconds = (double) w.timeMicros(task) / TimeText.SECOND;
            sum += seconds;
            squares += seconds * seconds;
        }
        double mean = sum / w.size();
        // Standard error of the mean: 50 / √100,000 = 0.16.
        assertThat(mean).isBetween(99.4, 100.6);
        assertThat(Math.sqrt(squares / w.size() - mean * mean)).isBetween(49.0, 51.0);
    }

    @Test
    void badParametersAreRefused() {
        assertThatThrownBy(() -> make("bag", 5, Map.of("spread", "-1")))
                .isInstanceOf(InputException.class)
                .hasMessage("spread=-1 is not a number from 0.0 to 10.0");
        assertThatThrownBy(() -> make("bag", 5, Map.of("time", "soon")))
                .isInstanceOf(InputException.class)
                .hasMessage("'soon' is not a time; write 90s, 30m, 2h, 1d, 1:30:00 or 1-12:00:00");
        assertThatThrownBy(() -> make("forkjoin", 5, Map.of("stages", "0")))
                .isInstanceOf(InputException.class)
                .hasMessage("stages=0 is not a whole number from 1 to 1000000");
        assertThatThrownBy(() -> make("chain", 5, Map.of("width", "3", "depth", "2")))
                .isInstanceOf(InputException.class)
                .hasMessage("family 'chain' has no parameter 'depth'. It has: time, spread.");
    }
}
