package io.sheaf.runtime.spec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DependentJobsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "asa                                      | asa-naive",
                "'asa:cores=56, ahead=queued,estimate=learned' | 'asa-naive:cores=56,estimate=learned'",
                "asa:ahead=queued                         | asa-naive",
                "asa-naive:hold=true                      | asa-naive:hold=true",
                "glume                                    | glume"
            })
    void asaBecomesAsaNaiveIfDependentsLoseTheirPlace(String requested, String expected) {
        assertThat(DependentJobs.strategy(requested)).isEqualTo(expected);
    }
}
