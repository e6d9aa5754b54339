package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Invalid option values are refused in one line that begins with the option, before a run is created. */
class OptionValuesTest {
    @TempDir
    Path folder = Path.of("");

    @BeforeEach
    void writeWorkflow() throws IOException {
        Files.writeString(folder.resolve("w.yaml"), "tasks: {a: {run: 'true', time: 1s}}\n");
    }

    private Run sheaf(String words) {
        // Relative workflow paths would refer to the working directory of the test.
        String absolute = words.replace("w.yaml", folder.resolve("w.yaml").toString());
        return Run.line(folder, Map.of("SHEAF_SITE_CONFIG", "nowhere"), absolute);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --max-time -1h                 | --max-time: '-1h' is negative; a time is 0 or more
            --mem-per-node xG              | --mem-per-node: 'xG' is not a size; write 512M, 10G, 1.5T or a number of bytes
            --gpus-per-node -1             | --gpus-per-node: '-1' is not a number of GPUs; write 2, a100:2 or a100:2,v100:1
            --node-resource scratch=x      | --node-resource: 'x' is not a size; write 512M, 10G, 1.5T or a number of bytes
            --run-resource licence=-1      | --run-resource: '-1' is not a size; write 512M, 10G, 1.5T or a number of bytes
            --memory-growth x2:much        | --memory-growth: 'much' is not a size; write 512M, 10G, 1.5T or a number of bytes
            --queue-interval -1s           | --queue-interval: '-1s' is negative; a time is 0 or more
            --background kth-like@0x       | --background: 'kth-like@0x' is not MODEL@SPEEDx; write e.g. kth-like@60x
            --work-dir w.yaml              | w.yaml: is not a folder; use another --work-dir
            --work-dir no/such             | no/such: its parent folder does not exist; create it, or correct --work-dir
            --listen 203.0.113.9           | agents could not reach this process (203.0.113.9 is not an address of this machine); see --listen and --ports
            --manager-job main             | --manager-job can only be used with --on slurm; on this machine use --detach
            """)
    void anInvalidValueIsRefusedWithItsOption(String option, String message) {
        Run run = sheaf("run w.yaml " + option);
        assertThat(run.err().replace(folder + "/", "")).isEqualTo("sheaf: " + message + "\n");
        assertThat(run.status()).isEqualTo(3);
        assertThat(folder.resolve("sheaf-runs")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            run w.yaml --nodes 0                      | --nodes: must be between 1 and 65536
            run w.yaml --nodes 65537                  | --nodes: must be between 1 and 65536
            run w.yaml --cores-per-node 0             | --cores-per-node: must be between 1 and 65536
            run w.yaml --cores-per-node 2147483647    | --cores-per-node: must be between 1 and 65536
            run ''                                    | the name of the workflow is empty
            run w.yaml --nodes 99999999999            | Invalid value for option '--nodes': '99999999999' is not a whole number, or too large
            run w.yaml more.yaml                      | unexpected argument 'more.yaml'; options of the batch system go after --
            simulate w.yaml --model kth-like --days 100000000    | --days: must be between 1 and 3650
            compare w.yaml --model kth-like --days 3651          | --days: must be between 1 and 3650
            predict --model kth-like --days -1 --nodes 1 --time 1h | --days: must be between 1 and 3650
            run w.yaml more.yaml --on slurm           | unexpected argument 'more.yaml'; options of the batch system go after --
            """)
    void misuseIsRefused(String words, String message) {
        Run run = sheaf(words);
        String command = words.split(" ", 2)[0];
        assertThat(run.err())
                .isEqualTo("sheaf " + command + ": " + message + " (see 'sheaf " + command + " --help' for usage)\n");
        assertThat(run.status()).isEqualTo(2);
    }

    /** A submission opens no connections and needs no lease. */
    @Test
    void submitHasNoManagerOptions() {
        assertThat(sheaf("submit --help").out()).contains("--priority").doesNotContain("--take-over", "--listen");
    }

    @Test
    void explainRefusesAFolderWithoutARun() {
        Run run = sheaf("explain .");
        assertThat(run.err())
                .contains("there is no run in this folder (no run.json)")
                .hasLineCount(1);
        assertThat(run.status()).isEqualTo(3);
    }

    @Test
    void aWorkflowWithoutTasksHasNothingToDo() throws IOException {
        Files.writeString(folder.resolve("w.yaml"), "tasks: {}\n");
        assertThat(sheaf("run w.yaml").out()).isEqualTo("nothing to do: the workflow has no tasks\n");
    }

    @Test
    void aStartAfterTheEndOfTheLogIsReported() {
        Run run = sheaf("simulate w.yaml --model kth-like --days 2 --start 900d --strategy onejob");
        assertThat(run.err())
                .contains("the log ends before the last start time")
                .hasLineCount(1);
        assertThat(run.status()).isZero();
        Run predicted = sheaf("predict --model kth-like --days 2 --start 900d --nodes 5 --time 1h");
        assertThat(predicted.err()).isEqualTo(run.err());
    }
}
