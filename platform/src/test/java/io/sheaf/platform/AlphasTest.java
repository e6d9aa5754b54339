package io.sheaf.platform;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests that the scaling parameters of tasks are drawn exactly as in the published study. */
class AlphasTest {
    @Test
    void theRandomStreamEqualsThatOfTheStudy() {
        MersenneTwister random = new MersenneTwister(42);
        double[] first = {0.9593085968575692, 0.8366869575786737, 0.9559381995225322};
        for (double expected : first) {
            assertThat(random.uniform(0.8, 1)).isEqualTo(expected);
        }
    }

    @Test
    void allFiveThousandPublishedValuesAgree() {
        MersenneTwister random = new MersenneTwister(42);
        for (String[] row : PublishedData.rows("alpha_stream.csv")) {
            assertThat(random.uniform(0.8, 1)).as(row[0]).isEqualTo(Double.parseDouble(row[1]));
        }
    }

    @Test
    void everyTaskOfThePublishedWorkflowsHasItsAlpha() {
        for (String name : PublishedData.workflows()) {
            Scenario scenario = new Scenario(PublishedData.workflow(name), Platforms.of("P1"), Model.PAPER);
            for (String[] row : PublishedData.rows("alphas_" + name + ".csv")) {
                int task = scenario.workflow().find(row[1]);
                assertThat(scenario.alpha(task)).as(row[1]).isEqualTo(Double.parseDouble(row[2]));
            }
        }
    }
}
