package io.sheaf.app;

import static io.sheaf.app.PredictOnLogTest.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.ShellWords;
import io.sheaf.testing.Shared;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PredictSdscIT {
    /**
     * On the log of SDSC, the 90 % interval contains 85 to 95 % of the waits, and the losses are far below those of the
     * other estimators.
     */
    @Test
    void estimatesAreAccurateOnSdsc() {
        Path log = Shared.path("data/workloads/SDSC-SP2-1998-4.2-cln.swf.gz");
        Run run = Run.line("predict --trace " + ShellWords.quote(log.toString())
                + " --nodes-in-cluster 128 --evaluate --weeks 4 --jobs-a-week 40 --draws 20 --json");
        String json = run.out();
        assertThat(number(json, "coverage90")).isBetween(0.85, 0.95);
        double loss = number(json, "pinballLoss");
        assertThat(loss).isLessThan(0.25 * number(json, "rawPinballLoss"));
        assertThat(loss).isLessThan(0.6 * number(json, "rankBoundPinballLoss"));
        assertThat(number(json.split("\"logged\"")[1], "samples")).isEqualTo(number(json, "samples"));
    }
}
