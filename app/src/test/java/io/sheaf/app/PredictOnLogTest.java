package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.app.cli.ExitStatus;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PredictOnLogTest {
    /** The first number with this name. */
    static double number(String json, String field) {
        Matcher found = Pattern.compile("\"" + field + "\" : ([-0-9.]+)").matcher(json);
        assertThat(found.find()).as(field).isTrue();
        return Double.parseDouble(found.group(1));
    }

    @Test
    void waitQuantilesAreOrderedAndReproducible() {
        String[] args = {
            "predict",
            "--model",
            "sdsc-like",
            "--days",
            "20",
            "--start",
            "15d",
            "--nodes",
            "100",
            "--time",
            "10h",
            "--draws",
            "20",
            "--json"
        };
        Run run = Run.of(args);
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        String json = run.out();
        double last = 0;
        for (String field : new String[] {"low90", "low50", "median", "high50", "high90"}) {
            assertThat(number(json, field + "Seconds")).isGreaterThanOrEqualTo(last);
            last = number(json, field + "Seconds");
        }
        assertThat(number(json, "schedulerSeconds")).isPositive();
        assertThat(Run.of(args).out()).isEqualTo(run.out());
    }

    @Test
    void evaluateReportsErrorsOnALog() {
        Run run =
                Run.line("predict --model kth-like --days 40 --evaluate --weeks 2 --jobs-a-week 30 --draws 20 --json");
        assertThat(run.err()).isEmpty();
        String json = run.out();
        assertThat(number(json, "samples")).isPositive();
        for (String field : new String[] {
            "coverage90",
            "coverage50",
            "meanWidth90Seconds",
            "medianErrorSeconds",
            "rawMedianErrorSeconds",
            "medianErrorRatio",
            "pinballLoss",
            "rawPinballLoss",
            "rankBoundPinballLoss"
        }) {
            assertThat(number(json, field)).isNotNegative();
        }
        String[] parts = json.split("\"bySize\"|\"logged\"");
        Matcher samples = Pattern.compile("\"samples\" : (\\d+)").matcher(parts[1]);
        int bySize = 0;
        while (samples.find()) {
            bySize += Integer.parseInt(samples.group(1));
        }
        assertThat(bySize).isEqualTo((int) number(json, "samples"));
        assertThat(number(parts[2], "samples")).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nodes 2 --time 1h | give a queue",
                "--model kth-like --nodes 2 | --nodes N --time T",
                "--model kth-like --run x --nodes 2 --time 1h | use only one of",
                "--on slurm --run x --nodes 2 --time 1h | use only one of",
                "--run x --nodes 2 | --nodes N --time T",
                "--run x --nodes 0 --time 1h | must be at least 1",
                "--run x --nodes 2 --time 1h --draws 3 | at least 20",
                "--model kth-like --trace x --evaluate | give either --trace or --model",
                "--model kth-like --evaluate --nodes 3 | samples jobs of the log",
                "--model kth-like --evaluate --draws 3 | at least 20"
            })
    void usageErrorsAreReported(String words, String problem) {
        String[] args = ("predict " + words).split(" ");
        Run run = Run.of(args);
        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.err()).contains(problem);
    }

    @Test
    void aJobWiderThanTheClusterIsBadInput() {
        Run run = Run.of(
                "predict", "--model", "kth-like", "--days", "5", "--start", "2d", "--nodes", "101", "--time", "1h");
        assertThat(run.status()).isEqualTo(ExitStatus.BAD_INPUT);
        assertThat(run.err()).contains("the cluster has 100");
    }
}
