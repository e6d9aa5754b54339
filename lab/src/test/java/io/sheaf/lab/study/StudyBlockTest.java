package io.sheaf.lab.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.lab.experiment.Csv;
import io.sheaf.lab.experiment.RunBlock;
import io.sheaf.lab.study.StudyExperiment.StudyBlock;
import java.util.List;
import org.junit.jupiter.api.Test;

class StudyBlockTest {
    /** An item that fails with an exception has one row with the reason. */
    @Test
    void aFailedItemDoesNotStopTheOtherItems() {
        Study study = new Study() {
            @Override
            public int settings() {
                return 1;
            }

            @Override
            public int repetitions() {
                return 2;
            }

            @Override
            public List<List<String>> rows(int setting, int repetition) {
                if (repetition == 0) {
                    throw new IllegalStateException("too hot, today");
                }
                return List.of(List.of("a", "1"), List.of("b", "2"));
            }
        };
        StudyBlock block = new StudyBlock(study, new Study.StudyColumns(List.of("k"), List.of("m")), "");
        RunBlock.ItemRunner runner = block.prepare(new int[] {0, 1}).get();
        assertThat(runner.rows(0)).allMatch(Csv::isFailed);
        assertThat(runner.rows(0)).containsExactly(",,\"java.lang.IllegalStateException: too hot, today\"");
        assertThat(runner.rows(1)).containsExactly("a,1,", "b,2,");
    }
}
