package io.sheaf.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReliabilityTest {
    @Test
    void levelsAreReadFromColumnsAndPlottedAgainstObservations() {
        double[] levels =
                Reliability.levels(List.of("cluster", "samples", "below05", "below50", "below95", "belowAll"));
        assertThat(levels).containsExactly(5, 50, 95);
        Reliability plot = new Reliability(levels);
        plot.add("forecast", new double[] {0, 50, 100});
        plot.add("nothing", new double[] {Double.NaN, Double.NaN, Double.NaN});
        // 5 % of the 360 points from 50 to 410 across, none of the 300 from 330 to 30 up; the middle is on the
        // diagonal.
        assertThat(plot.svg("KTH")).contains("M68 330L230 180L392 30", ">KTH: ", "forecast");
    }
}
