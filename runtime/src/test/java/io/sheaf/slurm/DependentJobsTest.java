package io.sheaf.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DependentJobsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PriorityParameters      = (null) / PriorityType            = priority/basic | true",
                "PriorityType            = priority/multifactor / PriorityFlags           = | false",
                "PriorityFlags           = ACCRUE_ALWAYS,SMALL_RELATIVE_TO_TIME / PriorityType = priority/multifactor | true",
                "PriorityFlags           = CALCULATE_RUNNING / PriorityType            = priority/multifactor | false",
                "SlurmUser = root | false"
            })
    void whatTheConfigurationSays(String config, boolean keep) {
        assertThat(DependentJobs.keepTheirPlace(config.replace(" / ", "\n"))).isEqualTo(keep);
    }

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
    void whatIsTakenWhereDependentsLoseTheirPlace(String asked, String taken) {
        assertThat(DependentJobs.strategy(asked, false)).isEqualTo(taken);
        assertThat(DependentJobs.strategy(asked, true)).isEqualTo(asked);
    }
}
